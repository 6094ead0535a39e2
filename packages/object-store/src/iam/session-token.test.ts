import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readSessionToken, signSessionToken } from './session-token.ts'

const claims = { accessKey: 'KEY', parent: 'alice', exp: 1_800_000_000 }
const key = { id: 'k1', secret: Buffer.from('a random key') }

describe('session tokens', () => {
  test('are JWTs of the form HS512', () => {
    const [header = '', payload = '', signature] = signSessionToken(claims, key).split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'HS512', typ: 'JWT', kid: 'k1' })
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual(claims)
    expect(signature).toBe(createHmac('sha512', key.secret).update(`${header}.${payload}`).digest('base64url'))
  })

  test('are read with the key that signed them, and no other', () => {
    const token = signSessionToken(claims, key)
    expect(readSessionToken(token, key)).toEqual(claims)
    expect(readSessionToken(token, { ...key, secret: Buffer.from('another key') })).toBeUndefined()
    expect(readSessionToken(token, { ...key, id: 'k2' })).toBeUndefined()
  })

  test('of another form are refused', () => {
    const [header, payload, signature] = signSessionToken(claims, key).split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    for (const token of [
      '',
      'a.b',
      `${none}.${payload}.`,
      `${header}.${payload}.${signature}.x`,
      `${header}.x.${signature}`,
    ]) {
      expect(readSessionToken(token, key)).toBeUndefined()
    }
  })
})
