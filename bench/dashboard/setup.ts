import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { timed } from '../lib/measure.ts'

/* What the parts of `dashboard.ts` share: its options, its folder and its table. */

export const { values: benchOptions } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    buckets: { type: 'string', default: '5000' },
    days: { type: 'string', default: '60' },
    objects: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
    data: { type: 'string', default: '' },
    peer: { type: 'string', default: '' },
    'peer-port': { type: 'string', default: '24150' },
    // Of the process that this program starts to measure the memory of the sampler: the storage server.
    sampled: { type: 'string' },
  },
})
export const [runs, buckets, days, objects] = [
  benchOptions.runs,
  benchOptions.buckets,
  benchOptions.days,
  benchOptions.objects,
].map(Number) as [number, number, number, number]
export const DAY = 86_400
export const BYTES_PER_MIB = 1 << 20
export const CLIENTS = 32
/** The widgets of the tab Summary. */
export const SUMMARY_WIDGETS = [1, 64, 65, 68, 52, 44, 61, 80, 81, 66, 62, 53, 63, 50, 69, 70, 9, 78]

/** A temporary folder. The program removes it at its end. */
export const benchFolder = await mkdtemp(join(tmpdir(), 'stowage-bench-'))
export const removeFolder = async () => await rm(benchFolder, { recursive: true, force: true, maxRetries: 5 })

export const printRow = (what: string, target: string, figure: string) =>
  console.log(`| ${what} | ${target} | ${figure} |`)
export const formatMs = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`

export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: CLIENTS }, worker))
}

export async function medianMs(work: () => Promise<unknown>): Promise<number> {
  await work()
  const figures: number[] = []
  for (let i = 0; i < runs; i++) figures.push(await timed(work))
  return figures.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0
}

export function percentile(durations: readonly number[], share = 0.99): number {
  return durations.toSorted((a, b) => a - b)[Math.floor(durations.length * share)] ?? 0
}

/** Collects garbage, so that memory is what is in use. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
}

export function usedBytes({ heapUsed, arrayBuffers }: NodeJS.MemoryUsage): number {
  return heapUsed + arrayBuffers
}

export function formatMib(bytes: number): string {
  return (bytes / BYTES_PER_MIB).toFixed(1)
}
