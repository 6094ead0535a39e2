import { expect, test } from 'vitest'
import { compressionRule } from './compression-rule.ts'

const VALUES = {
  enable: 'on',
  allow_encryption: 'off',
  extensions: '.txt, .LOG',
  mime_types: 'text/*,application/json',
}
const object = { key: 'a', contentType: '', isEncrypted: false }

test.each([
  [{ key: 'a/B.Txt' }, true],
  [{ key: 'a.log' }, true],
  [{ key: 'txt' }, false],
  [{ contentType: 'TEXT/plain; charset=utf-8' }, true],
  [{ contentType: 'application/json' }, true],
  [{ contentType: 'application/jsonx' }, false],
  [{ key: 'a.txt.gz', contentType: 'text/plain' }, false],
  [{ key: 'a.txt', contentType: 'video/mp4' }, false],
  [{ key: 'a.txt', isEncrypted: true }, false],
])('an object with %j is compressed: %s', (given, expected) => {
  expect(compressionRule(VALUES)({ ...object, ...given })).toBe(expected)
})

test('"*" matches every name that is not already compressed; encrypted objects need allow_encryption', () => {
  const rule = compressionRule({ ...VALUES, allow_encryption: 'on', extensions: '*', mime_types: '' })
  expect(rule({ ...object, isEncrypted: true })).toBe(true)
  expect(rule({ ...object, key: 'a.zip' })).toBe(false)
  expect(compressionRule({ ...VALUES, enable: 'off', extensions: '*' })(object)).toBe(false)
})
