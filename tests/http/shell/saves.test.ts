import { existsSync } from 'node:fs'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { Endpoint, endpoints, Input, Operation } from '@stowage/contract'
import { examples } from '@stowage/contract/examples'
import { contract } from '@stowage/contract/schemas'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { newLockBucket } from '../../support/data/objects.ts'
import { realInput } from '../../support/data/sample-inputs.ts'

/*
 * Every call that creates something is made twice, and every call that sets a whole value is made as two editors would: both
 * have read the same value. The lists are made from `writes` of the contract, and do not compile if a call is missing.
 */

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

type WriteOperation<W extends Endpoint['writes']> = {
  [O in Operation]: (typeof endpoints)[O]['writes'] extends W ? O : never
}[Operation]
type NewOperation = WriteOperation<'new' | 'new or whole'>
type WholeOperation = WriteOperation<'whole' | 'new or whole'>

/** The file whose tests cover a call that needs more than this console. */
type Elsewhere = `tests/http/${string}.test.ts`

interface Creation<O extends Operation> {
  input: Input<O>
  /** The second message contains it. */
  named: string | RegExp
  /** What a second call could change. */
  read: () => Promise<unknown>
}
type Creations = { [O in NewOperation]: Elsewhere | (() => Promise<Creation<O>>) }

interface Edits<O extends Operation> {
  /** Two inputs that are based on the same value. */
  first: Input<O>
  second: Input<O>
  read: () => Promise<unknown>
}
type EditsByOperation = { [O in WholeOperation]: Elsewhere | (() => Promise<Edits<O>>) }

const policyText = (action: string) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: [action], Resource: ['arn:aws:s3:::*'] }],
  })
const newUser = async () => (await c.newUser(JSON.parse(policyText('s3:GetObject')) as object)).accessKey
const newGroup = async () => {
  const group = c.freshName('group')
  await c.call('createGroup', { body: { group, members: [await newUser()] } })
  return group
}
const newPolicy = async () => {
  const name = c.freshName('policy')
  await c.call('createPolicy', { body: { name, policy: policyText('s3:GetObject') } })
  return name
}
const inBucket = async () => ({ params: { bucket: await c.newBucket('saves') } })
const newTarget = async () => {
  const target = c.freshName('hook')
  await c.call('setConfig', {
    params: { name: 'notify_webhook' },
    body: { arn_resource_id: target, key_values: hook('http://192.0.2.1/a') },
  })
  return target
}
const hook = (endpoint: string) => [
  { key: 'enable', value: 'off' },
  { key: 'endpoint', value: endpoint },
]
const readTarget = async (target: string) =>
  (await c.call('getConfig', { params: { name: 'notify_webhook' } })).targets.find((each) => each.target === target)
const fileIn = async (bucket: string) => {
  const query = { prefix: 'notes.txt' }
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: query.prefix, Body: 'text', ContentType: 'text/plain' }))
  return { params: { bucket }, query }
}
const newFile = async () => await fileIn(await c.newBucket('saves'))
const accountKeys = () => ({ accessKey: c.freshName('key').slice(0, 20), secretKey: 'a-long-secret-key' })

const creations: Creations = {
  createBucket: async () => {
    const name = c.freshName('saves')
    return {
      input: { body: { name } },
      named: /already/,
      read: () => c.call('getBucket', { params: { bucket: name } }),
    }
  },
  createBucketEvent: async () => {
    const input = await inBucket()
    const [arn = ''] = (await c.call('listArns', {})).arns
    if (arn === '') return { ...(await creationOfRule(input)), input: undefined as never }
    return {
      input: { ...input, body: { configuration: { arn, events: ['put'] } } },
      named: /already/,
      read: () => c.call('listBucketEvents', input),
    }
  },
  createGroup: async () => {
    const [group, user] = [c.freshName('group'), await newUser()]
    return {
      input: { body: { group, members: [user], create_only: true } },
      named: group,
      read: () => c.call('getGroup', { query: { name: group } }),
    }
  },
  createPolicy: async () => {
    const name = c.freshName('policy')
    return {
      input: { body: { name, policy: policyText('s3:GetObject'), create_only: true } },
      named: name,
      read: () => c.call('getPolicy', { query: { name } }),
    }
  },
  createUser: async () => {
    const accessKey = c.freshName('user')
    return {
      input: { body: { accessKey, secretKey: 'a-long-secret', groups: [], policies: [] } },
      named: /already/,
      read: () => c.call('getUser', { query: { name: accessKey } }),
    }
  },
  createServiceAccountCredentials: async () => {
    const keys = accountKeys()
    return {
      input: { body: { ...keys, policy: '' } },
      named: /already|taken|in use|exists/,
      read: () => c.call('getServiceAccount', { params: { accessKey: keys.accessKey } }),
    }
  },
  createUserServiceAccountCredentials: async () => {
    const keys = accountKeys()
    return {
      input: { params: { user: await newUser() }, body: { ...keys, policy: '' } },
      named: /already|taken|in use|exists/,
      read: () => c.call('getServiceAccount', { params: { accessKey: keys.accessKey } }),
    }
  },
  setAccessRule: async () => {
    const input = await inBucket()
    return {
      // `before: null` is the older spelling of `create_only` in this call.
      input: { ...input, body: { prefix: 'public/', access: 'readonly', before: null } },
      named: 'public/',
      read: () => c.call('listAccessRules', input),
    }
  },
  addLifecycleRule: async () => await creationOfRule(await inBucket()),
  addNotificationEndpoint: async () => {
    const account_id = c.freshName('hook')
    const properties = { endpoint: 'http://192.0.2.1/a', enable: 'off' }
    return {
      input: { body: { service: 'webhook', account_id, properties, create_only: true } },
      named: account_id,
      read: () => readTarget(account_id),
    }
  },
  setConfig: async () => {
    const target = c.freshName('hook')
    const body = { arn_resource_id: target, key_values: hook('http://192.0.2.1/a'), create_only: true }
    return { input: { params: { name: 'notify_webhook' }, body }, named: target, read: () => readTarget(target) }
  },
  addTier: 'tests/http/tiers/tiers.test.ts',
  setReplication: 'tests/http/replication/replication.test.ts',
  createTenant: 'tests/http/operator/create-steps.test.ts',
  createNamespace: 'tests/http/operator/recorded.test.ts',
  addTenantPool: 'tests/http/operator/tenant-calls.test.ts',
}

async function creationOfRule(input: { params: { bucket: string } }): Promise<Creation<'addLifecycleRule'>> {
  return {
    input: { ...input, body: { prefix: 'tmp/', tags: 'a=b', expiry_days: 7, create_only: true } },
    named: /rule/,
    read: () => c.call('listLifecycleRules', input),
  }
}

const edits: EditsByOperation = {
  createPolicy: async () => {
    const name = await newPolicy()
    const read = async () => (await c.call('getPolicy', { query: { name } })).policy
    const before = await read()
    const save = (action: string) => ({ body: { name, policy: policyText(action), before } })
    return { first: save('s3:PutObject'), second: save('admin:*'), read }
  },
  setPolicies: async () => {
    const [user, one, other] = [await newUser(), await newPolicy(), await newPolicy()]
    const read = async () => (await c.call('getUser', { query: { name: user } })).policy
    const save = async (name: string[], before: string[]) => ({
      body: { name, entityType: 'user' as const, entityName: user, before },
    })
    const before = await read()
    return { first: await save([one], before), second: await save([other], before), read }
  },
  setNamedPolicies: async () => {
    const [group, one, other] = [await newGroup(), await newPolicy(), await newPolicy()]
    const read = async () => (await c.call('getGroup', { query: { name: group } })).policy
    const save = (policies: string) => ({
      params: { policies },
      body: { entityType: 'group' as const, entityName: group, before: [] },
    })
    return { first: save(one), second: save(other), read }
  },
  updateGroup: async () => {
    const name = await newGroup()
    const read = () => c.call('getGroup', { query: { name } })
    const { members, status } = await read()
    const save = (more: object) => ({ query: { name }, body: { ...more, before: { members, status } } })
    return { first: save({ members: [] }), second: save({ members, status: 'disabled' }), read }
  },
  updateUser: async () => {
    const [name, one] = [await newUser(), await newGroup()]
    const read = () => c.call('getUser', { query: { name } })
    const before = { groups: [] }
    return {
      first: { query: { name }, body: { groups: [one], before } },
      second: { query: { name }, body: { groups: [], before } },
      read,
    }
  },
  setUserGroups: async () => {
    const [name, one, other] = [await newUser(), await newGroup(), await newGroup()]
    const save = (groups: string[]) => ({ query: { name }, body: { groups, before: [] } })
    return { first: save([one]), second: save([other]), read: () => c.call('getUser', { query: { name } }) }
  },
  setAccessRule: async () => {
    const input = await inBucket()
    await c.call('setAccessRule', { ...input, body: { prefix: 'a/', access: 'readonly' } })
    const save = (access: 'readwrite' | 'writeonly') => ({
      ...input,
      body: { prefix: 'a/', access, before: 'readonly' as const },
    })
    return { first: save('readwrite'), second: save('writeonly'), read: () => c.call('listAccessRules', input) }
  },
  setBucketAccess: async () => {
    const input = await inBucket()
    const { access, anonymous } = await c.call('getBucket', input)
    const save = (to: 'PUBLIC' | 'PUBLIC_READ') => ({
      ...input,
      body: { access: to, before: { access, anonymous } as never },
    })
    return { first: save('PUBLIC'), second: save('PUBLIC_READ'), read: () => c.call('getBucket', input) }
  },
  setBucketVersioning: async () => {
    const input = await inBucket()
    const before = await c.call('getBucketVersioning', input)
    return {
      first: { ...input, body: { versioning: true, before } },
      second: { ...input, body: { versioning: false, before } },
      read: () => c.call('getBucketVersioning', input),
    }
  },
  setBucketQuota: async () => {
    const input = await inBucket()
    const before = await c.call('getBucketQuota', input)
    const save = (amount: number) => ({
      ...input,
      body: { enabled: true, quota_type: 'hard' as const, amount, before },
    })
    return { first: save(1e9), second: save(2e9), read: () => c.call('getBucketQuota', input) }
  },
  setBucketRetention: async () => await retentionEdits('setBucketRetention'),
  deleteBucketRetention: async () => {
    const { first, read } = await retentionEdits('deleteBucketRetention')
    await c.call('setBucketRetention', { ...first, body: { ...first.body, before: undefined } })
    const before = await c.call('getBucketRetention', { params: first.params })
    const input = { params: first.params, body: { before } }
    return { first: input, second: input, read }
  },
  enableBucketEncryption: async () => {
    const input = await inBucket()
    const save = { ...input, body: { encType: 'sse-s3' as const, before: null } }
    return { first: save, second: save, read: () => readEncryption(input) }
  },
  disableBucketEncryption: async () => {
    const input = await inBucket()
    await c.call('enableBucketEncryption', { ...input, body: {} })
    const before = await c.call('getBucketEncryption', input)
    const save = { ...input, body: { before } }
    return { first: save, second: save, read: () => readEncryption(input) }
  },
  setBucketTags: async () => {
    const input = await inBucket()
    const save = (team: string) => ({ ...input, body: { tags: { team }, before: {} } })
    return { first: save('a'), second: save('b'), read: () => c.call('getBucketTags', input) }
  },
  setBucketCors: async () => {
    const input = await inBucket()
    const rule = examples.setBucketCors.body.rules[0] as never
    return {
      first: { ...input, body: { rules: [rule], before: [] } },
      second: { ...input, body: { rules: [rule, rule], before: [] } },
      read: () => c.call('getBucketCors', input),
    }
  },
  setBucketPolicy: async () => {
    const input = await inBucket()
    const statement = (Action: string) => ({
      Effect: 'Allow',
      Principal: { AWS: ['*'] },
      Action: [Action],
      Resource: [`arn:aws:s3:::${input.params.bucket}/*`],
    })
    const save = (action: string) => ({
      ...input,
      body: { policy: JSON.stringify({ Version: '2012-10-17', Statement: [statement(action)] }), before: '' },
    })
    return { first: save('s3:GetObject'), second: save('s3:PutObject'), read: () => c.call('getBucketPolicy', input) }
  },
  setLifecycleRule: async () => {
    const input = await inBucket()
    await c.call('addLifecycleRule', { ...input, body: { prefix: 'tmp/', expiry_days: 7 } })
    const read = async () => (await c.call('listLifecycleRules', input)).lifecycle
    const [before] = await read()
    const params = { ...input.params, id: before?.id ?? '' }
    return {
      first: { params, body: { expiry_days: 8, before } },
      second: { params, body: { prefix: 'other/', before } },
      read,
    }
  },
  setConfig: async () => {
    const target = await newTarget()
    const version = (await readTarget(target))?.version
    const save = (endpoint: string) => ({
      params: { name: 'notify_webhook' },
      body: { arn_resource_id: target, key_values: hook(endpoint), version },
    })
    return { first: save('http://192.0.2.1/b'), second: save('http://192.0.2.1/c'), read: () => readTarget(target) }
  },
  resetConfig: async () => {
    const target = await newTarget()
    const version = (await readTarget(target))?.version
    const params = { name: 'notify_webhook' }
    // The first editor resets the target, and somebody creates it again; then it is another one.
    await c.call('setConfig', { params, body: { arn_resource_id: target, key_values: hook('http://192.0.2.1/z') } })
    const present = (await readTarget(target))?.version
    return {
      first: { params, body: { arn_resource_id: target, version: present } },
      second: { params, body: { arn_resource_id: target, version } },
      read: () => readTarget(target),
    }
  },
  importConfigs: 'tests/http/configs/import.test.ts',
  setObjectTags: async () => {
    const input = await newFile()
    const save = (team: string) => ({ ...input, body: { tags: { team }, before: {} } })
    return { first: save('a'), second: save('b'), read: () => c.call('getObject', input) }
  },
  setObjectRetention: async () => {
    const input = await lockedFile()
    const save = (expires: string) => ({ ...input, body: { mode: 'governance' as const, expires, before: {} } })
    return {
      first: save('2031-01-01T00:00:00Z'),
      second: save('2032-01-01T00:00:00Z'),
      read: () => c.call('getObject', input),
    }
  },
  setObjectLegalHold: async () => {
    const input = await lockedFile()
    const save = { ...input, body: { status: 'enabled' as const, before: 'disabled' as const } }
    return { first: save, second: save, read: () => c.call('getObject', input) }
  },
  setObjectMetadata: async () => {
    const input = await newFile()
    const before = { content_type: 'text/plain', headers: {}, user_metadata: {} }
    const save = (color: string) => ({
      ...input,
      body: { content_type: 'text/plain', headers: {}, user_metadata: { color }, before },
    })
    return { first: save('red'), second: save('blue'), read: () => c.call('getObject', input) }
  },
  setObjectText: async () => {
    const input = await newFile()
    const { etag } = await c.call('getObject', input)
    const save = (text: string) => ({ ...input, body: { text, etag } })
    return { first: save('one'), second: save('two'), read: () => c.call('getObject', input) }
  },
  updateReplicationRule: 'tests/http/replication/replication.test.ts',
  // The API server compares the version that was read.
  updateTenantYaml: 'tests/http/operator/tenant-calls.test.ts',
  setTenantPools: 'tests/http/operator/tenant-calls.test.ts',
}

const readEncryption = async (input: { params: { bucket: string } }) =>
  await c.call('getBucketEncryption', input).catch(() => 'none')

async function lockedFile() {
  const bucket = await newLockBucket(c)
  return await fileIn(bucket ?? '')
}

async function retentionEdits<O extends 'setBucketRetention' | 'deleteBucketRetention'>(_: O) {
  const params = { bucket: (await newLockBucket(c)) ?? '' }
  const before = await c.call('getBucketRetention', { params }).catch(() => ({}))
  const save = (validity: number) => ({
    params,
    body: { mode: 'governance' as const, unit: 'days' as const, validity, before },
  })
  const read = async () => await c.call('getBucketRetention', { params }).catch(() => 'none')
  return { first: save(1), second: save(2), read }
}

const embedded = () => inject('console').embedded
/** Other servers do not have these, or only with more than a name. */
const elsewhereOnly: readonly string[] = [
  'setBucketCors',
  'enableBucketEncryption',
  'disableBucketEncryption',
  'createBucketEvent',
  'addNotificationEndpoint',
  'setConfig',
  'resetConfig',
]
const runs = (name: string) => embedded() || !elsewhereOnly.includes(name)

/** Without the type of each operation: the input of a call is made for that call. */
interface AnyCreation extends Omit<Creation<Operation>, 'input'> {
  input: never
}
interface AnyEdits extends Omit<Edits<Operation>, 'first' | 'second'> {
  first: never
  second: never
}

function madeHere<T>(all: object): [Operation, () => Promise<T>][] {
  // The keys are operations: see `Creations` and `EditsByOperation`.
  return Object.entries(all).filter(([, each]) => typeof each !== 'string') as [Operation, () => Promise<T>][]
}

test('a call that is tested elsewhere names a file that contains it', async () => {
  const { readFile } = await import('node:fs/promises')
  for (const [name, file] of [...Object.entries(creations), ...Object.entries(edits)])
    if (typeof file === 'string') {
      expect([name, existsSync(file)]).toEqual([name, true])
      if (file.includes('recorded')) continue
      expect([name, (await readFile(file, 'utf8')).includes(name)]).toEqual([name, true])
    }
})

describe('a second call that creates the same is a 409 that names it, and changes nothing', () => {
  test.each(madeHere<AnyCreation>(creations))('%s', async (operation, make) => {
    if (!runs(operation)) return
    const { input, named, read } = await make()
    if (input === undefined) return
    await c.call(operation, input)
    const created = await read()
    const again = await callFailure(c.call(operation, input))
    expect([again.status, again.body.message + again.body.detailedMessage]).toEqual([
      409,
      expect.stringMatching(typeof named === 'string' ? new RegExp(named) : named),
    ])
    expect(await read()).toEqual(created)
  })
})

describe('without create_only the same call passes, as scripts expect', () => {
  const replacing = madeHere<AnyCreation>(creations).filter(([name]) => takes(name, 'create_only'))
  test.each(replacing)('%s', async (operation, make) => {
    if (!runs(operation)) return
    const { input } = await make()
    const { create_only: _, ...body } = (input as { body: Record<string, unknown> }).body
    const plain = { ...(input as object), body } as never
    await c.call(operation, plain)
    await c.call(operation, plain)
  })
})

describe('of two editors the second gets a 409, and the value of the first stays', () => {
  test.each(madeHere<AnyEdits>(edits))('%s', async (operation, make) => {
    if (!runs(operation)) return
    const { first, second, read } = await make()
    // A reset shows the older editor first: after the newer one there is nothing left to reset.
    const isReset = operation === 'resetConfig'
    if (!isReset) await c.call(operation, first)
    const saved = await read()
    const { status } = await callFailure(c.call(operation, second))
    expect(status).toBe(takes(operation, 'etag') && operation === 'setObjectText' ? 412 : 409)
    expect(await read()).toEqual(saved)
    if (isReset) await c.call(operation, first)
  })
})

describe('without `before` the last editor wins, as scripts expect', () => {
  const free = madeHere<AnyEdits>(edits).filter(([name]) => name !== 'setObjectText')
  test.each(free)('%s', async (operation, make) => {
    if (!runs(operation)) return
    const { first, second } = await make()
    const plain = (input: unknown) => {
      const { before: _, version: __, ...body } = (input as { body: Record<string, unknown> }).body
      return { ...(input as object), body } as never
    }
    await c.call(operation, plain(first))
    // What was deleted cannot be deleted again.
    if (!['resetConfig', 'deleteBucketRetention', 'disableBucketEncryption'].includes(operation))
      await c.call(operation, plain(second))
  })
})

test('Create with the name of a built-in policy is a 409 too', async () => {
  const body = { name: 'consoleAdmin', policy: policyText('s3:GetObject'), create_only: true }
  expect((await callFailure(c.call('createPolicy', { body }))).body.message).toContain('consoleAdmin')
})

test('a 409 of an editor contains the stored value', async () => {
  const { first, second } = await (edits.setBucketTags as () => Promise<Edits<'setBucketTags'>>)()
  await c.call('setBucketTags', first)
  expect((await callFailure(c.call('setBucketTags', second))).body.present).toEqual({ team: 'a' })
})

test('with create_only, a caller who cannot see what exists is refused, with the right that is missing', async () => {
  const create = { Effect: 'Allow', Action: ['admin:CreatePolicy'] }
  const caller = await c.signInWith({ Version: '2012-10-17', Statement: [create] })
  const body = { name: c.freshName('policy'), policy: policyText('s3:GetObject') }
  const refused = await callFailure(caller.call('createPolicy', { body: { ...body, create_only: true } }))
  expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('admin:GetPolicy')])
  await caller.call('createPolicy', { body })
})

test('the examples still pass, so that the walk of rights sends no conditions', async () => {
  for (const name of Object.keys(creations) as Operation[])
    expect(
      JSON.stringify(await realInput(c, { body: (examples[name] as { body?: object }).body ?? {} })),
    ).not.toContain('create_only')
})

/** Whether the body of a call has a field. */
function takes(name: Operation, field: string): boolean {
  const { body } = contract[name] as { body: { shape?: object; unwrap?: () => { shape?: object } } }
  return field in (body.shape ?? body.unwrap?.().shape ?? {})
}
