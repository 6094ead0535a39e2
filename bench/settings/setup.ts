import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMadmin } from '@stowage/madmin'
import { type HttpTestStore, ROOT_CREDENTIALS } from '../../packages/object-store/src/http/testing/test-store.ts'
import { summarizeFigures } from '../lib/measure.ts'
import type { S3 } from '../lib/s3.ts'

/** What all parts of `bench/settings.ts` need. */

export interface SettingSizes {
  readonly events: number
  readonly puts: number
  readonly queued: number
  readonly history: number
  readonly runs: number
  /** The program of MinIO. */
  readonly peer?: string | undefined
}

export const CLIENTS = 32
export const SMALL = Buffer.alloc(1024, 'stowage ')

/** Lines of the table. */
export const tableLines: string[] = []
/** The issue states no targets, so that their column has a dash. */
export const addTableLine = (what: string, unit: string, figures: readonly number[]) =>
  tableLines.push(`| ${what} | ${unit} | ${summarizeFigures(figures)} | – |`)
export const repeatWork = async (work: () => Promise<number>, runs: number) => {
  const figures: number[] = []
  for (let run = 0; run < runs; run++) figures.push(await work())
  return figures
}

export const setConfigLine = (store: HttpTestStore, line: string) =>
  createMadmin({ endpoint: store.url, credentials: ROOT_CREDENTIALS }).setConfig(line)
export const waitUntilDone = async (done: () => boolean | undefined) => {
  for (const end = performance.now() + 120_000; !done(); ) {
    if (performance.now() > end) throw new Error('not done within two minutes')
    await sleep(1)
  }
}

/** A webhook that takes everything. */
export async function startHook() {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => void server.close() }
}

export async function createNotifyingBucket(s3: S3, bucket: string, arns: readonly string[]): Promise<void> {
  await s3.done({ method: 'PUT', path: `/${bucket}` })
  const queues = arns.map(
    (arn) => `<QueueConfiguration><Queue>${arn}</Queue><Event>s3:ObjectCreated:*</Event></QueueConfiguration>`,
  )
  const body = Buffer.from(`<NotificationConfiguration>${queues.join('')}</NotificationConfiguration>`)
  await s3.done({ method: 'PUT', path: `/${bucket}`, query: { notification: '' }, body })
}
