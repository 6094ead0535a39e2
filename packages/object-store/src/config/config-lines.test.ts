import { describe, expect, test } from 'vitest'
import { configLineText, parseConfigLines } from './config-lines.ts'

const parsePairs = (text: string) => parseConfigLines(text)[0]?.pairs

describe('a line of configuration text', () => {
  test.each([
    ['api requests_max=7', [['requests_max', '7']]],
    [
      'api a= b=2',
      [
        ['a', ''],
        ['b', '2'],
      ],
    ],
    [
      'api a="" b=2',
      [
        ['a', ''],
        ['b', '2'],
      ],
    ],
    [
      'api comment="two words" b=2',
      [
        ['comment', 'two words'],
        ['b', '2'],
      ],
    ],
    ['api comment=\'it is "quoted"\'', [['comment', 'it is "quoted"']]],
    ['api comment="say ""hi"""', [['comment', 'say "hi"']]],
    // A key and `=` inside quotes are part of the value; MinIO would cut the line there.
    ['x endpoint="http://h/x?queue_limit=5&x=1"', [['endpoint', 'http://h/x?queue_limit=5&x=1']]],
    // Words without `=` continue a value, as clients of other servers write it.
    [
      'api comment=two words b=2',
      [
        ['comment', 'two words'],
        ['b', '2'],
      ],
    ],
    ['api url=http://h/?a=b', [['url', 'http://h/?a=b']]],
  ])('%s', (text, pairs) => {
    expect(parsePairs(text)).toEqual(pairs)
  })

  test.each(['api word', 'api a="no end', 'api a="x"y', 'api:a:b c=d', 'api:a/b c=d', `api:${'a'.repeat(65)} c=d`])(
    '%s is refused',
    (text) => {
      expect(() => parseConfigLines(text)).toThrow(expect.objectContaining({ code: 'XMinioConfigError' }))
    },
  )

  test('is read again as it was written', () => {
    for (const value of ['plain', 'two words', `a "b" c`, `it's`, '""', ' ', 'a=b c=d', '#x', `"' "`]) {
      const line = { subsystem: 'x', target: 'y', pairs: [['key', value] as const] }
      expect(parseConfigLines(configLineText(line))).toEqual([line])
    }
  })

  test('names its target, and is skipped as a comment', () => {
    const text = '# MINIO_API_REQUESTS_MAX=4\n\napi a=1\r\nnotify_webhook:one a=1\nnotify_webhook: a=1'
    expect(parseConfigLines(text).map(({ subsystem, target }) => [subsystem, target])).toEqual([
      ['api', '_'],
      ['notify_webhook', 'one'],
      ['notify_webhook', '_'],
    ])
  })
})
