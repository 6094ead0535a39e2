import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MiB } from '@stowage/contract/values/units'
import { createMadmin } from '@stowage/madmin'
import { freePorts } from '../../packages/object-store/src/events/targets/testing/free-ports.ts'
import { ROOT_CREDENTIALS, startTestStore } from '../../packages/object-store/src/http/testing/test-store.ts'
import { timed } from '../lib/measure.ts'
import { S3 } from '../lib/s3.ts'
import {
  addTableLine,
  CLIENTS,
  createNotifyingBucket,
  repeatWork,
  type SettingSizes,
  SMALL,
  setConfigLine,
  startHook,
} from './setup.ts'

/** Small puts per second of some server. */
async function putsPerSecond(s3: S3, bucket: string, puts: number): Promise<number> {
  const put = (i: number) => s3.done({ method: 'PUT', path: `/${bucket}/k${i}`, body: SMALL })
  return puts / ((await timed(() => S3.parallel(CLIENTS, puts, put))) / 1000)
}

interface Server {
  name: string
  s3: S3
  buckets: Record<'none' | 'healthy' | 'dead', string>
}

/** Both servers with three buckets: without rules, with a rule of a healthy target, with one of a dead target. */
export async function benchPuts({ puts, runs, peer: program }: SettingSizes): Promise<void> {
  const hook = await startHook()
  const dead = `http://127.0.0.1:${await freePorts()}/`
  await using store = await startTestStore({ events: { allow: '127.0.0.1' } })
  const own = new S3(store.url, ROOT_CREDENTIALS)
  const buckets = { none: 'none', healthy: 'healthy', dead: 'dead' }
  await setConfigLine(store, `notify_webhook:healthy endpoint=${hook.url}`)
  await setConfigLine(store, `notify_webhook:dead endpoint=${dead} queue_limit=1000000`)
  await own.done({ method: 'PUT', path: '/none' })
  for (const id of ['healthy', 'dead']) await createNotifyingBucket(own, id, [`arn:minio:sqs:us-east-1:${id}:webhook`])
  const servers: Server[] = [{ name: 'Stowage', s3: own, buckets }]
  const peer = program === undefined ? undefined : await startMinio(program, hook.url, dead)
  if (peer) servers.push({ name: 'MinIO', s3: peer.s3, buckets })
  const figures = new Map<string, number[]>()
  for (let run = -1; run < runs; run++) {
    for (const bucket of ['none', 'healthy', 'dead'] as const) {
      // In turns, so that other load on the machine affects all alike.
      for (const { name, s3, buckets } of servers) {
        const figure = await putsPerSecond(s3, buckets[bucket], puts)
        const title = `${name}: puts of 1 KiB, ${CLIENTS} clients, ${bucket === 'none' ? 'no' : `a ${bucket}`} target`
        if (run >= 0) figures.set(title, [...(figures.get(title) ?? []), figure])
      }
    }
  }
  for (const [title, each] of figures) addTableLine(title, '1/s', each)
  await peer?.stop()
  hook.close()
}

/** Waits until MinIO has opened its targets, which is after it has reported that it lives. Its ARNs have its region. */
async function waitForTargetArn(url: string, id: string): Promise<string> {
  const madmin = createMadmin({ endpoint: url, credentials: ROOT_CREDENTIALS })
  for (let tries = 0; tries < 300; tries++) {
    const found = (await madmin.serverInfo()).sqsARN.find((arn) => arn.includes(`:${id}:`))
    if (found !== undefined) return found
    await sleep(100)
  }
  throw new Error(`MinIO does not list its target ${id}`)
}

async function startMinio(program: string, healthy: string, dead: string) {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-bench-minio-'))
  const port = await freePorts()
  const target = (id: string, endpoint: string) => ({
    [`MINIO_NOTIFY_WEBHOOK_ENABLE_${id}`]: 'on',
    [`MINIO_NOTIFY_WEBHOOK_ENDPOINT_${id}`]: endpoint,
    [`MINIO_NOTIFY_WEBHOOK_QUEUE_DIR_${id}`]: join(folder, `queue-${id}`),
    [`MINIO_NOTIFY_WEBHOOK_QUEUE_LIMIT_${id}`]: '1000000',
  })
  const child = spawn(program, ['server', join(folder, '{1...4}'), '--address', `127.0.0.1:${port}`], {
    stdio: 'ignore',
    env: {
      HOME: folder,
      MINIO_CI_CD: 'on',
      MINIO_ROOT_USER: ROOT_CREDENTIALS.accessKey,
      MINIO_ROOT_PASSWORD: ROOT_CREDENTIALS.secretKey,
      ...target('healthy', healthy),
      ...target('dead', dead),
    },
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 300; tries++) {
    const isUp = await fetch(`${url}/minio/health/live`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) break
    await sleep(100)
  }
  const s3 = new S3(url, ROOT_CREDENTIALS)
  await s3.done({ method: 'PUT', path: '/none' })
  for (const id of ['healthy', 'dead']) await createNotifyingBucket(s3, id, [await waitForTargetArn(url, id)])
  return {
    s3,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function benchAuditAndCompression({ puts, runs }: SettingSizes): Promise<void> {
  const hook = await startHook()
  await using store = await startTestStore({ events: { allow: '127.0.0.1' } })
  const s3 = new S3(store.url, ROOT_CREDENTIALS)
  await s3.done({ method: 'PUT', path: '/bench' })
  await putsPerSecond(s3, 'bench', puts)
  addTableLine(
    'puts of 1 KiB without audit_webhook',
    '1/s',
    await repeatWork(() => putsPerSecond(s3, 'bench', puts), runs),
  )
  await setConfigLine(store, `audit_webhook:b endpoint=${hook.url}`)
  addTableLine(
    'puts of 1 KiB with audit_webhook',
    '1/s',
    await repeatWork(() => putsPerSecond(s3, 'bench', puts), runs),
  )
  await setConfigLine(store, 'audit_webhook:b enable=off')
  const text = Buffer.from(
    Array.from(
      { length: 16 * 2 ** 13 },
      (_, i) => `${1e9 + i} GET /bucket/key-${(i * 7919) % 10_007} 200 ${i % 977} ms\n`,
    ).join(''),
  ).subarray(0, 4 * MiB)
  const used = () => store.engine.drives().reduce((sum, drive) => sum + drive.used, 0)
  const putText = async (key: string) => {
    const ms = await timed(() => s3.done({ method: 'PUT', path: `/bench/${key}`, body: text }))
    return text.length / MiB / (ms / 1000)
  }
  const ranged = (key: string) => () =>
    timed(() => s3.done({ method: 'GET', path: `/bench/${key}`, headers: { range: 'bytes=3000000-3065535' } }))
  let before = used()
  addTableLine('puts of text, not compressed', 'MiB/s', await repeatWork(() => putText('plain.log'), runs))
  const plain = used() - before
  addTableLine('ranged gets of 64 KiB, not compressed', 'ms', await repeatWork(ranged('plain.log'), 20))
  await setConfigLine(store, 'compression enable=on extensions=.log mime_types=text/*')
  before = used()
  addTableLine('puts of text, compressed', 'MiB/s', await repeatWork(() => putText('small.log'), runs))
  addTableLine('size of compressed text', '% of plain', [(100 * (used() - before)) / plain])
  addTableLine('ranged gets of 64 KiB, compressed', 'ms', await repeatWork(ranged('small.log'), 20))
  hook.close()
}
