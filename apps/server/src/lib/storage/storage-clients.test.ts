import { once } from 'node:events'
import { expect, test } from 'vitest'
import { useLocalServers } from '../../testing/local-servers.ts'
import type { SessionPayload } from '../session/session-payload.ts'
import { StorageClientFactory, type StorageClients } from './storage-clients.ts'
import { openUpstream } from './upstream.ts'

const { serve } = useLocalServers()

const session: SessionPayload = {
  v: 1,
  kind: 'sts',
  id: 'id',
  user: 'alice',
  accessKey: 'alice',
  secretKey: 'secret',
  sessionToken: 'token',
  revokeType: 'type',
  expires: Date.now() + 60_000,
  region: 'us-east-1',
  distributed: false,
  capabilities: [],
}

test.each<[string, (clients: StorageClients) => Promise<unknown>]>([
  ['an S3 call', ({ s3 }) => s3.getBucketVersioning({ Bucket: 'b' })],
  ['a listing', ({ s3Stream }) => s3Stream.text({ method: 'GET', bucket: 'b' })],
  ['a download', ({ s3Stream }) => s3Stream.content({ method: 'GET', bucket: 'b', key: 'k' })],
  ['an admin call', ({ madmin }) => madmin.getBucketQuota('b')],
  ['a health check', ({ madmin }) => madmin.clusterHealth()],
])('%s ends when its caller disconnects', async (_, call) => {
  const asked = new EventTarget()
  const url = await serve(() => asked.dispatchEvent(new Event('request')))
  const factory = new StorageClientFactory(openUpstream(url, undefined))
  const caller = new AbortController()
  const under = once(asked, 'request')
  const answer = call(factory.forSession(session, { ip: '127.0.0.1', id: 'request' }, caller.signal))
  answer.catch(() => {})
  await under
  caller.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
})

test('an S3 call signs as the session, for the region of the session, and names the caller', async () => {
  const seen: Record<string, unknown>[] = []
  const url = await serve((request, response) => {
    seen.push({ url: request.url, ...request.headers })
    response.end('<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>')
  })
  const { s3 } = new StorageClientFactory(openUpstream(url, undefined)).forSession(
    { ...session, region: 'eu-north-1' },
    { ip: '192.0.2.7', id: 'r-1' },
  )
  expect((await s3.getBucketVersioning({ Bucket: 'b' })).Status).toBe('Enabled')
  expect(seen).toEqual([
    expect.objectContaining({
      url: '/b/?versioning=',
      authorization: expect.stringContaining('Credential=alice/'),
      'x-amz-security-token': 'token',
      'x-forwarded-for': '192.0.2.7',
      'x-request-id': 'r-1',
    }),
  ])
  expect(seen[0]?.authorization).toContain('/eu-north-1/s3/')
})
