import { expect, test } from 'vitest'
import { LostRecords, readJsonStream } from './json-stream.ts'

async function read(chunks: string[], maxRecord?: number): Promise<unknown[]> {
  const body = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk, 'latin1')
  })()
  const records: unknown[] = []
  for await (const record of readJsonStream(body, maxRecord)) records.push(record)
  return records
}

test.each([
  ['one per chunk', ['{"a":1}\n', '{"a":2}\n']],
  ['several per chunk, and one over two', ['{"a":1}\n{"a"', ':2}\n']],
  ['blanks between and before', ['  ', ' {"a":1}\n   \n', ' ', '{"a":2}', '\r\n  ']],
  ['the last one without a newline', ['{"a":1}\n{"a":2}']],
])('records: %s', async (_, chunks) => expect(await read(chunks)).toEqual([{ a: 1 }, { a: 2 }]))

test('a character split between chunks is read correctly', async () => {
  const bytes = Buffer.from('"é"\n').toString('latin1')
  expect(await read([bytes.slice(0, 2), bytes.slice(2)])).toEqual(['é'])
})

test('a record that is too long, or not JSON, is counted and skipped', async () => {
  const lost = new LostRecords(1)
  expect(await read(['"aaaa', 'aaaa', 'aaa"\n"b"\n'], 8)).toEqual([lost, 'b'])
  expect(await read(['"aaaaaaaaaaaaaaaaaaaaaaaaaaaa'], 8)).toEqual([lost])
  expect(await read(['{"cut of\n"b"\n<html>\n'])).toEqual([lost, 'b', lost])
})

test('spaces sent for hours take no memory', async () => {
  const body = (async function* () {
    for (let i = 0; i < 100_000; i++) yield Buffer.from(' ')
    yield Buffer.from('1\n')
  })()
  const records: unknown[] = []
  for await (const record of readJsonStream(body, 8)) records.push(record)
  expect(records).toEqual([1])
})
