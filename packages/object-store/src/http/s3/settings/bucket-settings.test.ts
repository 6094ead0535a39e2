import { afterAll, expect, test } from 'vitest'
import { startTestStore } from '../../testing/test-store.ts'

const store = await startTestStore()
afterAll(() => store[Symbol.asyncDispose]())

const put = (path: string, query: string, body: string) => store.send({ method: 'PUT', path, query, body })
const get = async (path: string, query: string) => (await store.send({ path, query })).text

test('excluded prefixes: their keys have one null version, the others all of theirs', async () => {
  await store.engine.createBucket('excluded')
  const exclusions = '<ExcludedPrefixes><Prefix>tmp/</Prefix></ExcludedPrefixes><ExcludeFolders>true</ExcludeFolders>'
  const body = `<VersioningConfiguration><Status>Enabled</Status>${exclusions}</VersioningConfiguration>`
  expect((await put('/excluded', 'versioning', body)).status).toBe(200)
  expect(await get('/excluded', 'versioning')).toContain(`<Status>Enabled</Status>${exclusions}`)
  for (const key of ['tmp/a', 'kept', 'folder/']) {
    for (const text of ['1', '2']) {
      const { headers } = await store.send({ method: 'PUT', path: `/excluded/${key}`, body: text })
      expect(headers['x-amz-version-id'] === undefined).toBe(key !== 'kept')
    }
  }
  const versions = await get('/excluded', 'versions')
  const keys = [...versions.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key)
  expect(keys).toEqual(['folder/', 'kept', 'kept', 'tmp/a'])
})

test('a bucket with object lock keeps all versions', async () => {
  await store.engine.createBucket('locked', { objectLock: true })
  for (const status of [
    '<Status>Suspended</Status>',
    '<Status>Enabled</Status><ExcludedPrefixes><Prefix>a/</Prefix></ExcludedPrefixes>',
    '<Status>Enabled</Status><ExcludeFolders>true</ExcludeFolders>',
  ]) {
    const answer = await put('/locked', 'versioning', `<VersioningConfiguration>${status}</VersioningConfiguration>`)
    expect([answer.status, answer.code]).toEqual([409, 'InvalidBucketState'])
  }
  expect((await store.send({ method: 'PUT', path: '/locked/a/b', body: 'x' })).headers['x-amz-version-id']).toBeTruthy()
})

test('settings that cannot be read stop what depends on them, and nothing else', async () => {
  await store.engine.createBucket('damaged')
  // As written by another version that supports a setting unknown to this one.
  const { bucketSettingCodecs } = await import('../../../bucket-settings/bucket-settings.ts')
  const { write } = bucketSettingCodecs.versioning
  Object.assign(bucketSettingCodecs.versioning, {
    write: () => '<VersioningConfiguration><Status>Sometimes</Status></VersioningConfiguration>',
  })
  try {
    await store.engine.setBucketSettings('damaged', {
      versioning: { status: 'Enabled', excludedPrefixes: [], excludeFolders: false },
    })
  } finally {
    Object.assign(bucketSettingCodecs.versioning, { write })
  }
  expect((await store.send({ method: 'PUT', path: '/damaged/k', body: 'x' })).status).toBe(500)
  expect((await store.send({ path: '/', query: '' })).text).toContain('<Name>damaged</Name>')
  expect((await store.send({ path: '/damaged', query: 'tagging' })).code).toBe('NoSuchTagSet')
  const body = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
  expect((await put('/damaged', 'versioning', body)).status).toBe(200)
  expect((await store.send({ method: 'PUT', path: '/damaged/k', body: 'x' })).status).toBe(200)
})
