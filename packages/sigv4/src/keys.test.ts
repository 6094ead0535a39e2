import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAuthorization } from './authorization.ts'
import { presign, signHeaders } from './sign.ts'
import { deriveSigningKey, SigningKeys } from './signing-key.ts'
import { canonicalPath, encodePath, encodeQuery } from './uri-encoding.ts'
import { verifyRequest } from './verify.ts'

const now = new Date('2026-11-21T12:00:00Z')
const credentials = { accessKey: 'alice', secretKey: 'a-secret' }
const options = { credentials, region: 'us-east-1', now }

const hard = fc.constantFrom(
  ' ',
  '+',
  '%',
  '%2F',
  '%zz',
  '//',
  '/',
  '..',
  './',
  '?',
  '#',
  '&',
  '=',
  'ß',
  '☃',
  '😀',
  '\u0000',
  '~',
  '*',
  "'",
  '()',
)
const keys = fc.oneof(
  fc.array(fc.oneof(hard, fc.string({ maxLength: 4 })), { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
)

test('every key can be decoded from its path, byte for byte', () => {
  fc.assert(
    fc.property(keys, (key) => {
      const path = encodePath(key)
      expect(path).toMatch(/^[A-Za-z0-9\-._~/%]*$/)
      expect(decodeURIComponent(path)).toBe(Buffer.from(key).toString())
      expect(canonicalPath(path)).toBe(path)
    }),
  )
})

test('every signed key and parameter is verified, by header and by query', () => {
  fc.assert(
    fc.property(keys, fc.array(fc.tuple(keys, keys), { maxLength: 4 }), (key, parameters) => {
      const path = encodePath(`/bucket/${key}`)
      const query = encodeQuery(parameters.filter(([name]) => !/^x-amz-/i.test(name)))
      const asked = { method: 'GET', path, query, headers: { host: 'localhost:9000' } }
      for (const received of [
        { ...asked, headers: signHeaders(asked, options).headers },
        { ...asked, query: presign(asked, { ...options, expiresSeconds: 60 }) },
      ]) {
        const authorization = readAuthorization(received)
        expect(authorization?.accessKey).toBe('alice')
        if (authorization) verifyRequest(received, authorization, credentials.secretKey, { now })
      }
    }),
  )
})

test('cached signing keys equal derived ones, and the oldest are dropped', () => {
  const keys = new SigningKeys(2)
  const scopes = ['20261121', '20261122', '20261123', '20261121'].map((date) => ({ date, region: '', service: 's3' }))
  for (const scope of scopes) expect(keys.get('secret', scope)).toEqual(deriveSigningKey('secret', scope))
  const [first] = scopes
  if (first) expect(keys.get('other', first)).toEqual(deriveSigningKey('other', first))
})
