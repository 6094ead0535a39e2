import type { SigningCredentials } from '@stowage/sigv4'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { setSettingDocument } from '../../bucket-settings/testing.ts'
import { addGroupMembers, setGroupStatus } from '../../iam/groups.ts'
import { setPolicy } from '../../iam/policies.ts'
import { setPolicies } from '../../iam/policy-mappings.ts'
import { createSession } from '../../iam/sessions.ts'
import { setUser } from '../../iam/users.ts'
import {
  type HttpTestStore,
  presignedPath,
  ROOT_CREDENTIALS,
  sendRawRequest,
  startTestStore,
} from '../testing/test-store.ts'

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore()
  for (const bucket of ['open', 'closed']) await store.engine.createBucket(bucket)
  for (const path of ['/open/key', '/open/public/a', '/closed/key']) {
    await store.send({ method: 'PUT', path, body: 'x', headers: { 'x-amz-tagging': 'level=low' } })
  }
})
afterAll(() => store[Symbol.asyncDispose]())

const policyText = (...Statement: object[]) => JSON.stringify({ Version: '2012-10-17', Statement })

let count = 0
/** Creates a user with a policy of these statements. */
async function userWith(...statements: object[]): Promise<SigningCredentials> {
  const name = `user${count++}`
  const { iam } = store.server
  await setUser(iam, name, 'secret-of-user', 'enabled')
  await setPolicy(iam, name, policyText(...statements))
  await setPolicies(iam, { kind: 'user', name }, [name])
  return { accessKey: name, secretKey: 'secret-of-user' }
}

const arn = (resource: string) => `arn:aws:s3:::${resource}`
const allow = (Action: string | string[], ...resources: string[]) => ({
  Effect: 'Allow',
  Action,
  Resource: resources.map(arn),
})
const deny = (Action: string | string[], ...resources: string[]) => ({
  ...allow(Action, ...resources),
  Effect: 'Deny',
})
const where = (statement: object, Condition: object) => ({ ...statement, Condition })

const openSession = (parent: string, policy?: string) =>
  createSession(store.server.iam, { parent, durationSeconds: 900, policy })

async function status(
  credentials: SigningCredentials | 'anonymous',
  method: string,
  path: string,
  query = '',
  more = {},
) {
  return (await store.send({ credentials, method, path, query, ...more })).status
}

describe('policies of users', () => {
  test('decide per operation and object', async () => {
    const user = await userWith(allow('s3:GetObject', 'open/*'), deny('s3:GetObject', 'open/key'))
    expect(await status(user, 'GET', '/open/public/a')).toBe(200)
    expect(await status(user, 'GET', '/open/key')).toBe(403)
    expect(await status(user, 'GET', '/closed/key')).toBe(403)
    expect(await status(user, 'PUT', '/open/public/a')).toBe(403)
    expect(await status(user, 'GET', '/open', 'list-type=2')).toBe(403)
  })

  test('see the prefix, the header and the tags that a request is about', async () => {
    const user = await userWith(
      where(allow('s3:ListBucket', 'open'), { StringLike: { 's3:prefix': 'public/*' } }),
      where(allow('s3:GetObject', 'closed/*'), { StringEquals: { 's3:ExistingObjectTag/level': 'low' } }),
      where(allow('s3:PutObject', 'closed/*'), { StringEquals: { 's3:x-amz-storage-class': 'REDUCED_REDUNDANCY' } }),
    )
    expect(await status(user, 'GET', '/open', 'list-type=2&prefix=public%2F')).toBe(200)
    expect(await status(user, 'GET', '/open', 'list-type=2')).toBe(403)
    expect(await status(user, 'GET', '/closed/key')).toBe(200)
    const reduced = { headers: { 'x-amz-storage-class': 'REDUCED_REDUNDANCY' }, body: 'x' }
    expect(await status(user, 'PUT', '/closed/reduced', '', reduced)).toBe(200)
    expect(await status(user, 'PUT', '/closed/reduced')).toBe(403)
    expect(await status(user, 'GET', '/closed/reduced')).toBe(403)
  })

  test('are filled in with the name of the user', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the policy language
    const user = await userWith(allow('s3:PutObject', 'open/home/${aws:username}/*'))
    expect(await status(user, 'PUT', `/open/home/${user.accessKey}/a`, '', { body: 'x' })).toBe(200)
    expect(await status(user, 'PUT', '/open/home/other/a', '', { body: 'x' })).toBe(403)
  })

  test('tags in a write need their own right', async () => {
    const user = await userWith(allow('s3:PutObject', 'open/*'))
    const tagged = { headers: { 'x-amz-tagging': 'a=b' }, body: 'x' }
    expect(await status(user, 'PUT', '/open/t', '', tagged)).toBe(403)
    expect(await status(user, 'PUT', '/open/t', '', { body: 'x' })).toBe(200)
  })

  const tagging = (tags: Record<string, string>) => {
    const set = Object.entries(tags).map(([key, value]) => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`)
    return `<Tagging><TagSet>${set.join('')}</TagSet></Tagging>`
  }
  const NO_RED = {
    ...deny('s3:*', 'open*'),
    Condition: { StringEquals: { 's3:RequestObjectTag/team': 'red' } },
  }
  const BLUE = { StringEquals: { 's3:RequestObjectTag/team': 'blue' } }

  test('see the tags of a request in its body', async () => {
    const denied = await userWith(allow('s3:*', 'open*'), NO_RED)
    const only = await userWith(where(allow(['s3:PutObjectTagging', 's3:PutBucketTagging'], 'open', 'open/*'), BLUE))
    for (const path of ['/open', '/open/key']) {
      for (const user of [denied, only]) {
        const set = (team: string) => status(user, 'PUT', path, 'tagging', { body: tagging({ team }) })
        expect([path, await set('red'), await set('blue')]).toEqual([path, 403, 200])
      }
      // A header that the operation ignores must not affect the tags that it sets.
      const headers = { 'x-amz-tagging': 'team=blue' }
      expect(await status(only, 'PUT', path, 'tagging', { headers, body: tagging({ team: 'red' }) })).toBe(403)
      expect(await status(only, 'PUT', path, 'tagging', { body: tagging({}) })).toBe(403)
    }
    expect((await store.send({ path: '/open/key', query: 'tagging' })).text).toContain('<Value>blue<')
  })

  test('see the tags of a request in a header, as the tags that will be set', async () => {
    const user = await userWith(where(allow(['s3:PutObject', 's3:PutObjectTagging'], 'open/*'), BLUE))
    const put = (header: string) =>
      status(user, 'PUT', '/open/t', '', { headers: { 'x-amz-tagging': header }, body: 'x' })
    expect([await put('team=blue'), await put('team=red'), await put('?team=blue'), await put('')]).toEqual([
      200, 403, 400, 403,
    ])
  })

  test('see the tags of the source of a copy', async () => {
    await store.send({ method: 'PUT', path: '/closed/red', body: 'x', headers: { 'x-amz-tagging': 'team=red' } })
    const user = await userWith(allow('s3:*', '*'), NO_RED)
    const copy = (more: Record<string, string> = {}) =>
      status(user, 'PUT', '/open/copy', '', { headers: { 'x-amz-copy-source': '/closed/red', ...more } })
    expect(await copy()).toBe(403)
    expect(await copy({ 'x-amz-tagging': 'team=blue' })).toBe(403)
    expect(await copy({ 'x-amz-tagging': 'team=red', 'x-amz-tagging-directive': 'REPLACE' })).toBe(403)
    expect(await copy({ 'x-amz-tagging': 'team=blue', 'x-amz-tagging-directive': 'REPLACE' })).toBe(200)
  })

  test('a body of tags is not read without the right to set tags', async () => {
    const user = await userWith(allow('s3:PutObject', '*'))
    for (const path of ['/open', '/open/key']) {
      for (const credentials of [user, 'anonymous'] as const) {
        const answer = await store.send({ credentials, method: 'PUT', path, query: 'tagging', body: 'no XML' })
        expect([path, answer.code]).toEqual([path, 'AccessDenied'])
      }
    }
  })

  test('a copy needs the right to read its source', async () => {
    const user = await userWith(
      allow(['s3:PutObject', 's3:GetObject'], 'open/*'),
      allow('s3:PutObjectTagging', 'open/*'),
      allow('s3:GetObjectTagging', 'open/*'),
    )
    const from = (source: string) => ({ headers: { 'x-amz-copy-source': source } })
    expect(await status(user, 'PUT', '/open/copy', '', from('/open/key'))).toBe(200)
    expect(await status(user, 'PUT', '/open/copy', '', from('/closed/key'))).toBe(403)
  })

  test('a named version needs the rights to versions, and the latest version those to the object', async () => {
    const body = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
    await store.send({ method: 'PUT', path: '/closed', query: 'versioning', body })
    const { headers } = await store.send({ method: 'PUT', path: '/closed/versioned', body: 'x' })
    const real = `versionId=${headers['x-amz-version-id']}`
    const reader = await userWith(allow('s3:GetObject', '*'), allow('s3:PutObject', 'open/copy'))
    const versionReader = await userWith(allow('s3:GetObjectVersion', '*'), allow('s3:PutObject', 'open/copy'))
    for (const [user, latest, named] of [
      [reader, 200, 403],
      [versionReader, 403, 200],
    ] as const) {
      for (const method of ['GET', 'HEAD']) {
        expect(await status(user, method, '/open/key', 'versionId=null')).toBe(named)
        expect(await status(user, method, '/open/key', 'versionId=')).toBe(latest)
        expect(await status(user, method, '/closed/versioned', real)).toBe(named)
      }
      const from = (source: string) => ({ headers: { 'x-amz-copy-source': source } })
      expect(await status(user, 'PUT', '/open/copy', '', from(`closed/versioned?${real}`))).toBe(named)
      expect(await status(user, 'PUT', '/open/copy', '', from('closed/versioned'))).toBe(latest)
    }
    const tagger = await userWith(allow(['s3:GetObjectTagging', 's3:DeleteObjectTagging'], 'closed/*'))
    expect(await status(tagger, 'GET', '/closed/versioned', 'tagging')).toBe(200)
    expect(await status(tagger, 'GET', '/closed/versioned', `tagging&${real}`)).toBe(403)
    expect(await status(tagger, 'DELETE', '/closed/versioned', `tagging&${real}`)).toBe(403)
    const versionTagger = await userWith(
      allow(['s3:GetObjectVersionTagging', 's3:DeleteObjectVersionTagging'], 'closed/*'),
    )
    expect(await status(versionTagger, 'GET', '/closed/versioned', 'tagging')).toBe(403)
    expect(await status(versionTagger, 'GET', '/closed/versioned', `tagging&${real}`)).toBe(200)
    expect(await status(versionTagger, 'DELETE', '/closed/versioned', `tagging&${real}`)).toBe(204)
  })

  test('can allow that only one version is read or copied', async () => {
    const only = { StringEquals: { 's3:versionid': 'null' } }
    const user = await userWith(
      where(allow('s3:GetObjectVersion', 'open/key'), only),
      allow('s3:PutObject', 'open/copy'),
    )
    const from = (source: string) => ({ headers: { 'x-amz-copy-source': source } })
    expect(await status(user, 'GET', '/open/key')).toBe(403)
    expect(await status(user, 'GET', '/open/key', 'versionId=null')).toBe(200)
    expect(await status(user, 'PUT', '/open/copy', '', from('open/key'))).toBe(403)
    // The tags are not copied, because the user has no right to them. The test checks that the source was opened.
    const untagged = { 'x-amz-tagging-directive': 'REPLACE' }
    const named = { headers: { 'x-amz-copy-source': 'open/key?versionId=null', ...untagged } }
    expect(await status(user, 'PUT', '/open/copy', '', named)).toBe(200)
  })

  test('attributes of a version need a separate right', async () => {
    const attributes = (user: SigningCredentials, query = '') =>
      status(user, 'GET', '/open/key', `attributes${query}`, { headers: { 'x-amz-object-attributes': 'ETag' } })
    const latest = await userWith(allow(['s3:GetObject', 's3:GetObjectAttributes'], 'open/*'))
    expect([await attributes(latest), await attributes(latest, '&versionId=')]).toEqual([200, 200])
    expect(await attributes(latest, '&versionId=null')).toBe(403)
    const named = await userWith(allow(['s3:GetObjectVersion', 's3:GetObjectVersionAttributes'], 'open/*'))
    expect([await attributes(named), await attributes(named, '&versionId=null')]).toEqual([403, 200])
    expect(await attributes(await userWith(allow('s3:GetObjectAttributes', 'open/*')))).toBe(403)
  })

  test('deleting a named version needs a right of its own', async () => {
    const user = await userWith(allow('s3:DeleteObject', 'open/*'))
    expect(await status(user, 'DELETE', '/open/gone', 'versionId=null')).toBe(403)
    expect(await status(user, 'DELETE', '/open/gone', 'versionId=')).toBe(204)
    const ofVersions = await userWith(allow('s3:DeleteObjectVersion', 'open/*'))
    expect(await status(ofVersions, 'DELETE', '/open/gone', 'versionId=null')).toBe(204)
    expect(await status(ofVersions, 'DELETE', '/open/gone')).toBe(403)
  })

  test('a replicated deletion of a version needs the right to delete objects, and no Deny for versions', async () => {
    const headers = { 'x-minio-source-replication-request': 'true' }
    const remove = async (...statements: object[]) =>
      await status(await userWith(...statements), 'DELETE', '/open/gone', 'versionId=null', { headers })
    const rights = allow(['s3:DeleteObject', 's3:ReplicateDelete'], 'open/*')
    expect(await remove(rights)).toBe(204)
    expect(await remove(rights, deny('s3:DeleteObjectVersion', 'open/*'))).toBe(403)
    expect(await remove(allow(['s3:DeleteObjectVersion', 's3:ReplicateDelete'], 'open/*'))).toBe(403)
  })

  test('a bucket with object lock needs the rights to set object lock and versioning', async () => {
    const headers = { 'x-amz-bucket-object-lock-enabled': 'true' }
    const create = async (actions: string[]) =>
      await status(await userWith(allow(actions, 'locked-new')), 'PUT', '/locked-new', '', { headers })
    expect(await create(['s3:CreateBucket'])).toBe(403)
    expect(await create(['s3:CreateBucket', 's3:PutBucketObjectLockConfiguration'])).toBe(403)
    expect(await create(['s3:CreateBucket', 's3:PutBucketObjectLockConfiguration', 's3:PutBucketVersioning'])).toBe(200)
    await store.engine.deleteBucket('locked-new')
  })

  test('a forced deletion of a bucket is stopped by a Deny of DeleteBucket too', async () => {
    await store.engine.createBucket('kept-bucket')
    const user = await userWith(allow('s3:*', '*'), deny('s3:DeleteBucket', '*'))
    const headers = { 'x-minio-force-delete': 'true' }
    expect(await status(user, 'DELETE', '/kept-bucket', '', { headers })).toBe(403)
    await store.engine.deleteBucket('kept-bucket')
  })

  test('deleting many decides for each key, and named versions are denied apart', async () => {
    const user = await userWith(allow('s3:DeleteObject', 'open/mine/*'), deny('s3:DeleteObjectVersion', 'open/*'))
    const body =
      '<Delete><Object><Key>mine/a</Key></Object><Object><Key>key</Key></Object>' +
      '<Object><Key>mine/b</Key><VersionId>null</VersionId></Object></Delete>'
    const { text } = await store.send({ credentials: user, method: 'POST', path: '/open', query: 'delete=', body })
    expect([...text.matchAll(/<Deleted><Key>([^<]*)/g)].map(([, key]) => key)).toEqual(['mine/a'])
    expect([...text.matchAll(/<Error>.*?<Key>([^<]*)/g)].map(([, key]) => key)).toEqual(['key', 'mine/b'])
    expect(await status(user, 'DELETE', '/open/mine/c', 'versionId=null')).toBe(403)
  })

  test('ListBuckets shows what may be listed or located', async () => {
    const names = async (credentials: SigningCredentials) => {
      const { text } = await store.send({ credentials })
      return [...text.matchAll(/<Name>([^<]*)/g)].map(([, name]) => name)
    }
    expect(await names(await userWith(allow('s3:ListBucket', 'open')))).toEqual(['open'])
    expect(await names(await userWith(allow('s3:GetBucketLocation', 'closed')))).toEqual(['closed'])
    expect(await names(await userWith(allow('s3:ListAllMyBuckets', '*')))).toEqual(['closed', 'open'])
    expect(await status(await userWith(allow('s3:GetObject', 'open/key')), 'GET', '/')).toBe(403)
  })

  test('all on what is in a bucket is no right to the bucket itself', async () => {
    const user = await userWith(allow('s3:*', 'open/*'), allow('s3:*', 'emptied/*'))
    await store.engine.createBucket('emptied')
    expect(await status(user, 'PUT', '/emptied/key', '', { body: 'x' })).toBe(200)
    const body = policyText({ ...allow('s3:*', 'open', 'open/*'), Principal: '*' })
    expect(await status(user, 'PUT', '/open', 'policy=', { body })).toBe(403)
    expect(await status(user, 'GET', '/open', 'policy=')).toBe(403)
    expect(await status(user, 'GET', '/open', 'list-type=2')).toBe(403)
    expect(await status(user, 'PUT', '/open', 'versioning=', { body: '<VersioningConfiguration/>' })).toBe(403)
    const force = { headers: { 'x-minio-force-delete': 'true' } }
    expect(await status(user, 'DELETE', '/emptied', '', force)).toBe(403)
    expect(await status(user, 'DELETE', '/emptied/key')).toBe(204)
    expect(await status(user, 'DELETE', '/emptied')).toBe(403)
    const whole = await userWith(allow('s3:*', 'emptied', 'emptied/*'))
    expect(await status(whole, 'DELETE', '/emptied', '', force)).toBe(204)
  })

  test('distinguish a key from the same key with a slash before it', async () => {
    const user = await userWith(allow('s3:*', 'open/*'), deny('s3:GetObject', 'open/secret'))
    expect(await status(user, 'PUT', '/open/secret', '', { body: 'x' })).toBe(200)
    expect(await status(user, 'PUT', '/open//secret', '', { body: 'x' })).toBe(200)
    expect(await status(user, 'GET', '/open/secret')).toBe(403)
    expect(await status(user, 'GET', '/open//secret')).toBe(200)
    const one = await userWith(allow('s3:GetObject', 'open/secret'))
    expect(await status(one, 'GET', '/open/secret')).toBe(200)
    expect(await status(one, 'GET', '/open//secret')).toBe(403)
    const other = await userWith(allow('s3:GetObject', 'open//secret'))
    expect(await status(other, 'GET', '/open/secret')).toBe(403)
    expect(await status(other, 'GET', '/open//secret')).toBe(200)
  })

  test('a user in a disabled group has no rights at all', async () => {
    const user = await userWith(allow('s3:*', '*'))
    await addGroupMembers(store.server.iam, 'staff', [user.accessKey])
    expect(await status(user, 'GET', '/open/key')).toBe(200)
    await setGroupStatus(store.server.iam, 'staff', 'disabled')
    expect(await status(user, 'GET', '/open/key')).toBe(403)
  })
})

describe('a forced delete', () => {
  const FORCE = { 'x-minio-force-delete': 'true' }
  const keys = ['a', 'a/b', 'a/secret/c', 'ab']
  const versions = async (bucket: string) =>
    store.engine
      .listVersions(bucket, { prefix: '', delimiter: '', after: '', limit: 1000 })
      .entries.flatMap((entry) => ('object' in entry ? [entry.object.key] : []))

  async function filled(bucket: string, versioning?: 'Enabled') {
    await store.engine.createBucket(bucket)
    if (versioning) await setSettingDocument(store.engine, bucket, 'versioning', versioning)
    for (const key of keys) {
      await store.send({ method: 'PUT', path: `/${bucket}/${key}`, body: '1' })
      await store.send({ method: 'PUT', path: `/${bucket}/${key}`, body: '2' })
    }
  }

  test('of a prefix needs the right to delete every key and version; otherwise it deletes nothing', async () => {
    await filled('prefix', 'Enabled')
    const before = await versions('prefix')
    const remove = async (...statements: object[]) =>
      await status(await userWith(...statements), 'DELETE', '/prefix/a', '', { headers: FORCE })
    expect(await remove(allow('s3:DeleteObject', 'prefix/a*'))).toBe(403)
    expect(await remove(allow('s3:*', '*'), deny('s3:DeleteObjectVersion', 'prefix/a/secret/*'))).toBe(403)
    expect(await remove(allow('s3:*', '*'), deny('s3:DeleteObjectVersion', 'prefix/a/*'))).toBe(403)
    expect(await remove(allow('s3:*', '*'), deny('s3:DeleteObject', 'prefix/a'))).toBe(403)
    expect(await versions('prefix')).toEqual(before)
    const both = ['s3:DeleteObject', 's3:DeleteObjectVersion']
    expect(await remove(allow(both, 'prefix/a*'), deny(both, 'prefix/ab'))).toBe(204)
    expect(await versions('prefix')).toEqual(['ab', 'ab'])
  })

  test('of a bucket too', async () => {
    await filled('whole')
    const remove = async (...statements: object[]) =>
      await status(await userWith(...statements), 'DELETE', '/whole', '', { headers: FORCE })
    const bucket = allow(['s3:ForceDeleteBucket', 's3:DeleteBucket'], 'whole')
    expect(await remove(bucket)).toBe(403)
    expect(await remove(bucket, allow('s3:DeleteObject', 'whole/a*'), deny('s3:DeleteObject', 'whole/a/b'))).toBe(403)
    expect(await remove(allow('s3:*', '*'), deny('s3:DeleteObject', 'whole/ab'))).toBe(403)
    expect(await versions('whole')).toEqual(keys)
    const keep = policyText({ ...deny('s3:DeleteObject', 'whole/a/b'), Principal: '*' })
    await setSettingDocument(store.engine, 'whole', 'policy', keep)
    expect(await remove(allow('s3:*', '*'))).toBe(403)
    expect(await status(ROOT_CREDENTIALS, 'DELETE', '/whole', '', { headers: FORCE })).toBe(403)
    expect(await status(ROOT_CREDENTIALS, 'DELETE', '/whole/a', '', { headers: FORCE })).toBe(403)
    expect(await versions('whole')).toEqual(keys)
    await setSettingDocument(store.engine, 'whole', 'policy', undefined)
    expect(await remove(bucket, allow('s3:DeleteObject', 'whole/*'))).toBe(204)
    expect((await store.send({ method: 'HEAD', path: '/whole' })).status).toBe(404)
  })

  test('looks at every page of what goes', async () => {
    await filled('many', 'Enabled')
    await Promise.all(Array.from({ length: 1000 }, (_, n) => store.engine.deleteObject('many', `a/b/${n}`)))
    const user = await userWith(allow('s3:*', '*'), deny('s3:DeleteObjectVersion', 'many/a/secret/c'))
    expect(await status(user, 'DELETE', '/many/a', '', { headers: FORCE })).toBe(403)
    expect(await status(await userWith(allow('s3:*', '*')), 'DELETE', '/many/a', '', { headers: FORCE })).toBe(204)
    expect(await versions('many')).toEqual(['ab', 'ab'])
  })

  test('by a header that is not signed is refused, in presigned URLs too', async () => {
    await filled('unsigned')
    const headers = { host: `127.0.0.1:${store.port}`, ...FORCE }
    for (const path of ['/unsigned', '/unsigned/a']) {
      const answer = await sendRawRequest(store.port, 'DELETE', presignedPath(store.port, 'DELETE', path), headers)
      expect([answer.status, answer.code]).toEqual([403, 'AccessDenied'])
      const tamper = (signed: Record<string, string>) => void Object.assign(signed, FORCE)
      expect((await store.send({ method: 'DELETE', path, tamper })).code).toBe('AccessDenied')
    }
    expect(await versions('unsigned')).toEqual(keys)
    const url = presignedPath(store.port, 'DELETE', '/unsigned/a', { headers: FORCE })
    expect((await sendRawRequest(store.port, 'DELETE', url, headers)).status).toBe(204)
    expect(await versions('unsigned')).toEqual(['ab'])
  })
})

describe('the policy of a bucket', () => {
  const policy = (...statements: object[]) =>
    policyText(...statements.map((statement) => ({ Principal: { AWS: ['*'] }, ...statement })))
  const set = (body: string) => store.send({ method: 'PUT', path: '/open', query: 'policy=', body })

  afterEach(() => setSettingDocument(store.engine, 'open', 'policy', undefined))

  test('lets anybody in to what it names', async () => {
    expect((await set(policy(allow('s3:GetObject', 'open/public/*')))).status).toBe(204)
    expect(await status('anonymous', 'GET', '/open/public/a')).toBe(200)
    expect(await status('anonymous', 'GET', '/open/public/a', 'versionId=null')).toBe(403)
    expect(await status('anonymous', 'GET', '/open/key')).toBe(403)
    expect(await status('anonymous', 'GET', '/open', 'list-type=2')).toBe(403)
    const signed = await userWith(allow('s3:GetObject', 'closed/*'))
    expect(await status(signed, 'GET', '/open/public/a')).toBe(200)
    expect(await status(signed, 'GET', '/open/key')).toBe(403)
    const override = await store.send({
      credentials: 'anonymous',
      path: '/open/public/a',
      query: 'response-content-type=text%2Fhtml',
    })
    expect(override.code).toBe('InvalidRequest')
  })

  test('denies users what it denies everybody, whatever their own policies say, and root too', async () => {
    const user = await userWith(allow('s3:*', '*'))
    await set(policy(deny('s3:PutObject', 'open/*')))
    for (const caller of [
      user,
      await openSession(user.accessKey),
      ROOT_CREDENTIALS,
      await openSession(ROOT_CREDENTIALS.accessKey),
    ]) {
      expect(await status(caller, 'PUT', '/open/new', '', { body: 'x' })).toBe(403)
      expect(await status(caller, 'GET', '/open/key')).toBe(200)
    }
    await setSettingDocument(store.engine, 'open', 'policy', undefined)
    expect(await status(user, 'PUT', '/open/new', '', { body: 'x' })).toBe(200)
  })

  test('names users, whose sessions and service accounts it means as well', async () => {
    const [alice, bob] = [await userWith(allow('s3:*', 'open', 'open/*')), await userWith(allow('s3:*', 'closed'))]
    const named = (accessKey: string) => ({ Principal: { AWS: [`arn:aws:iam:::user/${accessKey}`] } })
    await set(
      policy(
        { ...deny('s3:GetObject', 'open/key'), ...named(alice.accessKey) },
        { ...allow('s3:GetObject', 'open/key'), Principal: { AWS: bob.accessKey } },
      ),
    )
    const callers = [alice, await openSession(alice.accessKey), bob, await openSession(bob.accessKey)]
    const answers = callers.map((caller) => status(caller, 'GET', '/open/key'))
    expect(await Promise.all(answers)).toEqual([403, 403, 200, 200])
    expect(await status(bob, 'GET', '/open/public/a')).toBe(403)
    expect(await status('anonymous', 'GET', '/open/key')).toBe(403)
    const narrow = JSON.stringify({ Version: '2012-10-17', Statement: [allow('s3:GetObject', 'open/public/*')] })
    expect(await status(await openSession(bob.accessKey, narrow), 'GET', '/open/key')).toBe(403)
  })

  test('gives a user in a disabled group nothing', async () => {
    const user = await userWith(allow('s3:*', '*'))
    await set(policy(allow('s3:GetObject', 'open/*')))
    await addGroupMembers(store.server.iam, 'suspended', [user.accessKey])
    expect(await status(user, 'GET', '/open/key')).toBe(200)
    await setGroupStatus(store.server.iam, 'suspended', 'disabled')
    expect(await status(user, 'GET', '/open/key')).toBe(403)
    expect(await status(await openSession(user.accessKey), 'GET', '/open/key')).toBe(403)
  })

  test('that denies everything can still be read, replaced and removed by root', async () => {
    const everything = policy(deny('s3:*', 'open', 'open/*'))
    await set(everything)
    expect(await status(ROOT_CREDENTIALS, 'GET', '/open', 'list-type=2')).toBe(403)
    expect(await status(ROOT_CREDENTIALS, 'DELETE', '/open')).toBe(403)
    expect((await store.send({ path: '/open', query: 'policy=' })).text).toBe(everything)
    expect((await set(everything)).status).toBe(204)
    expect(await status(await userWith(allow('s3:*', '*')), 'DELETE', '/open', 'policy=')).toBe(403)
    expect(await status(ROOT_CREDENTIALS, 'DELETE', '/open', 'policy=')).toBe(204)
    expect(await status(ROOT_CREDENTIALS, 'GET', '/open', 'list-type=2')).toBe(200)
  })

  test.each([
    [
      'a user who is not there',
      { Principal: { AWS: 'nobody-of-this-name' } },
      'there is no user "nobody-of-this-name"',
    ],
    ['a pattern', { Principal: { AWS: 'user*' } }, 'is no user of this server'],
    ['a user of an AWS account', { Principal: { AWS: 'arn:aws:iam::123456789012:user/user0' } }, 'is no user of this'],
    ['NotPrincipal', { NotPrincipal: { AWS: '*' } }, 'NotPrincipal: is not supported'],
  ])('about %s is refused by name', async (_, principal, message) => {
    const answer = await set(policyText({ ...deny('s3:GetObject', 'open/*'), ...principal }))
    expect([answer.status, answer.code]).toEqual([400, 'MalformedPolicy'])
    expect(answer.text).toContain(message.replaceAll('"', '&quot;'))
  })

  test('of an older version that is refused today still denies', async () => {
    const user = await userWith(allow('s3:*', '*'))
    const old = policy({ ...deny('s3:GetObject', 'open/*'), Principal: { AWS: 'use*' } })
    await setSettingDocument(store.engine, 'open', 'policy', old)
    expect(await status(user, 'GET', '/open/key')).toBe(403)
  })

  test('comes back as it was put, and goes', async () => {
    const text = policy(allow('s3:GetObject', 'open/*'))
    await set(text)
    expect((await store.send({ path: '/open', query: 'policy=' })).text).toBe(text)
    expect((await store.send({ path: '/open', query: 'policyStatus=' })).text).toContain('<IsPublic>FALSE<')
    await set(policy(allow(['s3:ListBucket'], 'open'), allow(['s3:PutObject', 's3:GetObject'], 'open/*')))
    await store.send({ method: 'DELETE', path: '/open', query: 'policy=' })
    expect((await store.send({ path: '/open', query: 'policy=' })).code).toBe('NoSuchBucketPolicy')
    expect(await status('anonymous', 'GET', '/open/public/a')).toBe(403)
  })

  test('of more than 20 KiB is too large, and one that is not UTF-8 is refused', async () => {
    const padded = (length: number) => policy(allow('s3:GetObject', 'open/*')).padEnd(length)
    expect((await set(padded(20 * 1024))).status).toBe(204)
    expect((await set(padded(20 * 1024 + 1))).code).toBe('PolicyTooLarge')
    const latin = Buffer.from(policy(allow('s3:GetObject', 'open/\xe0*')), 'latin1')
    const answer = await store.send({ method: 'PUT', path: '/open', query: 'policy=', body: latin })
    expect([answer.status, answer.code]).toEqual([400, 'MalformedPolicy'])
  })

  test('a wrong one is refused with what is wrong', async () => {
    const answer = await set(policy(allow('s3:GetObject', 'other/*')))
    expect([answer.status, answer.code]).toEqual([400, 'MalformedPolicy'])
    expect((await set('{')).code).toBe('MalformedPolicy')
  })
})
