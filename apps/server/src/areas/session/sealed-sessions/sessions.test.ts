import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import type { AnySession } from '../../../lib/session/session-payload.ts'
import { Sessions } from './sessions.ts'

const secrets = ['a secret of at least thirty-two characters'] as const
const base = { v: 1, id: 'a', user: 'b', expires: Date.now() + 60_000 } as const
const kube = { ...base, kind: 'kube', token: 'c' } as const
const sts = {
  ...base,
  kind: 'sts',
  accessKey: 'c',
  secretKey: 'd',
  sessionToken: 'e',
  revokeType: 'f',
  region: 'us-east-1',
  distributed: false,
  capabilities: [],
} as const satisfies AnySession

const withBearer = (sealed: string) => ({ headers: { authorization: `Bearer ${sealed}` } }) as FastifyRequest

test('a session of one mode, or for another purpose, is not valid in the other, although the secret is the same', () => {
  const config = { publicUrl: undefined }
  const operator = new Sessions(secrets, config, 'kube')
  const storage = new Sessions(secrets, config, 'sts')
  const ofTenant = new Sessions(secrets, config, 'sts', { purpose: 'session of a tenant' })
  expect(operator.read(withBearer(operator.seal(kube)))).toEqual(kube)
  expect(storage.read(withBearer(storage.seal(sts)))).toEqual(sts)
  for (const [reader, sealed] of [
    [operator, storage.seal(sts)],
    [storage, operator.seal(kube)],
    [storage, ofTenant.seal(sts)],
    [ofTenant, storage.seal(sts)],
    [operator, 'c'],
  ] as const)
    expect(() => reader.read(withBearer(sealed))).toThrow(expect.objectContaining({ status: 401 }))
})
