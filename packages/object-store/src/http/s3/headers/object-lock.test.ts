import {
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectLegalHoldCommand,
  GetObjectLockConfigurationCommand,
  GetObjectRetentionCommand,
  HeadObjectCommand,
  PutObjectCommand,
  PutObjectLegalHoldCommand,
  PutObjectLockConfigurationCommand,
  PutObjectRetentionCommand,
} from '@aws-sdk/client-s3'
import type { SigningCredentials } from '@stowage/sigv4'
import { afterAll, describe, expect, test } from 'vitest'
import { setPolicy } from '../../../iam/policies.ts'
import { setPolicies } from '../../../iam/policy-mappings.ts'
import { setUser } from '../../../iam/users.ts'
import { ROOT_CREDENTIALS, sdkErrorCode, startWithBucket } from '../../testing/test-store.ts'

const { store, s3, put } = await startWithBucket('plain')
afterAll(() => store[Symbol.asyncDispose]())
await store.send({ method: 'PUT', path: '/locked', headers: { 'x-amz-bucket-object-lock-enabled': 'true' } })

const Bucket = 'locked'
const tomorrow = () => new Date(Date.now() + 86_400_000)
const until = () => tomorrow().toISOString()
const remove = (Key: string, VersionId: string | undefined, BypassGovernanceRetention?: boolean) =>
  sdkErrorCode(s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId, BypassGovernanceRetention })))

let users = 0
/** Creates a user with these actions on all resources. */
async function userWith(...Action: string[]): Promise<SigningCredentials> {
  const name = `user${users++}`
  const { iam } = store.server
  await setUser(iam, name, 'secret-of-user', 'enabled')
  const Statement = [{ Effect: 'Allow', Action, Resource: ['arn:aws:s3:::*'] }]
  await setPolicy(iam, name, JSON.stringify({ Version: '2012-10-17', Statement }))
  await setPolicies(iam, { kind: 'user', name }, [name])
  return { accessKey: name, secretKey: 'secret-of-user' }
}

test('the default retention of a bucket is set, read and given to new versions', async () => {
  const rule = { DefaultRetention: { Mode: 'GOVERNANCE', Days: 2 } } as const
  const get = () => s3.send(new GetObjectLockConfigurationCommand({ Bucket: 'defaults' }))
  await store.send({ method: 'PUT', path: '/defaults', headers: { 'x-amz-bucket-object-lock-enabled': 'true' } })
  expect((await get()).ObjectLockConfiguration).toEqual({ ObjectLockEnabled: 'Enabled' })
  const ObjectLockConfiguration = { ObjectLockEnabled: 'Enabled', Rule: rule } as const
  await s3.send(new PutObjectLockConfigurationCommand({ Bucket: 'defaults', ObjectLockConfiguration }))
  expect((await get()).ObjectLockConfiguration).toEqual(ObjectLockConfiguration)
  await put('k', 'x', { Bucket: 'defaults' })
  const head = await s3.send(new HeadObjectCommand({ Bucket: 'defaults', Key: 'k' }))
  expect(head.ObjectLockMode).toBe('GOVERNANCE')
  expect((head.ObjectLockRetainUntilDate?.getTime() ?? 0) - Date.now()).toBeGreaterThan(47 * 3_600_000)
  const ofPlain = s3.send(new PutObjectLockConfigurationCommand({ Bucket: 'plain', ObjectLockConfiguration }))
  expect(await sdkErrorCode(ofPlain)).toBe('InvalidBucketState')
  expect(await sdkErrorCode(s3.send(new GetObjectLockConfigurationCommand({ Bucket: 'plain' })))).toBe(
    'ObjectLockConfigurationNotFoundError',
  )
})

test('a version with retention is kept; retention and hold are read back', async () => {
  const ObjectLockRetainUntilDate = tomorrow()
  const { VersionId } = await put('k', 'x', { Bucket, ObjectLockMode: 'COMPLIANCE', ObjectLockRetainUntilDate })
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: 'k' }))
  expect(head).toMatchObject({ ObjectLockMode: 'COMPLIANCE', ObjectLockRetainUntilDate })
  const named = { Bucket, Key: 'k', VersionId }
  expect((await s3.send(new GetObjectRetentionCommand(named))).Retention?.Mode).toBe('COMPLIANCE')
  expect(await remove('k', VersionId, true)).toBe('InvalidRequest')
  expect(await sdkErrorCode(s3.send(new GetObjectLegalHoldCommand(named)))).toBe('NoSuchObjectLockConfiguration')
  await s3.send(new PutObjectLegalHoldCommand({ ...named, LegalHold: { Status: 'ON' } }))
  expect((await s3.send(new GetObjectLegalHoldCommand(named))).LegalHold?.Status).toBe('ON')
  expect((await s3.send(new HeadObjectCommand(named))).ObjectLockLegalHoldStatus).toBe('ON')
  const { Errors, Deleted } = await s3.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'k', VersionId }, { Key: 'absent' }] } }),
  )
  expect(Errors?.map(({ Code }) => Code)).toEqual(['InvalidRequest'])
  expect(Deleted).toHaveLength(1)
})

test('the headers of a copy and of an upload lock what they make, and those of the source do not', async () => {
  await put('source', 'x', { Bucket, ObjectLockLegalHoldStatus: 'ON' })
  const copy = { Bucket, CopySource: 'locked/source' }
  await s3.send(new CopyObjectCommand({ ...copy, Key: 'free' }))
  await s3.send(new CopyObjectCommand({ ...copy, Key: 'held', ObjectLockLegalHoldStatus: 'ON' }))
  const legalHoldStatus = async (Key: string) =>
    (await s3.send(new HeadObjectCommand({ Bucket, Key }))).ObjectLockLegalHoldStatus
  expect([await legalHoldStatus('free'), await legalHoldStatus('held')]).toEqual([undefined, 'ON'])
  const upload = (bucket: string) =>
    s3.send(
      new CreateMultipartUploadCommand({
        Bucket: bucket,
        Key: 'parts',
        ObjectLockMode: 'GOVERNANCE',
        ObjectLockRetainUntilDate: tomorrow(),
      }),
    )
  expect(await sdkErrorCode(upload('plain'))).toBe('InvalidRequest')
  const { UploadId } = await upload(Bucket)
  const query = `partNumber=1&uploadId=${UploadId}`
  const part = await store.send({ method: 'PUT', path: '/locked/parts', query, body: 'x' })
  const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${part.headers.etag}</ETag></Part></CompleteMultipartUpload>`
  await store.send({ method: 'POST', path: '/locked/parts', query: `uploadId=${UploadId}`, body })
  expect((await s3.send(new HeadObjectCommand({ Bucket, Key: 'parts' }))).ObjectLockMode).toBe('GOVERNANCE')
})

describe('rights', () => {
  const governed = async (Key: string) =>
    put(Key, 'x', { Bucket, ObjectLockMode: 'GOVERNANCE', ObjectLockRetainUntilDate: tomorrow() })

  test('the right to write is not enough to lock', async () => {
    const writer = store.s3(await userWith('s3:PutObject', 's3:GetObject'))
    const mode = { ObjectLockMode: 'GOVERNANCE', ObjectLockRetainUntilDate: tomorrow() } as const
    const send = (client: typeof s3, Key: string, more: object) =>
      sdkErrorCode(client.send(new PutObjectCommand({ Bucket, Key, Body: 'x', ...more })))
    expect(await send(writer, 'by-writer', {})).toBe('no error')
    expect(await send(writer, 'by-writer', mode)).toBe('AccessDenied')
    expect(await send(writer, 'by-writer', { ObjectLockLegalHoldStatus: 'ON' })).toBe('AccessDenied')
    const locker = store.s3(await userWith('s3:PutObject', 's3:PutObjectRetention'))
    expect(await send(locker, 'by-locker', mode)).toBe('no error')
    // A read of an object includes its lock only for callers with the right to read locks.
    const headers = (await store.send({ method: 'HEAD', path: '/locked/by-locker', credentials: ROOT_CREDENTIALS }))
      .headers
    expect(headers['x-amz-object-lock-mode']).toBe('GOVERNANCE')
    const reader = await userWith('s3:GetObject')
    const shown = (await store.send({ method: 'HEAD', path: '/locked/by-locker', credentials: reader })).headers
    expect(shown['x-amz-object-lock-mode']).toBeUndefined()
  })

  test('governance is bypassed only with both the header and the right', async () => {
    const { VersionId } = await governed('governed')
    const named = { Bucket, Key: 'governed', VersionId }
    const deleter = store.s3(await userWith('s3:DeleteObjectVersion', 's3:PutObjectRetention'))
    const bypass = { BypassGovernanceRetention: true }
    expect(await sdkErrorCode(deleter.send(new DeleteObjectCommand(named)))).toBe('InvalidRequest')
    expect(await sdkErrorCode(deleter.send(new DeleteObjectCommand({ ...named, ...bypass })))).toBe('AccessDenied')
    const none = { ...named, Retention: {}, ...bypass }
    expect(await sdkErrorCode(deleter.send(new PutObjectRetentionCommand(none)))).toBe('AccessDenied')
    expect(await remove('governed', VersionId)).toBe('InvalidRequest')
    expect(await sdkErrorCode(s3.send(new PutObjectRetentionCommand(none)))).toBe('no error')
    expect(await remove('governed', VersionId)).toBe('no error')
    expect(await remove('governed', (await governed('governed')).VersionId, true)).toBe('no error')
  })

  test('a policy may limit for how long', async () => {
    const credentials = await userWith('s3:PutObject')
    const Condition = { NumericLessThanEquals: { 's3:object-lock-remaining-retention-days': '2' } }
    const Statement = [
      {
        Effect: 'Allow',
        Action: 's3:PutObjectRetention',
        Resource: 'arn:aws:s3:::locked/*',
        Principal: { AWS: [credentials.accessKey] },
        Condition,
      },
    ]
    const body = JSON.stringify({ Version: '2012-10-17', Statement })
    const set = await store.send({ method: 'PUT', path: '/locked', query: 'policy', body })
    expect([set.status, set.text]).toEqual([204, ''])
    await put('limited', 'x', { Bucket })
    const retain = (days: number) =>
      sdkErrorCode(
        store.s3(credentials).send(
          new PutObjectRetentionCommand({
            Bucket,
            Key: 'limited',
            Retention: { Mode: 'GOVERNANCE', RetainUntilDate: new Date(Date.now() + days * 86_400_000 - 1000) },
          }),
        ),
      )
    expect(await retain(3)).toBe('AccessDenied')
    expect(await retain(2)).toBe('no error')
    await store.send({ method: 'DELETE', path: '/locked', query: 'policy' })
  })
})

describe('bad input locks nothing', () => {
  test.each([
    [{ 'x-amz-object-lock-mode': 'GOVERNANCE' }, /must both be supplied/],
    [{ 'x-amz-object-lock-retain-until-date': until() }, /must both be supplied/],
    [{ 'x-amz-object-lock-mode': 'NEVER', 'x-amz-object-lock-retain-until-date': until() }, /unknown wormMode/],
    [{ 'x-amz-object-lock-mode': 'GOVERNANCE', 'x-amz-object-lock-retain-until-date': 'tomorrow' }, /ISO 8601/],
    [
      { 'x-amz-object-lock-mode': 'GOVERNANCE', 'x-amz-object-lock-retain-until-date': '2020-01-01T00:00:00Z' },
      /future/,
    ],
    [{ 'x-amz-object-lock-legal-hold': 'maybe' }, /ON or OFF/],
  ])('PUT with %j', async (headers, message) => {
    const { status, text } = await store.send({ method: 'PUT', path: '/locked/bad', headers, body: 'x' })
    expect([status, text]).toEqual([400, expect.stringMatching(message)])
    expect((await store.send({ path: '/locked/bad' })).status).toBe(404)
  })

  test.each([
    ['retention', '<Retention><Mode>GOVERNANCE</Mode></Retention>', 'MalformedXML'],
    ['retention', `<Retention><Mode>X</Mode><RetainUntilDate>${until()}</RetainUntilDate></Retention>`, 'MalformedXML'],
    [
      'retention',
      '<Retention><Mode>GOVERNANCE</Mode><RetainUntilDate>275761-01-01T00:00:00Z</RetainUntilDate></Retention>',
      'InvalidRequest',
    ],
    ['retention', '', 'MalformedXML'],
    ['retention', 'x'.repeat(5000), 'EntityTooLarge'],
    ['legal-hold', '<LegalHold><Status>on</Status></LegalHold>', 'MalformedXML'],
    ['legal-hold', '<Retention><Status>ON</Status></Retention>', 'MalformedXML'],
  ])('PUT ?%s of %s', async (query, body, code) => {
    await put('unlocked', 'x', { Bucket })
    expect((await store.send({ method: 'PUT', path: '/locked/unlocked', query, body })).code).toBe(code)
    expect((await store.send({ path: '/locked/unlocked', query })).code).toBe('NoSuchObjectLockConfiguration')
  })

  test('versions that are not there, markers, and buckets without object lock', async () => {
    const hold = '<LegalHold><Status>ON</Status></LegalHold>'
    const send = async (path: string, query = 'legal-hold') =>
      (await store.send({ method: 'PUT', path, query, body: hold })).code
    expect(await send('/locked/absent')).toBe('NoSuchKey')
    expect(await send('/locked/k', 'legal-hold&versionId=00000000-0000-0000-0000-000000000000')).toBe('NoSuchVersion')
    const { headers } = await store.send({ method: 'DELETE', path: '/locked/marked' })
    expect(await send('/locked/marked', `legal-hold&versionId=${headers['x-amz-version-id']}`)).toBe('MethodNotAllowed')
    await put('k', 'x')
    expect(await send('/plain/k')).toBe('InvalidRequest')
    expect((await store.send({ path: '/plain/k', query: 'retention' })).code).toBe('InvalidRequest')
    expect(await send('/absent/k')).toBe('NoSuchBucket')
  })
})

test('a locked version cannot be removed by other operations', async () => {
  const { VersionId } = await put('detour', 'x', { Bucket, ObjectLockLegalHoldStatus: 'ON' })
  const force = { 'x-minio-force-delete': 'true' }
  expect((await store.send({ method: 'DELETE', path: '/locked/detour', headers: force })).status).toBe(405)
  expect((await store.send({ method: 'DELETE', path: '/locked', headers: force })).status).toBe(405)
  const suspend = '<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>'
  expect((await store.send({ method: 'PUT', path: '/locked', query: 'versioning', body: suspend })).status).toBe(409)
  // Anonymous callers cannot lock, and unsigned headers have no effect.
  const tampered = await store.send({
    method: 'DELETE',
    path: '/locked/detour',
    query: `versionId=${VersionId}`,
    tamper: (headers) => void Object.assign(headers, { 'x-amz-bypass-governance-retention': 'true' }),
  })
  expect(tampered.status).toBe(403)
  expect(await remove('detour', VersionId)).toBe('InvalidRequest')
})
