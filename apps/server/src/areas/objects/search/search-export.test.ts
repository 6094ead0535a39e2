import { expect, test } from 'vitest'
import { csvText, searchExportLines } from './search-export.ts'

test.each([
  ['plain', '"plain"'],
  ['say "hi"', '"say ""hi"""'],
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  [' =1', `"' =1"`],
  ['\t=1', `"'\t=1"`],
  ['\u200b=1', `"'\u200b=1"`],
  ['\n=1', `"'\n=1"`],
  ['＝1', `"'＝1"`],
  ['a=1', '"a=1"'],
])('%j in a spreadsheet: %s', (text, cell) => {
  expect(csvText(text)).toBe(cell)
})

test('a file of results as CSV and as NDJSON', async () => {
  const found = { name: 'a,"b"', size: 1, last_modified: '2026-11-20T12:00:00Z', etag: 'e', user_tags: { k: 'v w' } }
  const pages = async function* () {
    yield [found]
    yield []
  }
  const csv = await all(searchExportLines(pages(), 'csv'))
  expect(csv.join('')).toBe(
    'key,size,last_modified,etag,storage_class,tags\r\n"a,""b""",1,2026-11-20T12:00:00Z,"e","","k=v+w"\r\n',
  )
  const [line = ''] = await all(searchExportLines(pages(), 'ndjson'))
  expect(JSON.parse(line)).toEqual({
    key: 'a,"b"',
    size: 1,
    last_modified: '2026-11-20T12:00:00Z',
    etag: 'e',
    tags: { k: 'v w' },
  })
})

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}
