import { expect, test } from 'vitest'
import { ALL_BUCKETS } from '../../ui/live/bucket-or-all.ts'
import { canWatch, type WatchFormValues } from './watch-form-values.ts'

const base: WatchFormValues = { bucket: null, prefix: '', suffix: '', events: ['put'] }

test.each([
  ['no bucket', {}, false],
  ['a bucket of the list', { bucket: 'photos' }, true],
  ['a bucket that is not in the list', { bucket: 'gone' }, false],
  ['all buckets', { bucket: ALL_BUCKETS }, true],
  ['no kind of event', { bucket: 'photos', events: [] }, false],
] as const)('%s: whether a watch may run [WCH-04]', (_, part, expected) => {
  expect(canWatch({ ...base, ...part }, ['photos'])).toBe(expected)
})
