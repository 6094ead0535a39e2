import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MiB } from '@stowage/contract'
import { expect } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole } from '../../support/console/start-console.ts'
import { bytesDigest, pseudoRandomBytes } from '../../support/data/bytes.ts'

/** A small separate file system; undefined if this user may not mount one. */
function smallDisk(sizeBytes: number): { path: string; [Symbol.dispose](): void } | undefined {
  const path = mkdtempSync(join(tmpdir(), 'stowage-full-'))
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', path])
  if (mount.status !== 0) {
    rmdirSync(path)
    return undefined
  }
  return {
    path,
    [Symbol.dispose]() {
      spawnSync('umount', ['-l', path])
      rmdirSync(path)
    },
  }
}

ownStore.test('a full disk refuses writes with a clear text; reads and deletes go on', async ({ skip }) => {
  using disk = smallDisk(80 * MiB)
  if (!disk) return skip('no small file system could be mounted (needs root)')
  await using c = await startConsole({ data: disk.path, env: { STOWAGE_MIN_FREE: '8MiB' } })
  const bucket = await c.newBucket()
  const params = { bucket }
  const content = pseudoRandomBytes('content', 3 * MiB)
  const upload = async (name: string, bytes: Uint8Array = content) => {
    const form = new FormData()
    form.append(String(bytes.length), new Blob([new Uint8Array(bytes)]), name)
    await c.call('uploadObjects', { params, query: {}, body: form })
  }

  const query = { prefix: 'parted' }
  const { upload_id: uploadId } = await c.call('createUpload', { params, query, body: {} })
  let stored = 0
  const failure = await callFailure(
    (async () => {
      for (;;) {
        await upload(`file ${stored}`)
        stored++
      }
    })(),
  )
  expect(failure).toMatchObject({
    status: 507,
    body: { cause: 'XMinioStorageFull', message: expect.stringMatching(/minimum free drive threshold/) },
  })
  expect(stored).toBeGreaterThan(3)

  const full = { status: 507, body: { cause: 'XMinioStorageFull' } }
  const part = { params: { bucket, uploadId, part: 1 }, query, body: content as never }
  expect(await callFailure(c.call('uploadPart', part))).toMatchObject(full)
  const { objects } = await c.call('listObjects', { params, query: { limit: '100' } })
  expect(objects).toHaveLength(stored)
  for (const { name } of objects) {
    const download = await c.root.send('downloadObject', { params, query: { prefix: name } })
    expect([name, bytesDigest(new Uint8Array(await download.arrayBuffer()))]).toEqual([name, bytesDigest(content)])
  }

  await c.call('deleteObjects', { params, body: objects.slice(0, 3).map(({ name }) => ({ path: name })) })
  await expect.poll(() => upload('after').then(() => 'stored', String), { timeout: 60_000 }).toBe('stored')
  const left = await c.call('listObjects', { params, query: { limit: '100' } })
  expect(left.objects).toHaveLength(stored - 3 + 1)
})
