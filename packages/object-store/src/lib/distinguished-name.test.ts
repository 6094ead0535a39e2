import { expect, test } from 'vitest'
import { escapeDnValue, isWithinDn, normalizeDn } from './distinguished-name.ts'

test.each([
  ['UID=Anna , OU=People,dc=example,DC=com', 'uid=Anna,ou=People,dc=example,dc=com'],
  ['cn=Smith\\, J.,dc=com', 'cn=Smith\\, J.,dc=com'],
  ['cn=ends with a blank\\ ,dc=com', 'cn=ends with a blank\\ ,dc=com'],
  ['cn=Smith\\2C Ren\\C3\\A9,dc=com', 'cn=Smith\\, René,dc=com'],
  ['cn=\\FF,dc=com', undefined],
  ['cn=ends\\', undefined],
  ['CN=Anna + UID=7,dc=com', 'cn=Anna+uid=7,dc=com'],
  ['2.5.4.3=Anna,dc=com', '2.5.4.3=Anna,dc=com'],
  ['anna', undefined],
  ['', undefined],
  ['uid=,dc=com', undefined],
  ['uid=anna,,dc=com', undefined],
  ['uid=an\0na,dc=com', undefined],
  ['*)(uid=*', undefined],
  [`uid=${'x'.repeat(2000)}`, undefined],
])('%j is normalized to %j', (text, expected) => {
  expect(normalizeDn(text)).toBe(expected)
})

test('a value cannot leave its place', () => {
  const dn = normalizeDn(`uid=${escapeDnValue('anna,ou=admins+cn=root')},ou=people,dc=com`)
  expect(dn).toBe('uid=anna\\,ou\\=admins\\+cn\\=root,ou=people,dc=com')
  expect(escapeDnValue(' #x ')).toBe('\\ \\#x\\ ')
})

test('what is below a base', () => {
  expect(isWithinDn('uid=anna,ou=People,dc=com', 'ou=people,dc=com')).toBe(true)
  expect(isWithinDn('ou=people,dc=com', 'ou=people,dc=com')).toBe(true)
  expect(isWithinDn('uid=anna,xou=people,dc=com', 'ou=people,dc=com')).toBe(false)
})
