import { text } from 'node:stream/consumers'
import { createEgress } from '@stowage/egress'
import { SigningKeys } from '@stowage/sigv4'
import { expect, test } from 'vitest'
import { useLocalServers } from '../../testing/local-servers.ts'
import { S3Stream } from '../storage/s3-stream.ts'
import { createTenantUpstream } from './tenant-upstream.ts'

const { serve } = useLocalServers()

test('content of a tenant is read only from addresses that are allowed', async () => {
  const { origin } = await serve((_request, response) => response.end('seen'))
  const read = async (allow: string[]) => {
    const egress = createEgress({ networks: 'private', allow: allow.map((name) => ({ name })) })
    const signer = { accessKey: 'a', secretKey: 'b', sessionToken: '', region: 'us-east-1' }
    const s3 = new S3Stream(createTenantUpstream(origin, egress), signer, new SigningKeys())
    try {
      return await text((await s3.content({ method: 'GET', bucket: 'a', key: 'b' })).body)
    } finally {
      await egress.close()
    }
  }
  expect(await read(['127.0.0.1'])).toBe('seen')
  await expect(read([])).rejects.toMatchObject({ code: 'NotAllowed' })
})
