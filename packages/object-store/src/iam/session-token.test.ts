import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readSessionToken, signSessionToken } from './session-token.ts'

const claims = { accessKey: 'KEY', parent: 'alice', exp: 1_800_000_000 }

describe('session tokens', () => {
  test('are JWTs of the form HS512', () => {
    const [header = '', payload = '', signature] = signSessionToken(claims, 'secret').split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'HS512', typ: 'JWT' })
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual(claims)
    expect(signature).toBe(createHmac('sha512', 'secret').update(`${header}.${payload}`).digest('base64url'))
  })

  test('are read with the secret that signed them, and no other', () => {
    const token = signSessionToken(claims, 'secret')
    expect(readSessionToken(token, 'secret')).toEqual(claims)
    expect(readSessionToken(token, 'other')).toBeUndefined()
  })

  test('of another form are none', () => {
    const [header, payload, signature] = signSessionToken(claims, 'secret').split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    for (const token of [
      '',
      'a.b',
      `${none}.${payload}.`,
      `${header}.${payload}.${signature}.x`,
      `${header}.x.${signature}`,
    ]) {
      expect(readSessionToken(token, 'secret')).toBeUndefined()
    }
  })
})
