import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('the default retention is read, set, and applied to new objects [BKT-30] [BKT-46] [BKT-47]', async () => {
  const name = c.freshName('lock')
  const params = { bucket: name }
  await c.call('createBucket', { body: { name, locking: true } })
  expect(await c.call('getObjectLocking', { params })).toEqual({ object_locking_enabled: true })
  expect(await c.call('getBucketRetention', { params })).toEqual({})
  const years = { mode: 'compliance', unit: 'years', validity: 1 } as const
  await c.call('setBucketRetention', { params, body: years })
  expect(await c.call('getBucketRetention', { params })).toEqual(years)
  const days = { mode: 'governance', unit: 'days', validity: 3 } as const
  await c.call('setBucketRetention', { params, body: days })
  expect(await c.call('getBucketRetention', { params })).toEqual(days)
  await c.s3.send(new PutObjectCommand({ Bucket: name, Key: 'a', Body: 'x' }))
  const { ObjectLockMode } = await c.s3.send(new HeadObjectCommand({ Bucket: name, Key: 'a' }))
  expect(ObjectLockMode).toBe('GOVERNANCE')
})

test('a bucket is created with a quota in bytes and a retention; other kinds and units are refused [BKT-18]', async () => {
  const name = c.freshName('kept')
  const retention = { mode: 'governance' as const, unit: 'years' as const, validity: 2 }
  const quota = { enabled: true, quota_type: 'hard' as const, amount: 3 * 2 ** 20 + 1 }
  await c.call('createBucket', { body: { name, versioning: true, quota, retention } })
  const params = { bucket: name }
  expect(await c.call('getBucketQuota', { params })).toEqual({ quota: quota.amount, type: 'hard' })
  expect(await c.call('getBucketRetention', { params })).toEqual(retention)
  const wrong = [
    { quota: { ...quota, quota_type: 'soft' } },
    { retention: { ...retention, mode: 'strict' } },
    { retention: { ...retention, unit: 'weeks' } },
    { retention: { ...retention, validity: '2' } },
  ]
  for (const part of wrong) {
    const body = { name: c.freshName('wrong'), versioning: true, ...part } as never
    expect([part, (await callFailure(c.call('createBucket', { body }))).status]).toEqual([part, 400])
  }
})

test('a bucket without object locking has no retention and does not accept one', async () => {
  const params = { bucket: await c.newBucket() }
  expect(await c.call('getObjectLocking', { params })).toEqual({ object_locking_enabled: false })
  expect(await c.call('getBucketRetention', { params })).toEqual({})
  const body = { mode: 'governance', unit: 'days', validity: 1 } as const
  const { status } = await callFailure(c.call('setBucketRetention', { params, body }))
  expect([400, 404, 409]).toContain(status)
  // Nothing is removed, and locking stays off.
  await c.call('deleteBucketRetention', { params, body: {} })
  expect(await c.call('getObjectLocking', { params })).toEqual({ object_locking_enabled: false })
})

test.each([{ validity: 0 }, { validity: 1.5 }, { mode: 'GOVERNANCE' }, { unit: 'weeks' }])(
  'the retention %o is refused',
  async (wrong) => {
    const params = { bucket: await c.newBucket() }
    const body = { mode: 'governance', unit: 'days', validity: 1, ...wrong } as never
    expect(await callFailure(c.call('setBucketRetention', { params, body }))).toMatchObject({
      status: 400,
      body: { field: Object.keys(wrong)[0] },
    })
  },
)

test('encryption is enabled, read, applied and disabled [BKT-32] [BKT-33] [BKT-34] [BKT-35]', async (t) => {
  if (!c.embedded) t.skip('the other server has no keys')
  const bucket = await c.newBucket()
  const params = { bucket }
  await c.call('enableBucketEncryption', { params, body: { encType: 'sse-s3', kmsKeyID: '' } })
  expect(await c.call('getBucketEncryption', { params })).toEqual({ algorithm: 'AES256', kmsMasterKeyID: '' })
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a', Body: 'x' }))
  const head = await c.s3.send(new HeadObjectCommand({ Bucket: bucket, Key: 'a' }))
  expect(head.ServerSideEncryption).toBe('AES256')
  await c.call('enableBucketEncryption', { params, body: { encType: 'sse-kms' } })
  expect(await c.call('getBucketEncryption', { params })).toEqual({ algorithm: 'aws:kms', kmsMasterKeyID: '' })
  // The default key is created when first needed.
  const put = await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'b', Body: 'x' }))
  expect(put.ServerSideEncryption).toBe('aws:kms')
  const [{ name: kmsKeyID } = { name: '' }] = (await c.call('listKmsKeys', {})).keys
  await c.call('enableBucketEncryption', { params, body: { encType: 'sse-kms', kmsKeyID } })
  expect(await c.call('getBucketEncryption', { params })).toEqual({ algorithm: 'aws:kms', kmsMasterKeyID: kmsKeyID })
  await c.call('disableBucketEncryption', { params, body: {} })
  expect(await callFailure(c.call('getBucketEncryption', { params }))).toMatchObject({ status: 404 })
})

test('a bucket without encryption answers with the text of the original [BKT-36]', async () => {
  const params = { bucket: await c.newBucket() }
  expect(await callFailure(c.call('getBucketEncryption', { params }))).toMatchObject({
    status: 404,
    body: { message: 'The server side encryption configuration was not found' },
  })
})

test('an unknown key or kind of encryption is refused, and nothing changes', async (t) => {
  if (!c.embedded) t.skip('the other server has no keys')
  const params = { bucket: await c.newBucket() }
  const enable = (body: object) => c.call('enableBucketEncryption', { params, body: body as never })
  const { status } = await callFailure(enable({ encType: 'sse-kms', kmsKeyID: 'absent' }))
  expect([400, 404]).toContain(status)
  expect(await callFailure(enable({ encType: 'sse-c' }))).toMatchObject({ status: 400, body: { field: 'encType' } })
  expect(await callFailure(c.call('getBucketEncryption', { params }))).toMatchObject({ status: 404 })
})

test('of two administrators who set one retention, quota or list of tags at the same time one has it whole', async () => {
  const name = c.freshName('both')
  const params = { bucket: name }
  await c.call('createBucket', { body: { name, locking: true } })
  const retentions = [
    { mode: 'governance', unit: 'days', validity: 5 },
    { mode: 'compliance', unit: 'years', validity: 2 },
  ] as const
  const tags = [{ a: '1', b: '1' }, { c: '2' }]
  const quotas = [1_000_000, 2_000_000]
  const setAll = [
    () => retentions.map((body) => c.call('setBucketRetention', { params, body })),
    () => tags.map((one) => c.call('setBucketTags', { params, body: { tags: one as Record<string, string> } })),
    () =>
      quotas.map((amount) => c.call('setBucketQuota', { params, body: { enabled: true, quota_type: 'hard', amount } })),
  ]
  // MinIO can lose one of two different settings that are changed at the same time, so the console sends one after the other.
  await Promise.all(setAll.flatMap((set) => set()))
  expect(retentions).toContainEqual(await c.call('getBucketRetention', { params }))
  expect(tags).toContainEqual((await c.call('getBucketTags', { params })).tags)
  expect(quotas).toContain((await c.call('getBucketQuota', { params })).quota)
})

test('a change of tags or exclusions that is based on an older value is refused, and changes nothing', async () => {
  const params = { bucket: await c.newBucket() }
  const changed = { status: 409, body: { reason: { id: 'setting-changed' } } }
  const setTags = (tags: Record<string, string>, before: Record<string, string>) =>
    c.call('setBucketTags', { params, body: { tags, before } })
  await setTags({ team: 'design' }, {})
  expect(await callFailure(setTags({ stage: 'test' }, {}))).toMatchObject(changed)
  expect(await callFailure(setTags({}, { team: 'music' }))).toMatchObject(changed)
  expect((await c.call('getBucketTags', { params })).tags).toEqual({ team: 'design' })
  await setTags({ stage: 'test' }, { team: 'design' })
  // Of several saves at the same time that are based on the same value exactly one succeeds.
  const outcomes = await Promise.allSettled(['1', '2', '3', '4'].map((n) => setTags({ n }, { stage: 'test' })))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)

  const exclude = (prefix: string, excluded_prefixes: string[], is_versioned = true) => {
    const before = { is_versioned, excluded_prefixes, exclude_folders: false }
    return c.call('setBucketVersioning', {
      params,
      body: { versioning: true, excluded_prefixes: [prefix], exclude_folders: false, before },
    })
  }
  await exclude('a/', [], false)
  expect(await callFailure(exclude('b/', []))).toMatchObject(changed)
  expect((await c.call('getBucketVersioning', { params })).excluded_prefixes).toEqual(['a/'])
  await c.call('setBucketVersioning', { params, body: { versioning: false } })
  // It must not enable versioning again.
  expect(await callFailure(exclude('b/', ['a/']))).toMatchObject(changed)
  expect((await c.call('getBucketVersioning', { params })).is_versioned).toBe(false)
})

test('a change of quota or retention that is based on an older value is refused, and changes nothing', async () => {
  const name = c.freshName('based')
  const params = { bucket: name }
  await c.call('createBucket', { body: { name, locking: true } })
  const changed = { status: 409, body: { reason: { id: 'setting-changed' } } }
  type Stored = Awaited<ReturnType<typeof read>>
  const read = () => c.call('getBucketQuota', { params })
  const setQuota = (amount: number, before?: Stored) =>
    c.call('setBucketQuota', { params, body: { enabled: amount > 0, quota_type: 'hard', amount, before } })
  await setQuota(1_000_000, {})
  expect(await callFailure(setQuota(2_000_000, {}))).toMatchObject(changed)
  expect(await callFailure(setQuota(0, { quota: 2_000_000, type: 'hard' }))).toMatchObject(changed)
  const stored = await read()
  expect(stored).toEqual({ quota: 1_000_000, type: 'hard' })
  const outcomes = await Promise.allSettled([2, 3, 4, 5].map((n) => setQuota(n * 1_000_000, stored)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await setQuota(0)
  expect(await read()).toEqual({})

  const days = (validity: number) => ({ mode: 'governance', unit: 'days', validity }) as const
  const setDays = (validity: number, before?: Partial<ReturnType<typeof days>>) =>
    c.call('setBucketRetention', { params, body: { ...days(validity), before } })
  await setDays(1, {})
  expect(await callFailure(setDays(2, {}))).toMatchObject(changed)
  expect(await callFailure(setDays(2, days(3)))).toMatchObject(changed)
  expect(await c.call('getBucketRetention', { params })).toEqual(days(1))
  await setDays(2, days(1))
  await setDays(3)
  expect(await c.call('getBucketRetention', { params })).toEqual(days(3))
  const remove = (before?: ReturnType<typeof days>) => c.call('deleteBucketRetention', { params, body: { before } })
  expect(await callFailure(remove(days(2)))).toMatchObject(changed)
  expect(await c.call('getBucketRetention', { params })).toEqual(days(3))
  await remove(days(3))
  expect(await c.call('getBucketRetention', { params })).toEqual({})
  expect(await c.call('getObjectLocking', { params })).toEqual({ object_locking_enabled: true })
})

test('a change of encryption that is based on an older value is refused, and changes nothing', async (t) => {
  if (!c.embedded) t.skip('the other server has no keys')
  const params = { bucket: await c.newBucket() }
  const changed = { status: 409, body: { reason: { id: 'setting-changed' } } }
  const s3 = { algorithm: 'AES256', kmsMasterKeyID: '' }
  type Stored = typeof s3 | null
  const enable = (encType: 'sse-s3' | 'sse-kms', before?: Stored) =>
    c.call('enableBucketEncryption', { params, body: { encType, before } })
  const disable = (before?: Stored) => c.call('disableBucketEncryption', { params, body: { before } })
  expect(await callFailure(disable(s3))).toMatchObject(changed)
  await enable('sse-s3', null)
  expect(await callFailure(enable('sse-kms', null))).toMatchObject(changed)
  expect(await callFailure(disable(null))).toMatchObject(changed)
  expect(await c.call('getBucketEncryption', { params })).toEqual(s3)
  await enable('sse-kms', s3)
  expect(await callFailure(disable(s3))).toMatchObject(changed)
  await disable()
  expect(await callFailure(c.call('getBucketEncryption', { params }))).toMatchObject({ status: 404 })
})

ownStore.test('a change of CORS rules that is based on older rules is refused, and changes nothing', async () => {
  const params = { bucket: await c.newBucket() }
  const rule = (host: string) => ({ allowedOrigins: [host], allowedMethods: ['GET' as const] })
  const read = async () => (await c.call('getBucketCors', { params })).rules
  await c.call('setBucketCors', { params, body: { rules: [rule('https://a.test')], before: [] } })
  const stored = await read()
  expect(
    await callFailure(c.call('setBucketCors', { params, body: { rules: [rule('https://b.test')], before: [] } })),
  ).toMatchObject({ status: 409, body: { reason: { id: 'setting-changed' } } })
  expect(await read()).toEqual(stored)
  await c.call('setBucketCors', { params, body: { rules: [], before: stored } })
  expect(await read()).toEqual([])
})

test('tags of a bucket are replaced as a whole, and removed', async () => {
  const params = { bucket: await c.newBucket() }
  expect(await c.call('getBucketTags', { params })).toEqual({ tags: {} })
  // MinIO only accepts ASCII, and no empty values.
  const tags = c.embedded
    ? { team: 'Köln', constructor: 'x', 'cost/center': '' }
    : { team: 'Koeln', constructor: 'x', 'cost/center': '1' }
  await c.call('setBucketTags', { params, body: { tags } })
  expect(await c.call('getBucketTags', { params })).toEqual({ tags })
  const wrong = c.call('setBucketTags', { params, body: { tags: { ['k'.repeat(129)]: 'v' } } })
  expect(await callFailure(wrong)).toMatchObject({ status: 400 })
  expect(await c.call('getBucketTags', { params })).toEqual({ tags })
  await c.call('setBucketTags', { params, body: { tags: {} } })
  expect(await c.call('getBucketTags', { params })).toEqual({ tags: {} })
})

test('reading settings of a missing bucket is 404', async () => {
  const params = { bucket: c.freshName() }
  // MinIO gives the same answer for a missing bucket as for one without the setting.
  const tolerant = [() => c.call('getObjectLocking', { params }), () => c.call('getBucketRetention', { params })]
  for (const call of [
    ...(c.embedded ? tolerant : []),
    () => c.call('getBucketEncryption', { params }),
    () => c.call('enableBucketEncryption', { params, body: {} }),
    () => c.call('setBucketTags', { params, body: { tags: { a: 'b' } } }),
  ])
    expect(await callFailure(call())).toMatchObject({
      status: 404,
      body: { detailedMessage: expect.stringMatching(/bucket/i) },
    })
})

ownStore.test('the keys for SSE-KMS are listed by name', async () => {
  const bucket = await c.newBucket()
  await c.call('enableBucketEncryption', { params: { bucket }, body: { encType: 'sse-kms' } })
  // The default key is created when first needed.
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a', Body: 'x' }))
  const { keys } = await c.call('listKmsKeys', {})
  expect(keys.map(({ name }) => name)).toContain('stowage-default-key')
})

test('prefixes are excluded from versioning, are kept if versioning stays unchanged, and removed if it is suspended', async () => {
  const bucket = await c.newBucket()
  const params = { bucket }
  const versioning = async () => await c.call('getBucketVersioning', { params })
  const set = async (body: { versioning: boolean; excluded_prefixes?: string[]; exclude_folders?: boolean }) =>
    await c.call('setBucketVersioning', { params, body })
  expect(await versioning()).toEqual({ is_versioned: false, excluded_prefixes: [], exclude_folders: false })
  await set({ versioning: true, excluded_prefixes: ['tmp/', 'a & b/'], exclude_folders: true })
  await set({ versioning: true })
  expect(await versioning()).toEqual({
    is_versioned: true,
    excluded_prefixes: ['tmp/', 'a & b/'],
    exclude_folders: true,
  })
  const put = async (Key: string) =>
    (await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x' }))).VersionId
  expect([undefined, 'null']).toContain(await put('tmp/a'))
  expect(await put('b')).toMatch(/^(?!null).+/)
  await set({ versioning: false })
  expect(await versioning()).toEqual({ is_versioned: false, excluded_prefixes: [], exclude_folders: false })
})

test('a versioning with too many or empty exclusions is refused', async () => {
  const params = { bucket: await c.newBucket() }
  for (const excluded_prefixes of [Array.from({ length: 11 }, (_, i) => `p${i}/`), ['']]) {
    const body = { versioning: true, excluded_prefixes }
    expect(await callFailure(c.call('setBucketVersioning', { params, body }))).toMatchObject({ status: 400 })
  }
})

ownStore.test('CORS rules are replaced as a whole, in force, and removed', async () => {
  const bucket = await c.newBucket()
  const params = { bucket }
  expect(await c.call('getBucketCors', { params })).toEqual({ rules: [] })
  const rules = [
    {
      id: 'pages',
      allowedOrigins: ['https://*.example.com'],
      allowedMethods: ['GET' as const, 'PUT' as const],
      allowedHeaders: ['content-type'],
      exposeHeaders: ['ETag'],
      maxAgeSeconds: 600,
    },
  ]
  await c.call('setBucketCors', { params, body: { rules } })
  expect(await c.call('getBucketCors', { params })).toEqual({ rules })
  const preflight = async (origin: string) => {
    const headers = { origin, 'access-control-request-method': 'PUT' }
    const response = await fetch(`${c.serverUrl}/${bucket}/key`, { method: 'OPTIONS', headers })
    return response.headers.get('access-control-allow-origin')
  }
  expect(await preflight('https://www.example.com')).toBe('https://www.example.com')
  expect(await preflight('https://www.example.org')).toBeNull()
  const wrong = [{ ...rules[0], allowedMethods: ['PATCH'] }]
  expect(await callFailure(c.call('setBucketCors', { params, body: { rules: wrong } as never }))).toMatchObject({
    status: 400,
    body: { field: 'rules.0.allowedMethods.0' },
  })
  await c.call('setBucketCors', { params, body: { rules: [] } })
  expect(await c.call('getBucketCors', { params })).toEqual({ rules: [] })
})
