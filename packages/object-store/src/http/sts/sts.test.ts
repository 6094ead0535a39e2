import { sealAdminBody } from '@stowage/madmin/sealing'
import type { SigningCredentials } from '@stowage/sigv4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setPolicy } from '../../iam/policies.ts'
import { setPolicies } from '../../iam/policy-mappings.ts'
import { signSessionToken } from '../../iam/session-token.ts'
import { sessionTokenKey } from '../../iam/sessions.ts'
import { removeUser, setUser } from '../../iam/users.ts'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from '../testing/test-store.ts'

let store: HttpTestStore
const USER = { accessKey: 'alice', secretKey: 'alicesecret' }
beforeAll(async () => {
  store = await startTestStore()
  await store.engine.createBucket('reachable')
  await addUser(USER)
})
afterAll(() => store[Symbol.asyncDispose]())

async function addUser({ accessKey, secretKey }: SigningCredentials) {
  await setUser(store.server.iam, accessKey, secretKey, 'enabled')
  await setPolicies(store.server.iam, { kind: 'user', name: accessKey }, ['readwrite'])
}

function assume(
  fields: Record<string, string> = {},
  credentials: SigningCredentials = ROOT_CREDENTIALS,
  region?: string,
) {
  const form = new URLSearchParams({ Action: 'AssumeRole', Version: '2011-06-15', ...fields })
  return store.send({
    method: 'POST',
    service: 'sts',
    credentials,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
    ...(region === undefined ? {} : { region }),
  })
}

async function session(
  fields: Record<string, string> = {},
  credentials: SigningCredentials = ROOT_CREDENTIALS,
): Promise<SigningCredentials> {
  const { text } = await assume(fields, credentials)
  const field = (name: string) => new RegExp(`<${name}>([^<]*)<`).exec(text)?.[1] ?? ''
  return {
    accessKey: field('AccessKeyId'),
    secretKey: field('SecretAccessKey'),
    sessionToken: field('SessionToken'),
  }
}

const list = async (credentials: SigningCredentials) => {
  const { status, code } = await store.send({ credentials, path: '/reachable', query: 'list-type=2' })
  return code ?? status
}

describe('AssumeRole', () => {
  test('opens a session with the rights of its parent', async () => {
    expect(await list(await session())).toBe(200)
    expect(await list(await session({}, USER))).toBe(200)
    const { text } = await assume({ DurationSeconds: '7200' })
    const ends = Date.parse(/<Expiration>([^<]*)</.exec(text)?.[1] ?? '')
    expect(Math.abs(ends - Date.now() - 7_200_000)).toBeLessThan(5000)
    const year = await assume({ DurationSeconds: '31536000' })
    const last = Date.parse(/<Expiration>([^<]*)</.exec(year.text)?.[1] ?? '')
    expect(Math.abs(last - Date.now() - 7 * 24 * 3_600_000)).toBeLessThan(5000)
  })

  test.each([
    [{ DurationSeconds: '899' }, 400, 'InvalidParameterValue'],
    [{ DurationSeconds: '31536001' }, 400, 'InvalidParameterValue'],
    [{ TokenRevokeType: 'x'.repeat(129) }, 400, 'InvalidParameterValue'],
    [{ DurationSeconds: 'x' }, 400, 'InvalidParameterValue'],
    [{ DurationSeconds: '1e3' }, 400, 'InvalidParameterValue'],
    [{ DurationSeconds: '0x400' }, 400, 'InvalidParameterValue'],
    [{ DurationSeconds: ' 900' }, 400, 'InvalidParameterValue'],
    [{ Policy: '{"Statement":[]}' }, 400, 'MalformedPolicyDocument'],
    [{ Policy: policyOfSize(3000) }, 400, 'MalformedPolicyDocument'],
    [{ Version: '2010-01-01' }, 400, 'MissingParameter'],
    [{ Action: 'GetCallerIdentity' }, 400, 'InvalidParameterValue'],
  ])('%j is refused', async (fields, status, code) => {
    const answer = await assume(fields)
    expect([answer.status, answer.code]).toEqual([status, code])
    expect(answer.text).toContain('<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">')
  })

  test('needs a valid signature for the right region', async () => {
    expect((await assume({}, { ...ROOT_CREDENTIALS, secretKey: 'wrongwrong' })).code).toBe('AccessDenied')
    expect((await assume({}, { ...ROOT_CREDENTIALS, accessKey: 'nobody' })).code).toBe('AccessDenied')
    expect((await assume({}, ROOT_CREDENTIALS, 'eu-west-1')).code).toBe('AccessDenied')
    expect((await assume({}, ROOT_CREDENTIALS, '')).code).toBe('AccessDenied')
    expect((await assume({}, await session())).code).toBe('AccessDenied')
  })

  test('a session policy narrows, and a session of root with one is no owner', async () => {
    const Policy = JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: 's3:ListBucket', Resource: 'arn:aws:s3:::reachable' }],
    })
    const narrow = await session({ Policy })
    expect(await list(narrow)).toBe(200)
    expect((await store.send({ credentials: narrow, method: 'PUT', path: '/reachable/k', body: 'x' })).status).toBe(403)
    const admin = await store.send({ credentials: narrow, path: '/minio/admin/v3/list-users' })
    expect(admin.code).toBe('AccessDenied')
  })
})

const findSessionKey = ({ accessKey }: SigningCredentials) => {
  const { iam } = store.server
  const record = iam.sessions.get(accessKey)
  return (record && sessionTokenKey(iam, record)) ?? expect.fail('no session')
}

const policy = (...Statement: object[]) => JSON.stringify({ Version: '2012-10-17', Statement })

function policyOfSize(size: number): string {
  const Resource = `arn:aws:s3:::${'b'.repeat(size)}`
  return JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource }] })
}

describe('session tokens', () => {
  test('belong to their key, and are signed by the store', async () => {
    const [one, two] = [await session(), await session()]
    const { sessionToken, ...bare } = one
    expect(await list(bare)).toBe('InvalidToken')
    expect(await list({ ...one, sessionToken: two.sessionToken ?? '' })).toBe('InvalidToken')
    const claims = { accessKey: one.accessKey, parent: ROOT_CREDENTIALS.accessKey, exp: Date.now() / 1000 + 3600 }
    for (const secret of [ROOT_CREDENTIALS.secretKey, 'another secret']) {
      const key = { id: findSessionKey(one).id, secret: Buffer.from(secret) }
      expect(await list({ ...one, sessionToken: signSessionToken(claims, key) })).toBe('InvalidToken')
    }
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${sessionToken?.split('.')[1]}.`
    expect(await list({ ...one, sessionToken: none })).toBe('InvalidToken')
    expect(await list(one)).toBe(200)
  })

  test('an expired session is reported as such', async () => {
    const { iam } = store.server
    const credentials = await session()
    const { accessKey } = credentials
    const record = iam.sessions.get(accessKey) ?? expect.fail('no session')
    await iam.update(() => [iam.sessions.change(accessKey, { ...record, expiresAt: 1000 })])
    expect(await list(credentials)).toBe('ExpiredToken')
  })

  test('end when their user changes the secret key, and live on when nothing changes', async () => {
    const dave = { accessKey: 'dave', secretKey: 'davessecret' }
    await addUser(dave)
    const mine = await session({}, dave)
    const changeTo = async (secretKey: string) => {
      const body = await sealAdminBody(JSON.stringify({ secretKey, status: 'enabled' }), dave.secretKey)
      const query = 'accessKey=dave'
      return store.send({ credentials: dave, method: 'PUT', path: '/minio/admin/v3/add-user', query, body })
    }
    expect((await changeTo(dave.secretKey)).status).toBe(200)
    expect(await list(mine)).toBe(200)
    expect((await changeTo('another-secret')).status).toBe(200)
    expect(await list(mine)).toBe('InvalidAccessKeyId')
  })

  test('end with their user', async () => {
    const bob = { accessKey: 'bob', secretKey: 'bobssecret' }
    await addUser(bob)
    const mine = await session({}, bob)
    expect(await list(mine)).toBe(200)
    await removeUser(store.server.iam, 'bob')
    expect(await list(mine)).toBe('InvalidAccessKeyId')
  })

  const revoke = (credentials: SigningCredentials, query: string) =>
    store.send({ credentials, method: 'POST', path: '/minio/admin/v3/revoke-tokens/builtin', query })

  test('are revoked by type, or all', async () => {
    const [web, other, plain] = [
      await session({ TokenRevokeType: 'web' }, USER),
      await session({ TokenRevokeType: 'other' }, USER),
      await session({}, USER),
    ]
    expect((await revoke(plain, '')).status).toBe(400)
    expect((await revoke(plain, `user=${ROOT_CREDENTIALS.accessKey}&fullRevoke=true`)).status).toBe(403)
    expect((await revoke(web, '')).status).toBe(204)
    expect([await list(web), await list(other)]).toEqual(['InvalidAccessKeyId', 200])
    expect((await revoke(ROOT_CREDENTIALS, 'user=alice&fullRevoke=true')).status).toBe(204)
    expect([await list(other), await list(plain)]).toEqual(['InvalidAccessKeyId', 'InvalidAccessKeyId'])
  })

  test('of the same user are revoked unless a Deny or a session policy forbids it', async () => {
    const { iam } = store.server
    const Policy = policy({ Effect: 'Allow', Action: 's3:*', Resource: 'arn:aws:s3:::*' })
    const free = await session({ TokenRevokeType: 'free' }, USER)
    const narrow = await session({ Policy, TokenRevokeType: 'narrow' }, USER)
    for (const query of ['fullRevoke=true', 'user=alice&fullRevoke=true', 'tokenRevokeType=free']) {
      expect((await revoke(narrow, query)).code, query).toBe('AccessDenied')
    }
    const mayRevoke = policy({ Effect: 'Allow', Action: 'admin:RemoveServiceAccount' }, ...JSON.parse(Policy).Statement)
    const granted = await session({ Policy: mayRevoke }, USER)
    await setPolicy(iam, 'keep-sessions', policy({ Effect: 'Deny', Action: 'admin:RemoveServiceAccount' }))
    await setPolicies(iam, { kind: 'user', name: 'alice' }, ['readwrite', 'keep-sessions'])
    for (const caller of [USER, free, granted]) {
      expect((await revoke(caller, 'fullRevoke=true')).code).toBe('AccessDenied')
    }
    expect([await list(free), await list(narrow)]).toEqual([200, 200])
    expect((await revoke(narrow, '')).status).toBe(204)
    expect((await revoke(free, 'tokenRevokeType=free')).status).toBe(204)
    expect([await list(free), await list(narrow)]).toEqual(['InvalidAccessKeyId', 'InvalidAccessKeyId'])
    await setPolicies(iam, { kind: 'user', name: 'alice' }, ['readwrite'])
    const other = await session({}, USER)
    expect((await revoke(granted, 'fullRevoke=true')).status).toBe(204)
    expect(await list(other)).toBe('InvalidAccessKeyId')
  })
})
