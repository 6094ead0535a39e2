import { expect, test } from 'vitest'
import { annotationsForDisplay, hideSecretsInText, objectForDisplay } from './hide-secrets.ts'

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
  ['curl -u anna:abc https://h', 'curl -u (not shown) https://h'],
  ['curl --user "anna:abc" -v', 'curl --user "(not shown)" -v'],
  ['password: abc', 'password: (not shown)'],
  ['db:\n  Password: "abc"\n  port: 1', 'db:\n  Password: "(not shown)"\n  port: 1'],
  ['secret key: abc, next', 'secret key: (not shown), next'],
  ['token: abc', 'token: (not shown)'],
  ['Cookie: a=abc; b=abc', 'Cookie: (not shown)'],
  ['< Set-Cookie: token=abc; Path=/\nnext', '< Set-Cookie: (not shown)\nnext'],
  ['{"Cookie":"a=abc"}', '{"Cookie":"(not shown)"}'],
  ['GET /b/k?X-Amz-Signature=abc&x=1', 'GET /b/k?X-Amz-Signature=(not shown)&x=1'],
  ['AWS4-HMAC-SHA256 Credential=abc, Signature=abc', 'AWS4-HMAC-SHA256 Credential=(not shown), Signature=(not shown)'],
  [
    '-----BEGIN RSA PRIVATE KEY-----\nabc\nabc\n-----END RSA PRIVATE KEY----- x',
    '-----BEGIN RSA PRIVATE KEY-----(not shown)-----END RSA PRIVATE KEY----- x',
  ],
  ['"-----BEGIN PRIVATE KEY-----\\nabc', '"-----BEGIN PRIVATE KEY-----(not shown)'],
])('%s', (text, shown) => {
  expect(hideSecretsInText(text)).toBe(shown)
})

test('arguments of a command are shown without the values of secret options', () => {
  const args = [
    '--password',
    'planted',
    '--port',
    '9',
    '-u',
    'anna:planted',
    '--secret-key=planted',
    '--token',
    '-planted',
  ]
  const spec = { containers: [{ args, command: ['sh', '-c', 'curl -u a:planted http://h'] }] }
  const shown = JSON.stringify(objectForDisplay({ spec }))
  expect(shown).not.toContain('planted')
  expect(shown).toContain('"--port","9"')
})

test.each([
  '-',
  'Cookie',
  'password: ',
  'Signature=',
  '-----BEGIN PRIVATE KEY-----',
  '-u a',
  'a.',
  '-secret',
  '://',
  'A_',
  'token-',
  '"token":"',
  'Bearer ',
])('megabytes of %j take no long time', (piece) => {
  const text = piece.repeat(1_000_000 / piece.length)
  const begin = performance.now()
  hideSecretsInText(text)
  expect(performance.now() - begin).toBeLessThan(2000)
})

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
