import { GetBucketPolicyCommand, PutBucketPolicyCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { allowS3 } from '../../support/data/policies.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const listRules = async (bucket: string) => (await c.call('listAccessRules', { params: { bucket } })).accessRules
const setRule = async (bucket: string, prefix: string, access: 'readonly' | 'writeonly' | 'readwrite') =>
  await c.call('setAccessRule', { params: { bucket }, body: { prefix, access } })
const deleteRule = async (bucket: string, prefix: string) =>
  await c.call('deleteAccessRule', { params: { bucket }, body: { prefix } })
const readPolicy = async (Bucket: string) =>
  JSON.parse((await c.s3.send(new GetBucketPolicyCommand({ Bucket }))).Policy ?? '') as { Statement: object[] }
const setPolicy = async (Bucket: string, ...Statement: object[]) =>
  await c.s3.send(new PutBucketPolicyCommand({ Bucket, Policy: JSON.stringify({ Version: '2012-10-17', Statement }) }))
const everyone = { Effect: 'Allow', Principal: { AWS: ['*'] } }

test('access rules are set, changed and deleted one by one [ACC-07] [ACC-09] [ACC-10] [ACC-11]', async () => {
  const bucket = await c.newBucket()
  expect(await listRules(bucket)).toEqual([])
  expect(await setRule(bucket, 'in/', 'writeonly')).toBe(true)
  await setRule(bucket, 'out/', 'readonly')
  await setRule(bucket, 'übung/', 'readwrite')
  await setRule(bucket, 'out/', 'readwrite')
  await setRule(bucket, 'out/', 'readonly')
  expect(await listRules(bucket)).toEqual([
    { prefix: 'in/', access: 'writeonly' },
    { prefix: 'out/', access: 'readonly' },
    { prefix: 'übung/', access: 'readwrite' },
  ])
  expect(await deleteRule(bucket, 'in/')).toBe(true)
  await deleteRule(bucket, 'übung/')
  expect(await listRules(bucket)).toEqual([{ prefix: 'out/', access: 'readonly' }])
  await deleteRule(bucket, 'out/')
  await expect(readPolicy(bucket)).rejects.toMatchObject({ name: 'NoSuchBucketPolicy' })
})

test('a rule is in force for callers without a session, below its prefix only', async () => {
  const bucket = await c.newBucket()
  await setRule(bucket, 'in/', 'writeonly')
  await setRule(bucket, 'out/', 'readonly')
  const at = `${c.serverUrl}/${bucket}`
  const status = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${at}${path}`, init)
    await response.body?.cancel()
    return response.status
  }
  const put = { method: 'PUT', body: 'x' }
  expect(await status('/in/a', put)).toBe(200)
  expect(await status('/in/a')).toBe(403)
  expect(await status('/out/a', put)).toBe(403)
  expect(await status('/other', put)).toBe(403)
  expect(await status('?list-type=2&prefix=out/')).toBe(200)
  expect(await status('?list-type=2&prefix=in/')).toBe(403)
  await deleteRule(bucket, 'in/')
  expect(await status('/in/a', put)).toBe(403)
  expect(await status('/out/none')).toBe(404)
})

test('a prefix of any script is in force for its keys alone, and is changed and deleted by its name', async () => {
  const bucket = await c.newBucket()
  const prefix = 'Köln & <b>/日本 ' + '%2A/😀/'
  await setRule(bucket, prefix, 'readonly')
  expect(await listRules(bucket)).toEqual([{ prefix, access: 'readonly' }])
  for (const Key of [`${prefix}a`, 'Köln & <b>/日本 */😀/a']) {
    await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x' }))
  }
  const anonymous = async (key: string) => {
    const path = key.split('/').map(encodeURIComponent).join('/')
    return (await fetch(`${c.serverUrl}/${bucket}/${path}`)).status
  }
  expect(await anonymous(`${prefix}a`)).toBe(200)
  expect(await anonymous('Köln & <b>/日本 */😀/a')).toBe(403)
  await setRule(bucket, prefix, 'writeonly')
  expect(await listRules(bucket)).toEqual([{ prefix, access: 'writeonly' }])
  await deleteRule(bucket, prefix)
  expect(await listRules(bucket)).toEqual([])
})

test('statements outside of the rules are kept unchanged', async () => {
  const bucket = await c.newBucket()
  const arn = `arn:aws:s3:::${bucket}`
  const denied = { ...everyone, Effect: 'Deny', Action: ['s3:DeleteObject'], Resource: [`${arn}/keep/*`] }
  const conditional = {
    ...everyone,
    Action: ['s3:GetObject'],
    Resource: [`${arn}/out/*`],
    Condition: { IpAddress: { 'aws:SourceIp': ['10.0.0.0/8'] } },
  }
  await setPolicy(bucket, denied, conditional)
  await setRule(bucket, 'out/', 'readonly')
  await deleteRule(bucket, 'out/')
  const { Statement } = await readPolicy(bucket)
  expect(Statement).toHaveLength(2)
  expect(Statement).toEqual([expect.objectContaining(denied), expect.objectContaining(conditional)])
})

test('a rule is refused without changes if another statement gives the prefix more access', async () => {
  const bucket = await c.newBucket()
  await setPolicy(bucket, { ...everyone, Action: ['s3:*'], Resource: [`arn:aws:s3:::${bucket}/all/*`] })
  expect(await listRules(bucket)).toEqual([{ prefix: 'all/', access: 'readwrite' }])
  const before = await readPolicy(bucket)
  const params = { bucket }
  for (const refused of [
    () => c.call('deleteAccessRule', { params, body: { prefix: 'all/' } }),
    () => c.call('setAccessRule', { params, body: { prefix: 'all/', access: 'readonly' } }),
  ])
    expect(await callFailure(refused())).toMatchObject({
      status: 409,
      body: { reason: { id: 'rule-of-other-statement' } },
    })
  expect(await readPolicy(bucket)).toEqual(before)
})

test('a rule for reading without listing is kept when another rule is added', async () => {
  const bucket = await c.newBucket()
  await setPolicy(bucket, { ...everyone, Action: ['s3:GetObject'], Resource: [`arn:aws:s3:::${bucket}/a/*`] })
  await setRule(bucket, 'b/', 'readwrite')
  expect(await listRules(bucket)).toEqual([
    { prefix: 'a/', access: 'readonly' },
    { prefix: 'b/', access: 'readwrite' },
  ])
  const listing = (await readPolicy(bucket)).Statement.filter((s) => JSON.stringify(s).includes('"s3:ListBucket"'))
  expect(listing).toEqual([expect.objectContaining({ Condition: { StringEquals: { 's3:prefix': ['b/'] } } })])
})

test('a public bucket has the rule of the empty prefix, which can be changed and deleted', async () => {
  const bucket = await c.newBucket()
  await c.call('setBucketAccess', { params: { bucket }, body: { access: 'PUBLIC' } })
  expect(await listRules(bucket)).toEqual([{ prefix: '', access: 'readwrite' }])
  await setRule(bucket, '', 'readonly')
  expect(await c.call('getBucket', { params: { bucket } })).toMatchObject({
    access: 'CUSTOM',
    anonymous: { list: true, read: true, write: false },
  })
  await setRule(bucket, '', 'readwrite')
  expect(await c.call('getBucket', { params: { bucket } })).toMatchObject({ access: 'PUBLIC' })
  await deleteRule(bucket, '')
  expect(await c.call('getBucket', { params: { bucket } })).toMatchObject({ access: 'PRIVATE' })
})

test.each([
  ['a blank prefix', { prefix: ' ', access: 'readonly' }, 'prefix'],
  ['a prefix with *', { prefix: 'a*b', access: 'readonly' }, 'prefix'],
  ['a prefix with ?', { prefix: 'a?', access: 'readonly' }, 'prefix'],
  ['a prefix with a variable', { prefix: '$' + '{aws:username}/', access: 'readonly' }, 'prefix'],
  ['the access "none"', { prefix: 'a', access: 'none' }, 'access'],
  ['no prefix', { access: 'readonly' }, 'prefix'],
])('%s is refused [ACC-08]', async (_what, body, field) => {
  const bucket = await c.newBucket()
  expect(await callFailure(c.call('setAccessRule', { params: { bucket }, body: body as never }))).toMatchObject({
    status: 400,
    body: { field },
  })
  expect(await listRules(bucket)).toEqual([])
})

test('reading the rules of a missing bucket is 404', async () => {
  const params = { bucket: c.freshName() }
  for (const call of [
    () => c.call('listAccessRules', { params }),
    () => c.call('setAccessRule', { params, body: { prefix: 'a', access: 'readonly' } }),
    () => c.call('deleteAccessRule', { params, body: { prefix: 'a' } }),
  ])
    expect(await callFailure(call())).toMatchObject({ status: 404 })
})

test('the audit of a bucket lists policies about it and users who reach it, by their groups too [ACC-04] [ACC-05]', async () => {
  const [bucket, other] = [await c.newBucket(), await c.newBucket()]
  const [policy, elsewhere] = [c.freshName('pol'), c.freshName('pol')]
  await c.madmin.addPolicy(policy, allowS3(['s3:GetObject'], [bucket]))
  await c.madmin.addPolicy(elsewhere, allowS3(['s3:GetObject'], [other]))
  const [own, member, outsider, refused] = ['own', 'member', 'out', 'refused'].map((name) => c.freshName(name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const name of [own, member, outsider, refused]) await c.madmin.addUser(name, { secretKey: 'long enough' })
  const group = c.freshName('group')
  await c.madmin.addGroupMembers(group, [member])
  const nothing = c.freshName('pol')
  await c.madmin.addPolicy(nothing, {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Deny', Action: ['s3:*'], Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`] }],
  })
  await c.madmin.setPolicyMapping({ user: own, policies: [elsewhere, policy] })
  await c.madmin.setPolicyMapping({ group, policies: [elsewhere, policy] })
  await c.madmin.setPolicyMapping({ user: outsider, policies: [elsewhere] })
  await c.madmin.setPolicyMapping({ user: refused, policies: [policy, nothing] })

  const { policies, total } = await c.call('listBucketPolicies', { params: { bucket } })
  const names = policies.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([policy, nothing, 'readonly']))
  expect(names).not.toContain(elsewhere)
  expect(total).toBe(names.length)
  const users = await c.call('listBucketUsers', { params: { bucket } })
  expect(users).toEqual(expect.arrayContaining([own, member]))
  expect(users).not.toContain(outsider)
  expect(users).not.toContain(refused)
})

test('a rule or an access that was changed meanwhile is not replaced', async () => {
  const bucket = await c.newBucket()
  const params = { bucket }
  const changed = { status: 409, body: { reason: { id: 'setting-changed' } } }
  type Rule = 'readonly' | 'writeonly' | 'readwrite'
  const set = (access: Rule, before: Rule | null) =>
    c.call('setAccessRule', { params, body: { prefix: 'out/', access, before } })
  await set('readonly', null)
  const exists = { status: 409, body: { reason: { id: 'rule-exists' } } }
  expect(await callFailure(set('writeonly', null))).toMatchObject(exists)
  expect(await callFailure(set('writeonly', 'readwrite'))).toMatchObject(changed)
  expect(await listRules(bucket)).toEqual([{ prefix: 'out/', access: 'readonly' }])
  await set('writeonly', 'readonly')

  const nobody = { access: 'PRIVATE' as const, anonymous: { list: false, read: false, write: false } }
  const setAccess = (before: typeof nobody) =>
    callFailure(c.call('setBucketAccess', { params, body: { access: 'PUBLIC', before } }))
  expect(await setAccess(nobody)).toMatchObject(changed)
  const { access, anonymous } = await c.call('getBucket', { params })
  expect(access).toBe('CUSTOM')
  if (!access || !anonymous) throw new Error('the access is not known')
  await c.call('setBucketAccess', { params, body: { access: 'PUBLIC', before: { access, anonymous } } })
  expect(await listRules(bucket)).toContainEqual({ prefix: '', access: 'readwrite' })
})
