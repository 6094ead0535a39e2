import { openAdminBody, sealAdminBody } from '@stowage/madmin/sealing'
import type { SigningCredentials } from '@stowage/sigv4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSession } from '../../iam/sessions.ts'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from '../testing/test-store.ts'

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore()
})
afterAll(() => store[Symbol.asyncDispose]())

interface AdminRequest {
  credentials?: SigningCredentials
  body?: string | Buffer
  headers?: Record<string, string>
  region?: string
}

function admin(method: string, call: string, request: AdminRequest = {}) {
  const [path = '', query = ''] = call.split('?')
  return store.send({ method, path: `/minio/admin/v3/${path}`, query, region: '', ...request })
}

const sealed = async (value: object, secret = ROOT_CREDENTIALS.secretKey) =>
  await sealAdminBody(JSON.stringify(value), secret)
const opened = async (body: Buffer, secret = ROOT_CREDENTIALS.secretKey) =>
  JSON.parse((await openAdminBody(body, secret)).toString())
const addUser = async (name: string, status = 'enabled') =>
  admin('PUT', `add-user?accessKey=${name}`, { body: await sealed({ secretKey: `${name}-secret`, status }) })

describe('the gate', () => {
  test('accepts any region or no region, and only signatures in headers', async () => {
    expect((await admin('GET', 'info')).status).toBe(200)
    expect((await admin('GET', 'info', { region: 'mars-1' })).status).toBe(200)
    const anonymous = await store.send({ path: '/minio/admin/v3/info', credentials: 'anonymous' })
    expect([anonymous.status, anonymous.code]).toEqual([403, 'AccessDenied'])
    const { accessKey, secretKey } = ROOT_CREDENTIALS
    expect((await admin('GET', 'info', { credentials: { accessKey, secretKey: `${secretKey}x` } })).code).toBe(
      'SignatureDoesNotMatch',
    )
  })

  test.each(['nonsense', 'user-info', 'service'])('%s without more is answered as missing', async (call) => {
    const answer = await admin('GET', call)
    expect([answer.status, answer.code]).toEqual([426, 'XMinioAdminVersionMismatch'])
    expect(answer.headers['content-type']).toBe('application/json')
  })

  test('another version of the API is answered with 426', async () => {
    expect((await store.send({ path: '/minio/admin/v2/info' })).status).toBe(426)
  })
})

describe('users', () => {
  test('are added, listed, switched off and removed', async () => {
    expect((await addUser('carol')).status).toBe(200)
    const list = await opened((await admin('GET', 'list-users')).body)
    expect(list.carol).toEqual({ status: 'enabled', updatedAt: '0001-01-01T00:00:00Z' })
    expect((await admin('PUT', 'set-user-status?accessKey=carol&status=disabled')).status).toBe(200)
    expect(JSON.parse((await admin('GET', 'user-info?accessKey=carol')).text).status).toBe('disabled')
    expect((await admin('DELETE', 'remove-user?accessKey=carol')).status).toBe(200)
    const gone = await admin('GET', 'user-info?accessKey=carol')
    expect([gone.status, gone.code]).toEqual([404, 'XMinioAdminNoSuchUser'])
  })

  test('an unchanged list is not sent again, and a caller without the right is refused all the same', async () => {
    await addUser('lister')
    await addUser('stranger')
    const may = { credentials: { accessKey: 'lister', secretKey: 'lister-secret' } }
    const mayNot = { credentials: { accessKey: 'stranger', secretKey: 'stranger-secret' } }
    const policy = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['admin:ListUsers'] }] }
    await admin('PUT', 'add-canned-policy?name=list-users', { body: JSON.stringify(policy) })
    await admin('PUT', 'set-user-or-group-policy?policyName=list-users&userOrGroup=lister&isGroup=false')
    const { etag = '' } = (await admin('GET', 'list-users')).headers
    const again = async (caller: AdminRequest = {}) =>
      await admin('GET', 'list-users', { headers: { 'if-none-match': etag }, ...caller })
    for (const caller of [{}, may]) {
      const answer = await again(caller)
      expect([answer.status, answer.body.length, answer.headers.etag]).toEqual([304, 0, etag])
    }
    expect((await again(mayNot)).status).toBe(403)
    const changes = [
      () => admin('PUT', 'set-user-or-group-policy?policyName=list-users&userOrGroup=stranger&isGroup=false'),
      () => admin('PUT', 'set-user-status?accessKey=stranger&status=disabled'),
      () =>
        admin('PUT', 'update-group-members', {
          body: JSON.stringify({ group: 'listed', members: ['stranger'], isRemove: false }),
        }),
      () => addUser('newcomer'),
      () => admin('DELETE', 'remove-user?accessKey=newcomer'),
    ]
    const seen = []
    for (const change of changes) {
      expect((await change()).status).toBe(200)
      const answer = await again()
      seen.push({ status: answer.status, etag: answer.headers.etag })
    }
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set([etag, ...seen.map((each) => each.etag)]).size).toBe(6)
    const last = await opened((await again(may)).body, 'lister-secret')
    expect(last.stranger).toMatchObject({ status: 'disabled', policyName: 'list-users', memberOf: ['listed'] })
  })

  test.each(['pbkdf2-aes256gcm', 'argon2id-aes256gcm', 'argon2id-chacha20poly1305'] as const)(
    'a body sealed with %s is read',
    async (algorithm) => {
      const body = await sealAdminBody(
        JSON.stringify({ secretKey: 'sealed-secret', status: 'enabled' }),
        ROOT_CREDENTIALS.secretKey,
        {
          algorithm,
        },
      )
      expect((await admin('PUT', 'add-user?accessKey=sealed', { body })).status).toBe(200)
    },
  )

  test.each([
    ['ab', { secretKey: 'longenough', status: 'enabled' }, 'XMinioAdminInvalidAccessKey'],
    ['a=b', { secretKey: 'longenough', status: 'enabled' }, 'XMinioAdminInvalidAccessKey'],
    ['%20abc', { secretKey: 'longenough', status: 'enabled' }, 'XMinioInvalidResource'],
    ['abc', { secretKey: 'short', status: 'enabled' }, 'XMinioAdminInvalidSecretKey'],
    [ROOT_CREDENTIALS.accessKey, { secretKey: 'longenough', status: 'enabled' }, 'XMinioInvalidIAMCredentials'],
    ['abc', { secretKey: 'longenough', status: 'maybe' }, 'XMinioAdminConfigBadJSON'],
  ])('%s with %j is refused', async (name, record, code) => {
    expect((await admin('PUT', `add-user?accessKey=${name}`, { body: await sealed(record) })).code).toBe(code)
  })

  test('a user added without status is disabled', async () => {
    await admin('PUT', 'add-user?accessKey=silent', { body: await sealed({ secretKey: 'longenough' }) })
    expect(JSON.parse((await admin('GET', 'user-info?accessKey=silent')).text).status).toBe('disabled')
  })

  test('a body sealed with another secret, or too long, is refused', async () => {
    const foreign = await sealed({ secretKey: 'longenough', status: 'enabled' }, 'another-secret')
    expect((await admin('PUT', 'add-user?accessKey=abc', { body: foreign })).code).toBe('XMinioAdminConfigBadJSON')
    const long = Buffer.alloc(262_273)
    expect((await admin('PUT', 'add-user?accessKey=abc', { body: long })).code).toBe('XMinioAdminConfigTooLarge')
  })

  test('may read and change only themselves', async () => {
    await addUser('dave')
    const credentials = { accessKey: 'dave', secretKey: 'dave-secret' }
    await admin('PUT', 'set-user-or-group-policy?policyName=readonly&userOrGroup=dave&isGroup=false')
    expect((await admin('GET', 'user-info?accessKey=dave', { credentials })).status).toBe(200)
    expect((await admin('GET', 'user-info?accessKey=silent', { credentials })).status).toBe(403)
    expect((await admin('GET', 'list-users', { credentials })).status).toBe(403)
    const body = await sealed({ secretKey: 'dave-secret-2', status: 'enabled' }, credentials.secretKey)
    expect((await admin('PUT', 'add-user?accessKey=dave', { credentials, body })).status).toBe(200)
    expect((await admin('GET', 'user-info?accessKey=dave', { credentials })).code).toBe('SignatureDoesNotMatch')
  })
})

describe('groups', () => {
  const members = (body: object) => admin('PUT', 'update-group-members', { body: JSON.stringify(body) })

  test('have members, a status and policies', async () => {
    await addUser('erin')
    expect((await members({ group: 'devs', members: ['erin'], isRemove: false })).status).toBe(200)
    await admin('PUT', 'set-user-or-group-policy?policyName=readwrite,diagnostics&userOrGroup=devs&isGroup=true')
    const info = JSON.parse((await admin('GET', 'group?group=devs')).text)
    expect(info).toMatchObject({ name: 'devs', status: 'enabled', members: ['erin'], policy: 'readwrite,diagnostics' })
    expect(JSON.parse((await admin('GET', 'groups')).text)).toContain('devs')
    await admin('PUT', 'set-group-status?group=devs&status=disabled')
    expect(JSON.parse((await admin('GET', 'group?group=devs')).text)).toMatchObject({ status: 'disabled', policy: '' })
    expect(JSON.parse((await admin('GET', 'user-info?accessKey=erin')).text).memberOf).toEqual(['devs'])
  })

  test('are removed when they are empty', async () => {
    expect((await members({ group: 'devs', members: [], isRemove: true })).code).toBe('XMinioAdminGroupNotEmpty')
    expect((await members({ group: 'devs', members: ['erin'], isRemove: true })).status).toBe(200)
    expect((await members({ group: 'devs', members: [], isRemove: true })).status).toBe(200)
    expect((await admin('GET', 'group?group=devs')).code).toBe('XMinioAdminNoSuchGroup')
  })

  test('take only users that exist', async () => {
    const answer = await members({ group: 'ghosts', members: ['nobody'], isRemove: false })
    expect([answer.status, answer.code]).toEqual([404, 'XMinioAdminNoSuchUser'])
  })

  test('a body that is no JSON is refused', async () => {
    expect((await admin('PUT', 'update-group-members', { body: '{' })).code).toBe('XMinioMalformedJSON')
  })
})

describe('each effect asks for its own action', () => {
  /** A user with the admin actions. */
  const holder = async (name: string, ...actions: string[]): Promise<SigningCredentials> => {
    await addUser(name)
    const statement = { Effect: 'Allow', Action: actions.map((action) => `admin:${action}`) }
    const body = JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
    await admin('PUT', `add-canned-policy?name=${name}`, { body })
    await admin('PUT', `set-user-or-group-policy?policyName=${name}&userOrGroup=${name}&isGroup=false`)
    return { accessKey: name, secretKey: `${name}-secret` }
  }
  const update = (credentials: SigningCredentials, body: object) =>
    admin('PUT', 'update-group-members', { credentials, body: JSON.stringify({ group: 'crew', ...body }) })
  const setUser = async (credentials: SigningCredentials, name: string, status: string) => {
    const body = await sealed({ secretKey: `${name}-secret`, status }, credentials.secretKey)
    return (await admin('PUT', `add-user?accessKey=${name}`, { credentials, body })).status
  }

  test('to enable and to disable a user or group', async () => {
    await addUser('subject')
    expect((await update(ROOT_CREDENTIALS, { members: ['subject'] })).status).toBe(200)
    const enabler = await holder('enabler', 'EnableUser', 'EnableGroup')
    const disabler = await holder('disabler', 'DisableUser', 'DisableGroup')
    for (const call of ['set-user-status?accessKey=subject', 'set-group-status?group=crew']) {
      expect((await admin('PUT', `${call}&status=disabled`, { credentials: enabler })).status).toBe(403)
      expect((await admin('PUT', `${call}&status=disabled`, { credentials: disabler })).status).toBe(200)
      expect((await admin('PUT', `${call}&status=enabled`, { credentials: disabler })).status).toBe(403)
      expect((await admin('PUT', `${call}&status=enabled`, { credentials: enabler })).status).toBe(200)
      expect((await admin('PUT', `${call}&status=other`, { credentials: enabler })).status).toBe(400)
    }
    expect((await update(await holder('recruiter', 'AddUserToGroup'), { members: ['subject'] })).status).toBe(200)
  })

  test('to add to a group and to remove from one', async () => {
    const adder = await holder('adder', 'AddUserToGroup')
    const remover = await holder('remover', 'RemoveUserFromGroup')
    expect((await update(remover, { members: ['subject'] })).status).toBe(403)
    expect((await update(adder, { members: ['subject'] })).status).toBe(200)
    expect((await update(adder, { members: ['subject'], isRemove: true })).status).toBe(403)
    expect((await update(adder, { members: [], isRemove: true })).status).toBe(403)
    expect((await update(remover, { members: ['subject'], isRemove: true })).status).toBe(200)
    expect((await update(remover, { members: [], isRemove: true })).status).toBe(200)
    const born = { group: 'born-disabled', members: ['subject'], groupStatus: 'disabled' }
    expect((await update(adder, born)).status).toBe(403)
    expect((await update(await holder('closer', 'AddUserToGroup', 'DisableGroup'), born)).status).toBe(200)
    expect((await update(remover, { ...born, isRemove: true })).status).toBe(200)
  })

  test('to add a user again with another status', async () => {
    const creator = await holder('creator', 'CreateUser')
    expect(await setUser(creator, 'subject', 'enabled')).toBe(200)
    expect(await setUser(creator, 'subject', 'disabled')).toBe(403)
    expect(await setUser(creator, 'fresh', 'disabled')).toBe(200)
    expect(await setUser(creator, 'fresh', 'enabled')).toBe(403)
    expect(await setUser(await holder('maker', 'CreateUser', 'EnableUser'), 'fresh', 'enabled')).toBe(200)
    // Without a status the user would be disabled.
    expect(await setUser(creator, 'creator', 'disabled')).toBe(400)
    expect(await setUser(creator, 'creator', 'enabled')).toBe(200)
  })

  test('users cannot change their own status, not with a session either', async () => {
    const self = await holder('self', 'EnableUser', 'DisableUser')
    const session = await createSession(store.server.iam, { parent: 'self', durationSeconds: 900 })
    for (const credentials of [self, session]) {
      const answer = await admin('PUT', 'set-user-status?accessKey=self&status=disabled', { credentials })
      expect([answer.status, answer.code]).toEqual([400, 'XMinioAdminInvalidArgument'])
    }
  })
})

describe('policies', () => {
  const document = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::b/*'] }],
  }

  test('are stored, listed with the built-in ones, and removed if they are not attached', async () => {
    await addUser('frank')
    expect((await admin('PUT', 'add-canned-policy?name=mine', { body: JSON.stringify(document) })).status).toBe(200)
    const all = JSON.parse((await admin('GET', 'list-canned-policies')).text)
    expect(Object.keys(all)).toEqual(expect.arrayContaining(['consoleAdmin', 'readonly', 'mine']))
    expect(all.mine).toEqual(document)
    expect(JSON.parse((await admin('GET', 'info-canned-policy?name=mine')).text)).toEqual(document)
    const info = JSON.parse((await admin('GET', 'info-canned-policy?name=mine&v=2')).text)
    expect(info).toMatchObject({ PolicyName: 'mine', Policy: document, CreateDate: expect.any(String) })
    await admin('PUT', 'set-user-or-group-policy?policyName=mine&userOrGroup=frank&isGroup=false')
    expect((await admin('DELETE', 'remove-canned-policy?name=mine')).code).toBe('XMinioIAMPolicyInUse')
    await admin('PUT', 'set-user-or-group-policy?policyName=&userOrGroup=frank&isGroup=false')
    expect((await admin('DELETE', 'remove-canned-policy?name=mine')).status).toBe(200)
    expect((await admin('GET', 'info-canned-policy?name=mine')).code).toBe('XMinioAdminNoSuchPolicy')
    expect((await admin('DELETE', 'remove-canned-policy?name=mine')).status).toBe(200)
    const builtIn = await admin('DELETE', 'remove-canned-policy?name=writeonly')
    expect([builtIn.status, builtIn.code]).toEqual([400, 'XMinioAdminInvalidArgument'])
  })

  test('a wrong one is refused', async () => {
    const body = JSON.stringify({ ...document, Statement: [{ Effect: 'Allow', Action: ['s3:Fly'], Resource: ['*'] }] })
    expect((await admin('PUT', 'add-canned-policy?name=wrong', { body })).code).toBe('XMinioMalformedIAMPolicy')
  })

  test('are attached and detached, telling what changed', async () => {
    const headers = { 'content-type': 'application/octet-stream' }
    const change = async (operation: string, body: object) =>
      admin('POST', `idp/builtin/policy/${operation}`, { headers, body: await sealed(body) })
    const attached = await change('attach', { policies: ['readonly', 'diagnostics'], user: 'frank' })
    expect(await opened(attached.body)).toMatchObject({ policiesAttached: ['readonly', 'diagnostics'] })
    expect((await change('attach', { policies: ['readonly'], user: 'frank' })).code).toBe(
      'XMinioAdminPolicyChangeAlreadyApplied',
    )
    const detached = await change('detach', { policies: ['readonly', 'writeonly'], user: 'frank' })
    expect(await opened(detached.body)).toMatchObject({ policiesDetached: ['readonly'] })
    expect(JSON.parse((await admin('GET', 'user-info?accessKey=frank')).text).policyName).toBe('diagnostics')
    expect((await change('attach', { policies: ['absent'], user: 'frank' })).code).toBe('XMinioAdminNoSuchPolicy')
    expect((await change('attach', { policies: ['readonly'], user: 'frank', group: 'x' })).status).toBe(400)
    const member = { group: 'attached', members: ['frank'] }
    await admin('PUT', 'update-group-members', { body: JSON.stringify(member) })
    await change('attach', { policies: ['writeonly', 'readonly'], group: 'attached' })
    const entities = async (query: string) =>
      await opened((await admin('GET', `idp/builtin/policy-entities?${query}`)).body)
    const ofGroup = [{ group: 'attached', policies: ['readonly', 'writeonly'] }]
    expect(await entities('user=frank&user=nobody')).toEqual({
      timestamp: expect.any(String),
      userMappings: [{ user: 'frank', policies: ['diagnostics'], memberOfMappings: ofGroup }],
      groupMappings: [],
      policyMappings: [],
    })
    expect(await entities('group=attached&policy=readonly')).toMatchObject({
      groupMappings: ofGroup,
      policyMappings: [{ policy: 'readonly', users: ['dave'], groups: ['attached'] }],
    })
    const { policyMappings } = await entities('')
    expect(policyMappings).toContainEqual({ policy: 'diagnostics', users: ['frank'], groups: [] })
    expect(policyMappings).toContainEqual({ policy: 'writeonly', users: [], groups: ['attached'] })
    await addUser('grace', 'disabled')
    expect((await change('attach', { policies: ['readonly'], user: 'grace' })).code).toBe('XMinioAdminNoSuchUser')
    const body = await sealed({ policies: ['readonly'], user: 'frank' })
    expect((await admin('POST', 'idp/builtin/policy/attach', { body })).code).toBe('BadRequest')
  })
})

describe('accountinfo', () => {
  test('has everything for root, with exact usage', async () => {
    await store.engine.createBucket('usage')
    for (const [key, size] of Object.entries({ a: 10, 'dir/b': 2000, 'dir/c': 3000 })) {
      await store.send({ method: 'PUT', path: `/usage/${key}`, body: Buffer.alloc(size) })
    }
    await admin('PUT', 'set-bucket-quota?bucket=usage', { body: JSON.stringify({ quota: 10_000, quotatype: 'hard' }) })
    const info = JSON.parse((await admin('GET', 'accountinfo?prefix-usage=true')).text)
    expect(info).toMatchObject({ AccountName: ROOT_CREDENTIALS.accessKey, Server: { Type: 2 } })
    expect(JSON.stringify(info.Policy)).toContain('admin:*')
    expect(info.Buckets.find(({ name }: { name: string }) => name === 'usage')).toMatchObject({
      size: 5010,
      objects: 3,
      objectHistogram: { LESS_THAN_1024_B: 1, BETWEEN_1024_B_AND_64_KB: 2, BETWEEN_1024B_AND_1_MB: 2 },
      details: { versioning: false, locking: false, quota: { quota: 10_000, size: 10_000, quotatype: 'hard' } },
      prefixUsage: { 'dir/': 5000 },
      access: { read: true, write: true },
    })
    const { Buckets, Rights, ...others } = JSON.parse((await admin('GET', 'accountinfo?buckets=false')).text)
    expect(Buckets).toEqual([])
    expect(Rights).toMatchObject({ owner: true })
    expect(others).toEqual({ AccountName: info.AccountName, Server: info.Server, Policy: info.Policy })
  })

  test('has for a user the buckets that the user can access', async () => {
    await store.engine.createBucket('hidden')
    await addUser('heidi')
    const Statement = [{ Effect: 'Allow', Action: ['s3:ListBucket'], Resource: ['arn:aws:s3:::usage'] }]
    const body = JSON.stringify({ Version: '2012-10-17', Statement })
    await admin('PUT', 'add-canned-policy?name=heidi', { body })
    await admin('PUT', 'set-user-or-group-policy?policyName=heidi&userOrGroup=heidi&isGroup=false')
    const credentials = { accessKey: 'heidi', secretKey: 'heidi-secret' }
    const info = JSON.parse((await admin('GET', 'accountinfo', { credentials })).text)
    expect(info.Buckets.map(({ name, access }: { name: string; access: object }) => [name, access])).toEqual([
      ['usage', { read: true, write: false }],
    ])
    expect(info.Policy.Statement).toEqual(Statement)
  })
})

describe('quota', () => {
  test('a write that would pass it is refused', async () => {
    await store.engine.createBucket('bounded')
    expect(JSON.parse((await admin('GET', 'get-bucket-quota?bucket=bounded')).text)).toMatchObject({
      quota: 0,
      size: 0,
    })
    await admin('PUT', 'set-bucket-quota?bucket=bounded', { body: JSON.stringify({ size: 1000, quotatype: 'hard' }) })
    const put = (size: number) => store.send({ method: 'PUT', path: '/bounded/k', body: Buffer.alloc(size) })
    expect((await put(2000)).code).toBe('XMinioAdminBucketQuotaExceeded')
    expect((await put(500)).status).toBe(200)
    const fifo = await admin('PUT', 'set-bucket-quota?bucket=bounded', { body: '{"size":1,"quotatype":"fifo"}' })
    expect(fifo.code).toBe('XMinioAdminInvalidArgument')
    await admin('PUT', 'set-bucket-quota?bucket=bounded', { body: '{"size":0,"quota":0}' })
    expect((await put(2000)).status).toBe(200)
    expect((await admin('GET', 'get-bucket-quota?bucket=absent')).code).toBe('NoSuchBucket')
  })
})

describe('state and service', () => {
  test('info, storage and usage count drives and objects', async () => {
    const info = JSON.parse((await admin('GET', 'info')).text)
    expect(info).toMatchObject({ mode: 'online', backend: { backendType: 'Erasure', onlineDisks: 2, offlineDisks: 0 } })
    const storage = JSON.parse((await admin('GET', 'storageinfo')).text)
    expect(storage.Disks.map(({ state }: { state: string }) => state)).toEqual(['ok', 'ok'])
    const usage = JSON.parse((await admin('GET', 'datausageinfo')).text)
    expect(usage.bucketsUsageInfo.usage).toMatchObject({ size: 5010, objectsCount: 3 })
    expect(usage.bucketsCount).toBe(info.buckets.count)
  })

  test('a restart is answered, then asked of the parent', async () => {
    expect((await admin('POST', 'service?action=restart&type=2&dry-run=true')).status).toBe(200)
    expect(store.commands).toEqual([])
    expect((await admin('POST', 'service?action=restart')).status).toBe(200)
    const second = JSON.parse((await admin('POST', 'service?action=restart&type=2')).text)
    expect(second).toMatchObject({ action: 'restart', dryRun: false, results: [{}] })
    await expect.poll(() => store.commands).toEqual(['restart', 'restart'])
    expect((await admin('POST', 'service?action=dance')).code).toBe('MalformedPOSTRequest')
  })

  test.each(['live', 'ready', 'cluster', 'cluster/read'])('health/%s needs no signature', async (path) => {
    const answer = await store.send({ path: `/minio/health/${path}`, credentials: 'anonymous' })
    expect(answer.status).toBe(200)
  })

  test('a store of one drive is not distributed', async () => {
    await using single = await startTestStore({ drives: 1 })
    const health = await single.send({ path: '/minio/health/cluster', credentials: 'anonymous' })
    expect(health.headers).not.toHaveProperty('x-minio-write-quorum')
    const info = JSON.parse((await single.send({ path: '/minio/admin/v3/accountinfo' })).text)
    expect(info.Server.Type).toBe(1)
    const cluster = await store.send({ path: '/minio/health/cluster', credentials: 'anonymous' })
    expect(cluster.headers['x-minio-write-quorum']).toBe('2')
    expect(cluster.headers['x-stowage-policies']).toBe('aws')
  })
})
