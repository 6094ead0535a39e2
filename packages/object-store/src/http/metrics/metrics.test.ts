import { CreateBucketCommand, DeleteBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setUser, setUserStatus } from '../../iam/users.ts'
import { type HttpTestStore, ROOT_CREDENTIALS, sdkErrorCode, startTestStore } from '../testing/test-store.ts'
import { MetricsExposition } from './exposition.ts'

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore()
  const { iam } = store.server
  for (const name of ['nobody', 'disabled']) await setUser(iam, name, 'longsecret', 'enabled')
  await setUserStatus(iam, 'disabled', 'disabled')
  const s3 = store.s3()
  await s3.send(new CreateBucketCommand({ Bucket: 'photos' }))
  await s3.send(new PutObjectCommand({ Bucket: 'photos', Key: 'a', Body: 'hello' }))
  await sdkErrorCode(s3.send(new GetObjectCommand({ Bucket: 'photos', Key: 'absent' })))
  await sdkErrorCode(s3.send(new GetObjectCommand({ Bucket: 'never-was', Key: 'a' })))
})
afterAll(() => store[Symbol.asyncDispose]())

interface Signing {
  secret?: string
  alg?: string
  expires?: string
}

const token = (
  claims: JWTPayload,
  { secret = ROOT_CREDENTIALS.secretKey, alg = 'HS512', expires = '1h' }: Signing = {},
) =>
  new SignJWT({ iss: 'prometheus', sub: ROOT_CREDENTIALS.accessKey, ...claims })
    .setProtectedHeader({ alg })
    .setExpirationTime(expires)
    .sign(Buffer.from(secret))

const read = async (name: string, bearer?: string) => {
  const authorization = `Bearer ${bearer ?? (await token({}))}`
  return store.send({ path: `/minio/v2/metrics/${name}`, credentials: 'anonymous', headers: { authorization } })
}

/** Returns samples without the label of the server, which depends on the port. */
const samples = async (name: string) => {
  const { text } = await read(name)
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.replace(/,?server="[^"]*"\} .*$/, '}'), Number(line.split(' ').at(-1))]))
}

describe('a token is refused', () => {
  const none = () => Promise.resolve(new UnsecuredJWT({ iss: 'prometheus', sub: ROOT_CREDENTIALS.accessKey }).encode())
  test.each<[string, () => Promise<string>]>([
    ['without a signature', none],
    ['of HS256', () => token({}, { alg: 'HS256' })],
    ['of another issuer', () => token({ iss: 'console' })],
    ['that has expired', () => token({}, { expires: '-1s' })],
    ['with a wrong secret', () => token({}, { secret: 'another-secret' })],
    ['of an unknown user', () => token({ sub: 'stranger' })],
    ['of a disabled user', () => token({ sub: 'disabled' }, { secret: 'longsecret' })],
    ['of a user without the right', () => token({ sub: 'nobody' }, { secret: 'longsecret' })],
    ['whose access key is no text', () => token({ accessKey: { $ne: '' } })],
    ['that is none', () => Promise.resolve('a.b.c')],
    ['that is empty', () => Promise.resolve('')],
  ])('%s', async (_, make) => {
    const before = (await samples('cluster')).get('minio_s3_requests_rejected_auth_total{}') ?? Number.NaN
    const { status, code, text } = await read('cluster', await make())
    expect([status, code]).toEqual([403, 'AccessDenied'])
    expect(text).not.toContain('minio_')
    expect((await samples('cluster')).get('minio_s3_requests_rejected_auth_total{}')).toBe(before + 1)
  })

  test('but its own user is let in, by sub or accessKey', async () => {
    expect((await read('node')).status).toBe(200)
    expect((await read('node', await token({ sub: 'x', accessKey: ROOT_CREDENTIALS.accessKey }))).status).toBe(200)
  })

  test('as is a signature of S3', async () => {
    expect((await store.send({ path: '/minio/v2/metrics/cluster' })).status).toBe(403)
  })
})

test('metrics may be public', async () => {
  await using open = await startTestStore({ publicMetrics: true })
  const answer = await open.send({ path: '/minio/v2/metrics/cluster', credentials: 'anonymous' })
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
})

test('requests are counted by call, usage by now', async () => {
  const now = await samples('cluster')
  expect(Object.fromEntries(now)).toMatchObject({
    'minio_s3_requests_total{api="putobject"}': 1,
    'minio_s3_requests_total{api="putbucket"}': 1,
    'minio_s3_requests_total{api="getobject"}': 2,
    'minio_s3_requests_4xx_errors_total{api="getobject"}': 2,
    'minio_s3_requests_ttfb_seconds_distribution{api="getobject",le="+Inf"}': 2,
    'minio_cluster_usage_object_total{}': 1,
    'minio_cluster_usage_total_bytes{}': 5,
    'minio_cluster_drive_online_total{}': 2,
    'minio_cluster_disk_online_total{}': 2,
    'minio_cluster_health_status{}': 1,
  })
  expect(now.get('minio_s3_traffic_received_bytes{}')).toBeGreaterThanOrEqual(5)
  // Values that the store does not have are left out, not sent as 0.
  expect([...now.keys()].filter((name) => /go_routine|inter_node|waiting|heal_objects|NaN/.test(name))).toEqual([])
})

test('a bucket has series while it exists, and its namesake begins anew', async () => {
  const s3 = store.s3()
  const now = await samples('bucket')
  expect(now.get('minio_bucket_requests_total{api="putobject",bucket="photos"}')).toBe(1)
  expect(now.get('minio_bucket_usage_object_total{bucket="photos"}')).toBe(1)
  expect([...now.keys()].filter((name) => name.includes('never-was'))).toEqual([])
  const Bucket = 'passing'
  const made = 'minio_bucket_requests_total{api="putbucket",bucket="passing"}'
  const counted = 'minio_bucket_requests_total{api="getobject",bucket="passing"}'
  await s3.send(new CreateBucketCommand({ Bucket }))
  await sdkErrorCode(s3.send(new GetObjectCommand({ Bucket, Key: 'absent' })))
  expect((await samples('bucket')).get(counted)).toBe(1)
  await s3.send(new DeleteBucketCommand({ Bucket }))
  expect([...(await samples('bucket')).keys()].filter((name) => name.includes(Bucket))).toEqual([])
  await s3.send(new CreateBucketCommand({ Bucket }))
  const anew = await samples('bucket')
  expect([anew.get(made), anew.get(counted)]).toEqual([1, undefined])
})

test('all buckets are reported, not only the first hundred', async () => {
  await Promise.all(Array.from({ length: 120 }, (_, i) => store.engine.createBucket(`many-${i}`)))
  const names = [...(await samples('bucket')).keys()]
  expect(names.filter((name) => name.startsWith('minio_bucket_usage_object_total{bucket="many-'))).toHaveLength(120)
})

test('the machine', async () => {
  expect(Object.fromEntries(await samples('node'))).toMatchObject({
    'minio_node_drive_total{}': 2,
    'minio_node_drive_online_total{}': 2,
    'minio_node_drive_offline_total{}': 0,
  })
  const now = await samples('resource')
  expect(now.get('minio_node_mem_total{}')).toBeGreaterThan(0)
  expect([...now.values()].filter((value) => !Number.isFinite(value))).toEqual([])
})

test('label values are escaped, and the lines of a family are adjacent', () => {
  const out = new MetricsExposition('a"b')
  out.add('minio_bucket_usage_total_bytes', 1, { bucket: 'x"} 1\n\\' })
  out.add('minio_cluster_bucket_total', 2)
  out.add('minio_bucket_usage_total_bytes', 3)
  expect(out.toString().split('\n').slice(2, 4)).toEqual([
    'minio_bucket_usage_total_bytes{bucket="x\\"} 1\\n\\\\",server="a\\"b"} 1',
    'minio_bucket_usage_total_bytes{server="a\\"b"} 3',
  ])
})
