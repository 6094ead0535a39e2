import { expect, test } from 'vitest'
import { hideInText } from './hide-secrets.ts'

test.each([
  ['MINIO_ROOT_PASSWORD=abc x', 'MINIO_ROOT_PASSWORD=(not shown) x'],
  ['run --secret-key=abc --port 9', 'run --secret-key=(not shown) --port 9'],
  ['run -token "a b" x', 'run -token (not shown) x'],
  ['run --my-Access-Token-file abc', 'run --my-Access-Token-file (not shown)'],
  ['X-Amz-Security-Token=abc', 'X-Amz-Security-Token=(not shown)'],
  ['token --secret=abc', 'token --secret=(not shown)'],
  ['the token has expired', 'the token has expired'],
  ['http+unix://user:pass@host/path', 'http+unix://(not shown)@host/path'],
  ['https://host:9000/a@b', 'https://host:9000/a@b'],
])('%s', (text, shown) => {
  expect(hideInText(text)).toBe(shown)
})

test.each(['-', 'a.', '-secret', '://', 'A_', 'token-'])('megabytes of %j take no long time', (piece) => {
  const text = piece.repeat(1_000_000 / piece.length)
  const begin = performance.now()
  hideInText(text)
  expect(performance.now() - begin).toBeLessThan(2000)
})
