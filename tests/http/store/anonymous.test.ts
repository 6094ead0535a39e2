import { PutBucketPolicyCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('without a policy an anonymous caller may do nothing', async () => {
  const Bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }))
  for (const [method, path] of [
    ['GET', ''],
    ['GET', `/${Bucket}`],
    ['GET', `/${Bucket}/k`],
    ['HEAD', `/${Bucket}/k`],
    ['PUT', `/${Bucket}/new`],
    ['DELETE', `/${Bucket}/k`],
    ['PUT', `/${c.freshName()}`],
  ] as const) {
    const response = await fetch(`${c.serverUrl}${path}`, { method })
    expect([method, path, response.status]).toEqual([method, path, 403])
  }
})

test('a bucket policy gives everyone the named access, and a denial takes precedence', async () => {
  const Bucket = await c.newBucket()
  for (const Key of ['public/a', 'public/secret/b', 'private/c'])
    await c.s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }))
  const resource = (path: string) => [`arn:aws:s3:::${Bucket}${path}`]
  const policy = {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: '*', Action: ['s3:GetObject'], Resource: resource('/public/*') },
      { Effect: 'Deny', Principal: '*', Action: ['s3:GetObject'], Resource: resource('/public/secret/*') },
      {
        Effect: 'Allow',
        Principal: { AWS: ['*'] },
        Action: ['s3:ListBucket'],
        Resource: resource(''),
        Condition: { StringLike: { 's3:prefix': ['public/*'] } },
      },
    ],
  }
  await c.s3.send(new PutBucketPolicyCommand({ Bucket, Policy: JSON.stringify(policy) }))
  const status = async (path: string, method = 'GET') =>
    (await fetch(`${c.serverUrl}/${Bucket}${path}`, { method })).status
  expect(await status('/public/a')).toBe(200)
  expect(await status('/public/secret/b')).toBe(403)
  expect(await status('/private/c')).toBe(403)
  expect(await status('/public/new', 'PUT')).toBe(403)
  expect(await status('/public/a', 'DELETE')).toBe(403)
  expect(await status('?list-type=2&prefix=public/')).toBe(200)
  expect(await status('?list-type=2&prefix=private/')).toBe(403)
  expect(await status('?list-type=2')).toBe(403)
})

test('PUBLIC lets anonymous callers read and write; PRIVATE does not', async () => {
  const Bucket = await c.newBucket()
  const params = { bucket: Bucket }
  const url = `${c.serverUrl}/${Bucket}/k`
  await c.call('setBucketAccess', { params, body: { access: 'PUBLIC' } })
  expect((await fetch(url, { method: 'PUT', body: 'by anyone' })).status).toBe(200)
  expect(await (await fetch(url)).text()).toBe('by anyone')
  await c.call('setBucketAccess', { params, body: { access: 'PRIVATE' } })
  expect((await fetch(url)).status).toBe(403)
})
