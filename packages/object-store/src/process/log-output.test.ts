import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { logOptions, openPrettyLog, relayStoreOutput } from './log-output.ts'

/** Collects what is written to a stream. */
function collector(): { stream: Writable; text: () => string } {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return { stream, text: () => text }
}

test('on a terminal every line is marked by its part', async () => {
  const { stream, text } = collector()
  const log = await openPrettyLog({ destination: stream, colorize: false })
  pino(logOptions('console'), log).warn({ status: 502 }, 'a call failed')
  relayStoreOutput(log)(
    '{"level":50,"time":"2026-01-02T03:04:05.678Z","part":"store","drive":"/d/1","msg":"a drive is offline"}',
  )
  await expect.poll(text).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: console a call failed \{"status":502\}\n/)
  await expect.poll(text).toMatch(/\[\d\d:\d\d:\d\d\] ERROR: store a drive is offline \{"drive":"\/d\/1"\}\n$/)
})

test('log lines of the store are passed on unchanged, and other lines become log lines', () => {
  const { stream, text } = collector()
  const relay = relayStoreOutput(stream)
  const line = '{"level":40,"time":"2026-01-02T03:04:05.678Z","part":"store","msg":"kept"}'
  for (const written of [line, '', 'RangeError: too deep', '{"level":broken']) relay(written)
  const lines = text().split('\n').filter(Boolean)
  expect(lines[0]).toBe(line)
  expect(lines.slice(1).map((other) => JSON.parse(other))).toEqual([
    { level: 50, time: expect.any(String), part: 'store', msg: 'RangeError: too deep' },
    { level: 50, time: expect.any(String), part: 'store', msg: '{"level":broken' },
  ])
})
