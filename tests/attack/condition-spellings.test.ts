import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect } from 'vitest'
import { ownStore } from '../support/console/own-store.ts'
import { sharedConsole } from '../support/console/shared-console.ts'
import type { TestTarget } from '../support/console/test-target.ts'
import { sendAttack } from './signed-request.ts'

/*
 * A header is written in another of its accepted forms. If a condition compared the text instead of its meaning, a Deny would
 * hold for one form alone, and the same request would pass in another.
 */

let c: TestTarget
let Bucket: string
beforeAll(async () => {
  c = await sharedConsole()
  Bucket = c.freshName('spelled')
  await c.s3.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }))
  for (const Key of ['secret', 'other']) await c.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))
})

const userDenied = (Action: string, Condition: object) =>
  c.newUser({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] },
      { Effect: 'Deny', Action: [Action], Resource: ['arn:aws:s3:::*'], Condition },
    ],
  })

async function put(credentials: Awaited<ReturnType<typeof userDenied>>, headers: Record<string, string>, query = '') {
  const path = `/${Bucket}/${c.freshName('copy')}`
  const body = headers['x-amz-copy-source'] === undefined ? 'x' : ''
  const { status, code } = await sendAttack(c.serverUrl, { method: 'PUT', path, headers, body, query, credentials })
  return code ?? status
}

ownStore.test('every spelling of a source that may not be copied is refused', async () => {
  for (const denied of [`${Bucket}/secret`, `/${Bucket}/secret`]) {
    const user = await userDenied('s3:PutObject', { StringEquals: { 's3:x-amz-copy-source': denied } })
    const spellings = ['', '/', '%2F'].flatMap((slash) =>
      ['secret', '%73ecret', 'secret?versionId='].map((key) => `${slash}${Bucket}/${key}`),
    )
    for (const source of [...spellings, `${Bucket}%2Fsecret`]) {
      expect([source, await put(user, { 'x-amz-copy-source': source })]).toEqual([source, 'AccessDenied'])
    }
    expect(await put(user, { 'x-amz-copy-source': `/${Bucket}/other` })).toBe(200)
  }
})

ownStore.test('a version of a source that may not be copied is refused too, also in parts', async () => {
  const user = await userDenied('s3:PutObject', { StringEquals: { 's3:x-amz-copy-source': `${Bucket}/secret` } })
  const { VersionId } = await c.s3.send(new PutObjectCommand({ Bucket, Key: 'secret', Body: 'y' }))
  for (const versionId of ['null', VersionId]) {
    const headers = { 'x-amz-copy-source': `/${Bucket}/secret?versionId=${versionId}` }
    expect(await put(user, headers)).toBe('AccessDenied')
    expect(await put(user, headers, 'partNumber=1&uploadId=none')).toBe('AccessDenied')
  }
})

ownStore.test('only a permitted source may be copied, however it is written', async () => {
  const user = await userDenied('s3:PutObject', { StringNotLike: { 's3:x-amz-copy-source': `/${Bucket}/other*` } })
  expect(await put(user, { 'x-amz-copy-source': `${Bucket}/other` })).toBe(200)
  expect(await put(user, { 'x-amz-copy-source': `/${Bucket}/%6fther` })).toBe(200)
  expect(await put(user, { 'x-amz-copy-source': `/${Bucket}/secret` })).toBe('AccessDenied')
})

ownStore.test('a copy without a directive is one that copies the metadata', async () => {
  const user = await userDenied('s3:PutObject', { StringEquals: { 's3:x-amz-metadata-directive': 'COPY' } })
  const source = { 'x-amz-copy-source': `/${Bucket}/other` }
  expect(await put(user, source)).toBe('AccessDenied')
  expect(await put(user, { ...source, 'x-amz-metadata-directive': 'REPLACE' })).toBe(200)
  expect(await put(user, {})).toBe(200)
})

ownStore.test('a key of encryption that may not be used is refused by its name and by its ARN', async () => {
  const keyHeader = 'x-amz-server-side-encryption-aws-kms-key-id'
  const kms = { 'x-amz-server-side-encryption': 'aws:kms' }
  for (const denied of ['minio-default-key', 'arn:aws:kms:minio-default-key']) {
    const user = await userDenied('s3:PutObject', { StringEquals: { [`s3:${keyHeader}`]: denied } })
    for (const used of ['minio-default-key', 'arn:aws:kms:minio-default-key']) {
      expect(await put(user, { ...kms, [keyHeader]: used })).toBe('AccessDenied')
    }
  }
})

ownStore.test('a lock that may not be set is refused in capitals, small letters and any time zone', async () => {
  const until = new Date(Date.now() + 86_400_000)
  const lock = (mode: string, date = until.toISOString()) => ({
    'x-amz-object-lock-mode': mode,
    'x-amz-object-lock-retain-until-date': date,
  })
  const noCompliance = await userDenied('s3:PutObject', { StringEquals: { 's3:object-lock-mode': 'COMPLIANCE' } })
  for (const mode of ['COMPLIANCE', 'compliance', 'Compliance']) {
    expect(await put(noCompliance, lock(mode))).toBe('AccessDenied')
  }
  expect(await put(noCompliance, lock('governance'))).toBe(200)
  const noHold = await userDenied('s3:PutObject', { StringEquals: { 's3:object-lock-legal-hold': 'ON' } })
  for (const hold of ['ON', 'on'])
    expect(await put(noHold, { 'x-amz-object-lock-legal-hold': hold })).toBe('AccessDenied')
  const limit = {
    DateGreaterThan: { 's3:object-lock-retain-until-date': new Date(Date.now() + 3_600_000).toISOString() },
  }
  const short = await userDenied('s3:PutObject', limit)
  const elsewhere = `${new Date(until.getTime() - 5 * 3_600_000).toISOString().slice(0, 19)}-05:00`
  expect(await put(short, lock('GOVERNANCE', elsewhere))).toBe('AccessDenied')
})
