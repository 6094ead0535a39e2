import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { samplesOf } from '../apps/server/src/lib/metrics/bucket-usage.ts'
import { evaluate } from '../apps/server/src/lib/metrics/evaluate.ts'
import { History } from '../apps/server/src/lib/metrics/history.ts'
import { BUCKET_LEVELS, LEVELS, type Level } from '../apps/server/src/lib/metrics/levels.ts'
import type { Sample } from '../apps/server/src/lib/metrics/text-format.ts'
import { WIDGETS } from '../apps/server/src/lib/metrics/widgets.ts'
import { add, bytesOf, collect, DAY, days, folder, MiB, median, mib, ms, SUMMARY } from './dashboard-common.ts'

/* The history of metrics, simulated without a server. */

/** Buckets whose history is simulated. */
const HISTORY_BUCKETS = 1000
/** A console rewrites the current files once a minute; simulated days are written less often, to end in time. */
const SAVE_EVERY = 24

/** Simulated days of 200 series: a sample per 5 minutes, of which only the last day is kept as sampled, then per 15 s. */
export async function benchHistory(): Promise<void> {
  const metrics = [...new Set(WIDGETS.flatMap(({ targets }) => targets.map(({ from }) => from[0])))]
  const each = Math.ceil(200 / metrics.length)
  const at = (n: number): Sample[] =>
    metrics.flatMap(({ metric, by }) =>
      Array.from({ length: each }, (_, i) => ({
        metric,
        labels: Object.fromEntries(['server', ...by].map((label) => [label, `${label}-${i}`])),
        value: n * (i + 1) + Math.random() * 100,
      })),
    )
  const history = await openHistory('widgets', LEVELS, 750)
  const end = Math.floor(Date.now() / 1000)
  let time = end - days * DAY
  for (let n = 0; time < end - DAY; n++, time += 300) {
    history.append(time, at(n))
    if (n % 288 === 0) await history.save()
  }
  for (; time < end - 3600; time += 15) history.append(time, at(time))
  await history.save()
  collect()
  const heap = process.memoryUsage()
  const cpu = process.cpuUsage()
  let samples = 0
  for (; time < end; samples++, time += 15) {
    history.append(time, at(time))
    // Once a minute.
    if (samples % 4 === 0) await history.save()
  }
  await history.save()
  const used = process.cpuUsage(cpu)
  const count = metrics.length * each
  add(`sampler: CPU of a sample, ${count} series`, '–', ms((used.user + used.system) / 1000 / samples))
  add(`sampler: share of a core, every 15 s`, '–', `${((used.user + used.system) / 1e4 / samples / 15).toFixed(3)} %`)
  collect()
  const after = process.memoryUsage()
  add('sampler: growth of memory over the last simulated hour', '0', `${mib(bytesOf(after) - bytesOf(heap))} MiB`)
  add(
    `history: bytes of ${count} series after ${days} days`,
    '≤ 100 MB (400 days)',
    `${mib(await sizeOf('widgets'))} MiB`,
  )

  const graph = WIDGETS.find(({ id }) => id === 60)
  for (const [name, seconds] of [
    ['15 min', 900],
    ['30 days', 30 * DAY],
    ['a year', 365 * DAY],
  ] as const) {
    const range = { start: end - seconds, end, step: Math.max(15, Math.ceil(seconds / 60)) }
    const took = await median(async () => {
      for (const target of graph?.targets ?? []) await evaluate(target, history, range)
    })
    add(`a widget of ${each} lines over ${name}`, '≤ 20 ms', ms(took))
    const all = await median(async () => {
      await Promise.all(
        WIDGETS.filter(({ id }) => SUMMARY.includes(id)).flatMap(({ targets }) =>
          targets.map((target) => evaluate(target, history, range)),
        ),
      )
    })
    add(`the widgets of the tab Summary over ${name}`, '≤ 150 ms', ms(all))
  }
}

/** The usage of buckets: an hour apart, which is as fine as it is kept beyond the last two hours. */
export async function benchBuckets(): Promise<void> {
  const history = await openHistory('buckets', BUCKET_LEVELS, 7200)
  const count = HISTORY_BUCKETS
  const end = Math.floor(Date.now() / 1000)
  const usage = (n: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `bucket-${i}`,
        // A tenth of the buckets changes all the time.
        { size: i % 10 === 0 ? n * i : i, objects: i % 10 === 0 ? n : 1, versions: i % 10 === 0 ? n : 1 },
      ]),
    )
  const cpu = process.cpuUsage()
  let samples = 0
  for (let time = end - days * DAY; time < end; samples++, time += 3600) {
    const answer = {
      lastUpdate: 'now',
      size: samples,
      objects: samples,
      versions: samples,
      bucketUsage: usage(samples),
    }
    history.append(time, samplesOf(answer as unknown as Parameters<typeof samplesOf>[0]))
    if (samples % SAVE_EVERY === 0) await history.save()
  }
  await history.save()
  const used = process.cpuUsage(cpu)
  add(
    `usage of ${count} buckets: CPU of a sample, written once in ${SAVE_EVERY}`,
    '–',
    ms((used.user + used.system) / 1000 / samples),
  )
  const bytes = (await sizeOf('buckets')) + (await sizeOf('widgets').catch(() => 0))
  add(`history: bytes with ${count} buckets after ${days} days`, '≤ 100 MB (400 days)', `${mib(bytes)} MiB`)
}

async function openHistory(name: string, levels: readonly [Level, ...Level[]], gap: number): Promise<History> {
  const log = pino({ enabled: false })
  const history = new History({ folder: join(folder, name), levels, maxBytes: 512 * MiB, gap, log })
  await history.open()
  return history
}

async function sizeOf(name: string): Promise<number> {
  const path = join(folder, name)
  const sizes = await Promise.all((await readdir(path)).map(async (file) => (await stat(join(path, file))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
