import { Agent } from 'node:http'
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { expect } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { startStore } from '../../support/console/start-store.ts'
import { slowRequest } from '../../support/network/slow-request.ts'

ownStore.test('buckets are host names under the domain that is set', async () => {
  await using store = await startStore({ STOWAGE_STORE_DOMAIN: 'other.example,s3.example.com' })
  const { port } = new URL(store.url)
  // Same answer as a name server of that domain.
  const httpAgent = new Agent({
    lookup: (_host, { all }, done) =>
      all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
  })
  const client = (forcePathStyle: boolean) =>
    new S3Client({
      endpoint: `http://s3.example.com:${port}`,
      region: 'us-east-1',
      forcePathStyle,
      requestHandler: { httpAgent },
      credentials: { accessKeyId: 'rootuser', secretAccessKey: 'rootpassword' },
    })
  const [hosts, paths] = [client(false), client(true)]
  const Bucket = 'a-bucket'
  await hosts.send(new CreateBucketCommand({ Bucket }))
  await hosts.send(new PutObjectCommand({ Bucket, Key: 'dir/ü k', Body: 'by host' }))
  const { Body } = await paths.send(new GetObjectCommand({ Bucket, Key: 'dir/ü k' }))
  expect(await Body?.transformToString()).toBe('by host')
  expect((await hosts.send(new ListObjectsV2Command({ Bucket }))).Contents?.map((o) => o.Key)).toEqual(['dir/ü k'])
  const url = await getSignedUrl(hosts, new GetObjectCommand({ Bucket, Key: 'dir/ü k' }))
  const { host, pathname, search } = new URL(url)
  expect([host, pathname]).toEqual([`a-bucket.s3.example.com:${port}`, '/dir/%C3%BC%20k'])
  const answer = await slowRequest(`${store.url}${pathname}${search}`, 'GET', { host }).finish()
  expect(answer.body.toString()).toBe('by host')
  hosts.destroy()
  paths.destroy()
})
