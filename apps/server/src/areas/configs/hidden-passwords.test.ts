import { describe, expect, test } from 'vitest'
import { isSecretKey, lacksPassword, withoutPassword } from './hidden-passwords.ts'

describe('a password inside a value is left out', () => {
  test.each([
    ['url', 'amqp://user:secret@host:5672/x', 'amqp://user:@host:5672/x'],
    ['url', 'https://host/path?a=b@c', 'https://host/path?a=b@c'],
    ['url', 'amqp://user@host', 'amqp://user@host'],
    ['connection_string', 'host=h user=u password=secret port=1', 'host=h user=u port=1'],
    ['connection_string', 'password=a host=h password=b', 'host=h'],
    ['connection_string', "host=h password='it\\'s a secret' port=1", 'host=h port=1'],
    ['connection_string', 'host=h PASSWORD = secret', 'host=h'],
    ['connection_string', 'postgres://u:secret@h/db', 'postgres://u:@h/db'],
    ['connection_string', 'host=h user=u', 'host=h user=u'],
    ['dsn_string', 'u:secret@tcp(h:3306)/db', 'u:@tcp(h:3306)/db'],
    ['dsn_string', 'u:p@ss:w/rd@tcp(h:3306)/db?tls=true', 'u:@tcp(h:3306)/db?tls=true'],
    ['dsn_string', 'u@tcp(h:3306)/db', 'u@tcp(h:3306)/db'],
    ['comment', 'amqp://user:secret@host', 'amqp://user:secret@host'],
    ['constructor', 'x', 'x'],
  ])('%s %s', (key, value, shown) => {
    expect(withoutPassword(key, value)).toBe(shown)
  })
})

test('a changed address requires the password again', () => {
  const present = 'amqp://user:secret@host'
  expect(lacksPassword('url', present, 'amqp://user:@other')).toBe(true)
  expect(lacksPassword('url', present, 'amqp://user:new@other')).toBe(false)
  expect(lacksPassword('url', 'amqp://host', 'amqp://other')).toBe(false)
  const shown = withoutPassword('connection_string', 'host=h password=secret port=1')
  expect(lacksPassword('connection_string', 'host=h password=secret port=1', shown.replace('h', 'x'))).toBe(true)
})

test('keys whose whole value is a secret', () => {
  expect(['auth_token', 'sasl_password', 'endpoint', '__proto__'].map(isSecretKey)).toEqual([true, true, false, false])
})
