import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import path from 'node:path'
import { CreateBucketCommand, CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { openAdminBody, sealAdminBody } from '@stowage/madmin/sealing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StaleUploads } from '../../../applied-config/stale-uploads.ts'
import { CONFIG_REGISTRY } from '../../../config/config-registry.ts'
import {
  type HttpTestStore,
  presignedPath,
  ROOT_CREDENTIALS,
  sdkErrorCode,
  startTestStore,
} from '../../testing/test-store.ts'

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore({ region: undefined, environment: { MINIO_SITE_NAME: 'rack-7' } })
})
afterAll(() => store[Symbol.asyncDispose]())

type Credentials = typeof ROOT_CREDENTIALS

async function admin(
  method: string,
  call: string,
  body?: string | object,
  credentials: Credentials = ROOT_CREDENTIALS,
) {
  const [path = '', query = ''] = call.split('?')
  const sealed =
    body === undefined
      ? undefined
      : await sealAdminBody(typeof body === 'string' ? body : JSON.stringify(body), credentials.secretKey)
  return store.send({
    method,
    path: `/minio/admin/v3/${path}`,
    query,
    region: '',
    credentials,
    ...(sealed ? { body: sealed } : {}),
  })
}
const set = (text: string) => admin('PUT', 'set-config-kv', text)
const text = async (call: string) =>
  (await openAdminBody((await admin('GET', call)).body, ROOT_CREDENTIALS.secretKey)).toString()

describe('config calls', () => {
  test('set, show, reset and say whether it is in force', async () => {
    const answer = await set('api requests_max=500 cluster_deadline=10s cors_allow_origin="https://a.example"')
    expect([answer.status, answer.headers['x-minio-config-applied']]).toEqual([200, 'true'])
    expect(await text('get-config-kv?key=api')).toBe(
      'api requests_max=500 cluster_deadline=10s cors_allow_origin=https://a.example root_access=on stale_uploads_expiry=24h stale_uploads_cleanup_interval=6h object_max_versions=9223372036854775807 \n',
    )
    expect((await admin('DELETE', 'del-config-kv', 'api')).headers['x-minio-config-applied']).toBe('true')
    expect(await text('get-config-kv?key=api')).toContain('requests_max=0 cluster_deadline=10s cors_allow_origin=* ')
    const later = await set('site comment="two words"')
    expect([later.status, later.headers['x-minio-config-applied']]).toEqual([200, undefined])
    expect(await text('get-config-kv?key=site')).toBe(
      '# MINIO_SITE_NAME=rack-7\nsite name= region= comment="two words" \n',
    )
  })

  test('export and import everything', async () => {
    await set('scanner speed=slow')
    const all = await text('config')
    expect(all).toContain('scanner speed=slow \n')
    await set('scanner speed=fast')
    expect((await admin('PUT', 'config', all)).status).toBe(200)
    expect(await text('config')).toBe(all)
  })

  test('list and explain what there is', async () => {
    const list = JSON.parse((await admin('GET', 'help-config-kv?subSys=&key=')).text)
    expect(list.keysHelp.map(({ key }: { key: string }) => key)).toEqual(CONFIG_REGISTRY.map(({ name }) => name))
    const api = JSON.parse((await admin('GET', 'help-config-kv?subSys=api&key=requests_max')).text)
    expect(api).toMatchObject({
      subSys: 'api',
      multipleTargets: false,
      keysHelp: [{ key: 'requests_max', type: 'number', optional: true }],
    })
    const variables = JSON.parse((await admin('GET', 'help-config-kv?subSys=api&key=&env=')).text)
    expect(variables.keysHelp[0].key).toBe('MINIO_API_REQUESTS_MAX')
  })

  test('keep a history with the user of each change', async () => {
    await admin('DELETE', 'clear-config-history-kv?restoreId=all')
    await set('heal bitrotscan=off')
    await set('heal bitrotscan=on')
    const list = async (count: number) => JSON.parse(await text(`list-config-history-kv?count=${count}`))
    const [first, second] = await list(10)
    expect([first.data, second.data, first.user]).toEqual([
      'heal bitrotscan=off \n',
      'heal bitrotscan=on \n',
      ROOT_CREDENTIALS.accessKey,
    ])
    expect(Date.parse(first.createTime)).toBeLessThan(Date.parse(second.createTime))
    expect(await list(1)).toEqual([second])
    expect((await admin('PUT', `restore-config-history-kv?restoreId=${first.restoreId}`)).status).toBe(200)
    expect(await text('get-config-kv?key=heal')).toBe('heal bitrotscan=off \n')
    await set('heal bitrotscan=on')
  })

  test.each([
    ['PUT', 'set-config-kv', 'nonsense a=1', 'XMinioConfigError'],
    ['PUT', 'set-config-kv', 'api requests_max=x', 'XMinioAdminConfigBadJSON'],
    ['GET', 'get-config-kv?key=nonsense', undefined, 'XMinioConfigError'],
    ['GET', 'get-config-kv?key=api:other', undefined, 'XMinioConfigError'],
    ['GET', 'get-config-kv', undefined, 'XMinioAdminVersionMismatch'],
    ['GET', 'help-config-kv?subSys=nonsense&key=', undefined, 'XMinioConfigError'],
    ['GET', 'list-config-history-kv?count=-1', undefined, 'XMinioAdminInvalidArgument'],
    ['DELETE', 'clear-config-history-kv?restoreId=none', undefined, 'XMinioConfigNotFoundError'],
    ['PUT', 'restore-config-history-kv?restoreId=..%2Fnone', undefined, 'XMinioConfigNotFoundError'],
    ['DELETE', 'del-config-kv', 'site:other', 'XMinioConfigNotFoundError'],
  ])('%s %s with %j fails with %s', async (method, call, body, expected) => {
    expect((await admin(method, call, body)).code).toBe(expected)
  })

  test('refuse a body that is plain, of another key, or too large', async () => {
    const plain = await store.send({ method: 'PUT', path: '/minio/admin/v3/set-config-kv', body: 'api requests_max=1' })
    expect(plain.code).toBe('XMinioAdminConfigBadJSON')
    const other = await sealAdminBody('api requests_max=1', 'another-secret')
    expect((await store.send({ method: 'PUT', path: '/minio/admin/v3/set-config-kv', body: other })).code).toBe(
      'XMinioAdminConfigBadJSON',
    )
    expect((await set(`site comment="${'x'.repeat(2 ** 20)}"`)).code).toBe('XMinioAdminConfigTooLarge')
  })

  test('need the right to change the configuration', async () => {
    await admin('PUT', 'add-user?accessKey=plain', { secretKey: 'plain-secret', status: 'enabled' })
    const plain = { accessKey: 'plain', secretKey: 'plain-secret' }
    const calls = [
      'GET get-config-kv?key=api',
      'GET config',
      'GET help-config-kv?subSys=&key=',
      'GET list-config-history-kv?count=1',
    ]
    for (const call of [...calls, 'PUT set-config-kv', 'DELETE del-config-kv', 'PUT config']) {
      const [method = '', path = ''] = call.split(' ')
      expect([call, (await admin(method, path, undefined, plain)).code]).toEqual([call, 'AccessDenied'])
    }
  })
})

describe('in force at once', () => {
  test('requests_max, for S3 and not for the admin API', async () => {
    await set('api requests_max=1')
    await store.s3().send(new CreateBucketCommand({ Bucket: 'limited' }))
    // An upload without its body occupies the only place.
    const upload = httpRequest({
      host: '127.0.0.1',
      port: store.port,
      method: 'PUT',
      path: presignedPath(store.port, 'PUT', '/limited/slow'),
      headers: { 'content-length': 10, expect: '100-continue' },
    })
    upload.on('error', () => undefined)
    upload.flushHeaders()
    await once(upload, 'continue')
    const refused = await store.send({ path: '/limited' })
    expect([refused.status, refused.code]).toEqual([503, 'SlowDown'])
    expect((await admin('GET', 'info')).status).toBe(200)
    expect((await admin('DELETE', 'del-config-kv', 'api')).status).toBe(200)
    expect((await store.send({ path: '/limited' })).status).toBe(200)
    upload.destroy()
  })

  test('cors_allow_origin', async () => {
    const originFor = async (origin: string) =>
      (await store.send({ path: '/', headers: { origin } })).headers['access-control-allow-origin']
    expect(await originFor('https://a.example')).toBe('*')
    await set('api cors_allow_origin=https://a.example,https://*.b.example')
    expect(await originFor('https://a.example')).toBe('https://a.example')
    expect(await originFor('https://x.b.example')).toBe('https://x.b.example')
    expect(await originFor('https://a.example.evil')).toBeUndefined()
    expect(await originFor('https://b.example')).toBeUndefined()
    await admin('DELETE', 'del-config-kv', 'api')
  })

  test('root_access, which cannot lock everybody out', async () => {
    const refused = await set('api root_access=off')
    expect([refused.code, refused.text]).toEqual([
      'XMinioAdminConfigBadJSON',
      expect.stringContaining('another enabled user'),
    ])
    await admin('PUT', 'add-user?accessKey=second', { secretKey: 'second-secret', status: 'enabled' })
    await admin('PUT', 'set-user-or-group-policy?policyName=consoleAdmin&userOrGroup=second&isGroup=false')
    expect((await set('api root_access=off')).status).toBe(200)
    expect((await store.send({ path: '/' })).code).toBe('InvalidAccessKeyId')
    const second = { accessKey: 'second', secretKey: 'second-secret' }
    expect((await admin('GET', 'info', undefined, second)).status).toBe(200)
    // The last other administrator is removed, so root is allowed again.
    const mapping = 'set-user-or-group-policy?policyName=readonly&userOrGroup=second&isGroup=false'
    expect((await admin('PUT', mapping, undefined, second)).status).toBe(200)
    expect((await store.send({ path: '/' })).status).toBe(200)
    await admin('DELETE', 'del-config-kv', 'api')
  })

  test('object_max_versions, which keeps what is there', async () => {
    await store.s3().send(new CreateBucketCommand({ Bucket: 'versions' }))
    const put = async (key: string) => (await store.send({ method: 'PUT', path: `/versions/${key}`, body: 'x' })).code
    await store.engine.setBucketSettings('versions', {
      versioning: { status: 'Enabled', excludedPrefixes: [], excludeFolders: false },
    })
    for (let version = 0; version < 3; version++) expect(await put('k')).toBeUndefined()
    await set('api object_max_versions=3')
    expect([await put('k'), await put('other')]).toEqual(['MaxVersionsExceeded', undefined])
    expect((await store.send({ path: '/versions/k' })).text).toBe('x')
    await set('api object_max_versions=4')
    expect(await put('k')).toBeUndefined()
    expect((await set('api object_max_versions=0')).code).toBe('XMinioAdminConfigBadJSON')
    await admin('DELETE', 'del-config-kv', 'api')
  })

  test('compression, of what the settings name', async () => {
    const s3 = store.s3()
    await s3.send(new CreateBucketCommand({ Bucket: 'compressed' }))
    const body = Buffer.alloc(100_000, 'much the same again and again\n')
    const used = () => store.engine.drives().reduce((sum, drive) => sum + drive.used, 0)
    const stored = async (path: string) => {
      const before = used()
      const { headers } = await store.send({ method: 'PUT', path: `/compressed/${path}`, body })
      expect(headers.etag).toBe(`"${createHash('md5').update(body).digest('hex')}"`)
      return used() - before
    }
    const plain = await stored('plain.log')
    await set('compression extensions=.log mime_types=text/x')
    expect(await stored('a.log')).toBeLessThan(plain / 20)
    expect(await stored('a.dat')).toBe(plain)
    const part = await store.send({ path: '/compressed/a.log', headers: { range: 'bytes=70000-70029' } })
    expect([part.status, part.text]).toEqual([206, body.toString('utf8', 70_000, 70_030)])
    await admin('DELETE', 'del-config-kv', 'compression')
    expect(await stored('b.log')).toBe(plain)
  })

  test('the pace of the background check', async () => {
    const paces: unknown[] = []
    const original = store.engine.setScrubPace
    store.engine.setScrubPace = (pace) => paces.push(pace)
    await set('scanner speed=slowest')
    await set('heal bitrotscan=off')
    store.engine.setScrubPace = original
    expect(paces).toEqual([
      { share: 0.01, blobs: true },
      { share: 0.01, blobs: false },
    ])
    await admin('DELETE', 'del-config-kv', 'scanner\nheal')
  })
})

test('cluster_deadline: a drive that hangs counts as absent, and is asked once', async () => {
  await using hung = await startTestStore({ environment: { MINIO_API_CLUSTER_DEADLINE: '50ms' } })
  const health = async () => (await hung.send({ path: '/minio/health/cluster', credentials: 'anonymous' })).status
  expect(await health()).toBe(200)
  // Not all four: each hanging read blocks one of Node's four file threads.
  const files = hung.engine
    .drives()
    .slice(1)
    .map((drive) => path.join(drive.path, 'drive.json'))
  for (const file of files) {
    renameSync(file, `${file}.kept`)
    // Reading a pipe without a writer never returns, as with a broken disk.
    execFileSync('mkfifo', [file])
  }
  // Earlier answers count for a moment.
  await expect.poll(health).toBe(503)
  expect(await health()).toBe(503)
  for (const file of files) {
    writeFileSync(file, '')
    renameSync(`${file}.kept`, file)
  }
  await expect.poll(health).toBe(200)
})

test('the region is in force after a restart', async () => {
  await using other = await startTestStore({ region: undefined, environment: { MINIO_SITE_REGION: 'mars-1' } })
  expect((await other.send({ path: '/', region: 'us-east-1' })).code).toBe('AuthorizationHeaderMalformed')
  expect((await other.send({ path: '/', region: 'mars-1' })).status).toBe(200)
})

test('unfinished uploads are removed when they are old enough', async () => {
  const s3 = store.s3()
  await s3.send(new CreateBucketCommand({ Bucket: 'uploads' }))
  for (const Key of ['a', 'b/c']) await s3.send(new CreateMultipartUploadCommand({ Bucket: 'uploads', Key }))
  const count = async () => (await s3.send(new ListMultipartUploadsCommand({ Bucket: 'uploads' }))).Uploads?.length ?? 0
  let now = Date.now()
  const uploads = new StaleUploads(store.engine, pino({ level: 'silent' }), () => now)
  uploads.configure({ expiryMs: 3_600_000, intervalMs: 3_600_000 })
  expect(await uploads.sweep()).toBe(0)
  expect(await count()).toBe(2)
  now += 3_600_000
  expect(await uploads.sweep()).toBe(2)
  expect(await count()).toBe(0)
  await uploads.stop()
  expect(await sdkErrorCode(s3.send(new ListMultipartUploadsCommand({ Bucket: 'none' })))).toBe('NoSuchBucket')
})
