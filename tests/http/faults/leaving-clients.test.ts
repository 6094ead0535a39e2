import { ListMultipartUploadsCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { MiB } from '@stowage/contract'
import { expect } from 'vitest'
import { startConsoleBehindFaults } from '../../support/console/console-behind-faults.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { pseudoRandomBytes } from '../../support/data/bytes.ts'
import { formAround, type SlowRequest, slowRequest } from '../../support/network/slow-request.ts'
import { openHandles, processMemory } from '../../support/processes/processes.ts'

ownStore.test('clients that leave in the middle of a transfer leave nothing behind', async () => {
  await using together = await startConsoleBehindFaults()
  const { c, network } = together
  const bucket = await c.newBucket()
  const large = 48 * MiB
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'dir/large', Body: pseudoRandomBytes('large', large) }))
  const parted = { params: { bucket }, query: { prefix: 'parted' } }
  const { upload_id: uploadId } = await c.call('createUpload', { ...parted, body: {} })

  const begin = (method: string, path: string, headers: Record<string, string> = {}) =>
    slowRequest(`${c.url}/api/v1/buckets/${bucket}/objects/${path}`, method, {
      authorization: `Bearer ${c.root.session}`,
      ...headers,
    })
  const uploadForm = async (field: string, sent: number) => {
    const form = formAround(field, 'left.bin')
    const request = begin('POST', 'upload', { 'content-type': form.type })
    await request.send(form.before)
    await request.send(pseudoRandomBytes('left', sent))
    return request
  }
  const uploadPart = async () => {
    const path = `uploads/${encodeURIComponent(uploadId)}/1?prefix=parted`
    const request = begin('PUT', path, { 'content-length': String(20 * MiB) })
    await request.send(pseudoRandomBytes('part', 6 * MiB))
    return request
  }
  const download = async (prefix: string) => {
    const request = begin('GET', `download?prefix=${prefix}`)
    request.finish().catch(() => {})
    const answer = await request.head
    expect(answer.statusCode).toBe(200)
    return request
  }
  // Calls for which both kinds of client keep connections.
  await c.call('listObjects', { params: { bucket }, query: {} })
  const before = { handles: openHandles(c.pid), connections: network.open, memory: processMemory(c.pid) }

  for (let round = 0; round < 4; round++) {
    const left: SlowRequest[] = await Promise.all([
      // Of a known size, and of an unknown one: small and in parts.
      uploadForm(String(20 * MiB), 6 * MiB),
      uploadForm('small', 1 * MiB),
      uploadForm('large', 12 * MiB),
      uploadPart(),
      download('dir%2Flarge'),
      download('dir%2F'),
    ])
    for (const request of left) request.leave()
  }

  // Each aborted transfer would leak one; the open ones are kept for the next requests.
  await expect.poll(() => network.open, { timeout: 60_000 }).toBeLessThanOrEqual(before.connections + 8)
  await expect.poll(() => openHandles(c.pid), { timeout: 60_000 }).toBeLessThanOrEqual(before.handles + 10)
  const uploads = async () => {
    const { Uploads = [] } = await c.s3.send(new ListMultipartUploadsCommand({ Bucket: bucket }))
    return Uploads.map((upload) => upload.Key)
  }
  await expect.poll(uploads, { timeout: 60_000 }).toEqual(['parted'])
  const { parts } = await c.call('listUploadParts', { params: { bucket, uploadId }, query: { prefix: 'parted' } })
  expect(parts).toEqual([])
  const { objects } = await c.call('listObjects', { params: { bucket }, query: { recursive: 'true' } })
  expect(objects.map((o) => o.name)).toEqual(['dir/large'])
  // Twenty-four transfers of 6 to 48 MiB were in progress.
  expect(processMemory(c.pid) - before.memory).toBeLessThan(100 * MiB)
  expect(c.output()).not.toContain('a call failed unexpectedly')
})
