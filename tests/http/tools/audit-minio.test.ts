import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import { freePort } from '../../support/processes/ports.ts'

const MANY = 40
/** The name of the webhook in the server's configuration. */
const TARGET = 'audit_webhook:killed'

test.runIf(process.env.STOWAGE_TEST_SERVER)(
  'of a MinIO server with a queue folder no record is missing and none is double while the console is killed',
  async ({ skip }) => {
    const data = await mkdtemp(join(tmpdir(), 'audit-data-'))
    const queue = await mkdtemp(join(tmpdir(), 'audit-queue-'))
    const start = { data, env: { STOWAGE_PORT: await freePort() } }
    const keys = Array.from({ length: 3 * MANY }, (_, n) => `k${n}`)
    let bucket = ''
    const put = async (own: TestConsole, from: number) => {
      for (const Key of keys.slice(from, from + MANY))
        await own.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key }))
    }
    await using own = await startConsole(start)
    bucket = await own.newBucket('queued')
    const { path, token } = await own.call('getAuditReceiver', { query: { source: 'minio' } })
    const receiver = `${own.url}${path.split('?', 1)[0]}`
    try {
      const { restart } = await own.madmin.setConfig(
        `${TARGET} enable=on endpoint=${receiver} auth_token=${token} queue_dir=${queue}`,
      )
      // Servers of 2021 send to a new target only then.
      if (restart) skip('this server has to be restarted')
      const killed = own.stop('SIGKILL')
      await put(own, 0)
      await killed
      await put(own, MANY)
      await using again = await startConsole(start)
      await put(again, 2 * MANY)
      const found = async () => {
        const fp = [`bucket:${bucket}`, 'api_name:PutObject', 'source:minio']
        const { results } = await again.call('searchLogs', { query: { fp, pageSize: 1000 } as never })
        return results.map(({ object }) => object).sort()
      }
      await expect.poll(async () => (await found()).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(keys.length)
      expect(await found()).toEqual(keys.toSorted())
    } finally {
      await own.madmin.deleteConfig(TARGET)
      for (const folder of [data, queue]) await rm(folder, { recursive: true, force: true })
    }
  },
  60_000,
)
