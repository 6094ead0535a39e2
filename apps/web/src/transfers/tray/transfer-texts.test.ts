import { GiB, MiB } from '@stowage/contract'
import { expect, test } from 'vitest'
import { t } from '../../lib/text/i18n.ts'
import type { TransferSummary } from './transfer-summary.ts'
import { sentSizeText, summaryText, uploadProgressText } from './transfer-texts.ts'

const none: TransferSummary = {
  running: 0,
  waiting: 0,
  paused: 0,
  failed: 0,
  asking: 0,
  done: 0,
  sent: 0,
  size: 0,
  rate: 0,
  secondsLeft: undefined,
}

test.each([
  [52 * GiB, 86 * GiB, '52 of 86 GiB'],
  [214 * MiB, 1.2 * GiB, '214 MiB of 1.2 GiB'],
  [0, 0, '0 of 0 B'],
])('%d of %d is formatted as %s', (done, size, text) => expect(sentSizeText(t, done, size)).toBe(text))

test('a rate is shown only while bytes are sent', () => {
  expect(uploadProgressText(t, 52 * GiB, 86 * GiB, 112 * MiB)).toBe('52 of 86 GiB, 112 MiB/s')
  expect(uploadProgressText(t, 52 * GiB, 86 * GiB, 0)).toBe('52 of 86 GiB')
})

test('only non-zero counts are listed, the most important first if there is little room', () => {
  const some = { ...none, running: 2, failed: 1, done: 7 }
  expect(summaryText(t, some)).toBe('2 running, 1 failed')
  expect(summaryText(t, some, true)).toBe('1 failed, 2 running')
  expect(summaryText(t, { ...none, done: 7 })).toBe('7 done')
})
