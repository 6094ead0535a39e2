import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MiB } from '@stowage/contract/values/units'
import { createMadmin } from '@stowage/madmin'
import { EventQueue } from '../../packages/object-store/src/events/delivery/event-queue.ts'
import { freePorts } from '../../packages/object-store/src/events/targets/testing/free-ports.ts'
import { embeddedStoreProcess, processMemory } from '../../tests/support/processes/processes.ts'
import { timed } from '../lib/measure.ts'
import { startProduct } from '../lib/start-product.ts'
import { addTableLine, type SettingSizes } from './setup.ts'

/** Size of a queue, and start and memory of a store with it, whose target is dead. */
export async function benchQueue({ queued: count }: SettingSizes): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'stowage-bench-queue-'))
  const folder = join(data, 'events', 'webhook-dead')
  const env = { STOWAGE_EGRESS_ALLOW: '127.0.0.1' }
  const endpoint = `http://127.0.0.1:${await freePorts()}/`
  try {
    {
      await using c = await startProduct({ env, data })
      const credentials = { accessKey: c.rootUser, secretKey: c.rootPassword }
      const madmin = createMadmin({ endpoint: c.serverUrl, credentials })
      await madmin.setConfig(`notify_webhook:dead endpoint=${endpoint} queue_limit=10000000`)
    }
    await measureStart(data, env, 0)
    await fill(folder, count)
    const opened: EventQueue[] = []
    addTableLine(`open a queue of ${count} events`, 'ms', [
      await timed(async () => {
        opened.push(await EventQueue.open(folder, 10_000_000))
      }),
    ])
    if (opened[0]?.length !== count) throw new Error('the queue has lost events')
    await opened[0].close()
    await measureStart(data, env, count)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

async function fill(folder: string, count: number): Promise<void> {
  const body = JSON.stringify({ EventName: 's3:ObjectCreated:Put', Key: 'bucket/key', Records: ['x'.repeat(900)] })
  const queue = await EventQueue.open(folder, 10_000_000)
  const ms = await timed(async () => {
    for (let at = 0; at < count; at += 1000) {
      await queue.add(Array.from({ length: 1000 }, (_, i) => ({ seq: at + i + 1, lane: `bucket/${i}`, body })))
    }
  })
  await queue.close()
  const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size))
  addTableLine(`${count} queued events of ${body.length} bytes, on disk`, 'MiB', [
    sizes.reduce((a, b) => a + b, 0) / MiB,
  ])
  addTableLine(`events added to a queue of ${count}`, '1/s', [count / (ms / 1000)])
}

/** Start of console and store until the store reports the length of the queue, and the memory of the store then. */
async function measureStart(data: string, env: Record<string, string>, count: number): Promise<void> {
  const start = performance.now()
  await using c = await startProduct({ env, data })
  for (;;) {
    const { notification_endpoints: targets } = await c.call('listNotificationEndpoints', {})
    if (targets.some(({ queued }) => queued === count)) break
    if (performance.now() - start > 120_000) throw new Error(`the store does not report ${count} events`)
    await sleep(10)
  }
  addTableLine(`start of console and store with ${count} queued events`, 'ms', [performance.now() - start])
  addTableLine(`memory of the store with ${count} queued events`, 'MiB', [
    processMemory(embeddedStoreProcess(c.pid)) / MiB,
  ])
}
