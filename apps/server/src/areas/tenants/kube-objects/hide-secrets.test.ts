import { expect, test } from 'vitest'
import { annotationsForDisplay, hideSecretsInText } from './hide-secrets.ts'

test.each([
  ['MINIO_ROOT_PASSWORD=abc x', 'MINIO_ROOT_PASSWORD=(not shown) x'],
  ['run --secret-key=abc --port 9', 'run --secret-key=(not shown) --port 9'],
  ['run -token "a b" x', 'run -token (not shown) x'],
  ['run --my-Access-Token-file abc', 'run --my-Access-Token-file (not shown)'],
  ['X-Amz-Security-Token=abc', 'X-Amz-Security-Token=(not shown)'],
  ['token --secret=abc', 'token --secret=(not shown)'],
  ['the token has expired', 'the token has expired'],
  ['{"level":"INFO","secretKey":"abc","n":1}', '{"level":"INFO","secretKey":"(not shown)","n":1}'],
  ['{"password" : "a b"}', '{"password" : "(not shown)"}'],
  ['{\\"accessKey\\":\\"abc\\"}', '{\\"accessKey\\":\\"(not shown)"}'],
  ['Authorization: Bearer abc.def-123', 'Authorization: Bearer (not shown)'],
  ['"message":"the token is old"', '"message":"the token is old"'],
  ['http+unix://user:pass@host/path', 'http+unix://(not shown)@host/path'],
  ['https://host:9000/a@b', 'https://host:9000/a@b'],
])('%s', (text, shown) => {
  expect(hideSecretsInText(text)).toBe(shown)
})

test.each(['-', 'a.', '-secret', '://', 'A_', 'token-', '"token":"', 'Bearer '])(
  'megabytes of %j take no long time',
  (piece) => {
    const text = piece.repeat(1_000_000 / piece.length)
    const begin = performance.now()
    hideSecretsInText(text)
    expect(performance.now() - begin).toBeLessThan(2000)
  },
)

test('objects in annotations are shown without their secrets, whatever their members are called', () => {
  const registry = { auths: { 'registry.example': { username: 'anna', password: 'planted', auth: 'planted' } } }
  const other = {
    clientSecret: 'planted',
    secretKey: 'planted',
    nested: [{ apiToken: 'planted', secretName: 'shown', credsSecret: { name: 'shown' } }],
  }
  const annotations = { registry: JSON.stringify(registry), other: JSON.stringify(other), team: 'quay' }
  const shown = annotationsForDisplay(annotations)
  expect(JSON.stringify(shown)).not.toContain('planted')
  expect(shown).toMatchObject({ team: 'quay', registry: expect.stringContaining('anna') })
  expect(shown.other?.match(/shown"/g)).toHaveLength(2)
})
