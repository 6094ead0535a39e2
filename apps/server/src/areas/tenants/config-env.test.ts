import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasCredential, isConfigValue, isSecretName, readConfigEnv, writeConfigEnv } from './config-env.ts'

test('variables are written sorted and quoted', () => {
  const text = writeConfigEnv({ MINIO_ROOT_USER: 'anna', MINIO_BROWSER: 'on', B: 'a=b' })
  expect(text).toBe('export B="a=b"\nexport MINIO_BROWSER="on"\nexport MINIO_ROOT_USER="anna"\n')
})

/** The rules by which MinIO and its operator read a line. */
function readByMinio(line: string): [string, string] {
  const [name = '', ...rest] = line
    .trim()
    .replace(/^export/, '')
    .trim()
    .split('=')
  const value = rest.join('=')
  const quote = value[0]
  const isQuoted = value.length >= 2 && (quote === '"' || quote === "'") && value.endsWith(quote)
  return [name, isQuoted ? value.slice(1, -1) : value]
}

test.each(['pa$$word', 'a"b', '"a"', "it's", "'", 'back\\slash\\', '`id`', '$(id)', 'a=b==', ' a ', '', 'x\u2028y'])(
  'the servers read the value %j as it was given',
  (value) => {
    const [line = ''] = writeConfigEnv({ A: value }).split('\n')
    expect(readByMinio(line)).toEqual(['A', value])
    expect(readConfigEnv(line)).toEqual({ A: value })
  },
)

test('a value is refused if the servers could not read its line', () => {
  expect(isConfigValue('é'.repeat(30_000))).toBe(true)
  expect(isConfigValue('é'.repeat(30_001))).toBe(false)
})

test('any written value is read back', () => {
  const value = fc.string({ unit: 'grapheme' }).filter(isConfigValue)
  const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,20}$/)
  fc.assert(
    fc.property(fc.dictionary(name, value), (variables) => {
      expect(readConfigEnv(writeConfigEnv(variables))).toEqual({ ...variables })
    }),
    { numRuns: 25 },
  )
})

test.each([
  ['export LDAP="dc=example,dc=com"', { LDAP: 'dc=example,dc=com' }],
  ['export KEY="my-key:abc/def=="', { KEY: 'my-key:abc/def==' }],
  ["A='x y'", { A: 'x y' }],
  ['A=plain\r\n\r\n# a remark\nB="2"', { A: 'plain', B: '2' }],
  ['export QUOTED="a"b"', { QUOTED: 'a"b' }],
  ['export ESCAPED="a\\"b\\$c"', { ESCAPED: 'a\\"b\\$c' }],
  ['export MINIO_NOTIFY_KAFKA_ENABLE_eu-west.1="on"', { 'MINIO_NOTIFY_KAFKA_ENABLE_eu-west.1': 'on' }],
  ['export LINE="a\u2028b"', { LINE: 'a\u2028b' }],
])('files written by the original and by hand are read completely: %s', (text, variables) => {
  expect({ ...readConfigEnv(text) }).toEqual(variables)
})

test('a value of several lines is refused: it would set further variables', () => {
  expect(isConfigValue('a\nexport MINIO_ROOT_USER=mallory')).toBe(false)
  expect(isConfigValue('a\tb')).toBe(true)
})

test.each([
  ['MINIO_ROOT_PASSWORD', true],
  ['MINIO_IDENTITY_OPENID_CLIENT_SECRET', true],
  ['MINIO_KMS_SECRET_KEY', true],
  ['MINIO_SUBNET_LICENSE', true],
  ['MINIO_BROWSER', false],
  ['MINIO_IDENTITY_LDAP_SERVER_ADDR', false],
])('%s is a secret: %s', (name, is) => expect(isSecretName(name)).toBe(is))

test('an address with a password is a secret', () => {
  expect(hasCredential('postgres://u:p@host/db')).toBe(true)
  expect(hasCredential('https://host/path')).toBe(false)
})
