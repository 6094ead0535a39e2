import { expect, test } from 'vitest'
import { hasCredential, isSecretVariable } from './secret-variables.ts'

test.each([
  ['MINIO_ROOT_PASSWORD', true],
  ['MINIO_IDENTITY_OPENID_CLIENT_SECRET', true],
  ['MINIO_KMS_SECRET_KEY', true],
  ['MINIO_SUBNET_LICENSE', true],
  ...['DB_CRED', 'AWS_CREDS', 'SENTRY_DSN', 'DB_PASS', 'MYSQL_PWD', 'REDIS_PASS_1', 'SESSION_COOKIE', 'APIKEY'].map(
    (name): [string, boolean] => [name, true],
  ),
  ['PWD', false],
  ['BYPASS_PROXY', false],
  ['COMPASS_PORT', false],
  ['MINIO_BROWSER', false],
  ['MINIO_IDENTITY_LDAP_SERVER_ADDR', false],
])('%s is a secret: %s', (name, is) => expect(isSecretVariable(name)).toBe(is))

test('an address with a password is a secret', () => {
  expect(hasCredential('postgres://u:p@host/db')).toBe(true)
  expect(hasCredential('https://host/path')).toBe(false)
})
