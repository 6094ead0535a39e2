import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { detectConfigForm, isConfigValue, readConfigEnv, wouldLoseQuotes, writeConfigEnv } from './config-env.ts'

const VARIABLES = { MINIO_ROOT_USER: 'anna', MINIO_BROWSER: 'on', B: 'a="b$c`d\\' }

test('variables are written sorted and quoted; only a shell needs escaped characters', () => {
  expect(writeConfigEnv(VARIABLES, 'shell').split('\n')[0]).toBe('export B="a=\\"b\\$c\\`d\\\\"')
  expect(writeConfigEnv(VARIABLES, 'plain')).toBe(
    'export B="a="b$c`d\\"\nexport MINIO_BROWSER="on"\nexport MINIO_ROOT_USER="anna"\n',
  )
})

test('a shell reads what was written for it', () => {
  const script = `${writeConfigEnv(VARIABLES, 'shell')}printf %s "$B"`
  expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(VARIABLES.B)
})

test.each(['shell', 'plain'] as const)('any written value is read back: %s', (form) => {
  const value = fc.string({ unit: 'grapheme' }).filter(isConfigValue)
  const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,20}$/)
  fc.assert(
    fc.property(fc.dictionary(name, value), (variables) => {
      expect(readConfigEnv(writeConfigEnv(variables, form), form)).toEqual({ ...variables })
    }),
    { numRuns: 25 },
  )
})

test.each([
  ['minio/minio:RELEASE.2021-11-09T03-21-45Z', 'shell'],
  ['minio/minio:RELEASE.2021-12-10T23-03-39Z.hotfix.1', 'shell'],
  ['minio/minio:RELEASE.2021-12-18T04-42-33Z', 'plain'],
  ['quay.io/minio/minio:RELEASE.2025-10-15T17-29-55Z@sha256:abc', 'plain'],
  ['minio/minio:latest', 'plain'],
  [undefined, 'plain'],
])('the servers of %s read the file as: %s', (image, form) => expect(detectConfigForm(image)).toBe(form))

test('without a release in the image the present file decides', () => {
  expect(detectConfigForm(undefined, writeConfigEnv(VARIABLES, 'shell'))).toBe('shell')
  expect(detectConfigForm(undefined, writeConfigEnv(VARIABLES, 'plain'))).toBe('plain')
  expect(detectConfigForm('minio/minio:latest', 'export A="(cn=\\2a)"\n')).toBe('plain')
})

test('a quotation mark at the end of a value is lost, except in a file for a shell', () => {
  expect(wouldLoseQuotes('a"', 'plain')).toBe(true)
  expect(wouldLoseQuotes('"a', 'plain')).toBe(true)
  expect(wouldLoseQuotes('a"b', 'plain')).toBe(false)
  expect(wouldLoseQuotes('a"', 'shell')).toBe(false)
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
  expect({ ...readConfigEnv(text, 'plain') }).toEqual(variables)
})

test('a value of several lines is refused: it would set further variables', () => {
  expect(isConfigValue('a\nexport MINIO_ROOT_USER=mallory')).toBe(false)
  expect(isConfigValue('a\tb')).toBe(true)
})

test('a value is refused if the servers could not read its line', () => {
  expect(isConfigValue('é'.repeat(30_000))).toBe(true)
  expect(isConfigValue('é'.repeat(30_001))).toBe(false)
})
