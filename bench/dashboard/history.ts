import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { usageSamples } from '../../apps/server/src/lib/metrics/bucket-usage.ts'
import { evaluateTarget } from '../../apps/server/src/lib/metrics/evaluate-series.ts'
import { MetricsHistory } from '../../apps/server/src/lib/metrics/history/history.ts'
import { BUCKET_LEVELS, type HistoryLevel, WIDGET_LEVELS } from '../../apps/server/src/lib/metrics/history/levels.ts'
import type { MetricSample } from '../../apps/server/src/lib/metrics/series/text-format.ts'
import { WIDGETS } from '../../apps/server/src/lib/metrics/series/widget-definitions.ts'
import {
  BYTES_PER_MIB,
  benchFolder,
  collectGarbage,
  DAY,
  days,
  formatMib,
  formatMs,
  medianMs,
  printRow,
  SUMMARY_WIDGETS,
  usedBytes,
} from './setup.ts'

/* The history of metrics, simulated without a server. */

/** Buckets whose history is simulated. */
const HISTORY_BUCKETS = 1000
/** A console rewrites the current files once a minute; simulated days are written less often, to end in time. */
const SAVE_EVERY = 24

/** Simulated days of 200 series: a sample per 5 minutes, of which only the last day is kept as sampled, then per 15 s. */
export async function benchHistory(): Promise<void> {
  const metrics = [...new Set(WIDGETS.flatMap(({ targets }) => targets.map(({ from }) => from[0])))]
  const each = Math.ceil(200 / metrics.length)
  const at = (n: number): MetricSample[] =>
    metrics.flatMap(({ metric, by }) =>
      Array.from({ length: each }, (_, i) => ({
        metric,
        labels: Object.fromEntries(['server', ...by].map((label) => [label, `${label}-${i}`])),
        value: n * (i + 1) + Math.random() * 100,
      })),
    )
  const history = await openHistory('widgets', WIDGET_LEVELS, 750)
  const end = Math.floor(Date.now() / 1000)
  let time = end - days * DAY
  for (let n = 0; time < end - DAY; n++, time += 300) {
    history.append(time, at(n))
    if (n % 288 === 0) await history.save()
  }
  for (; time < end - 3600; time += 15) history.append(time, at(time))
  await history.save()
  collectGarbage()
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
  printRow(`sampler: CPU of a sample, ${count} series`, '–', formatMs((used.user + used.system) / 1000 / samples))
  printRow(
    `sampler: share of a core, every 15 s`,
    '–',
    `${((used.user + used.system) / 1e4 / samples / 15).toFixed(3)} %`,
  )
  collectGarbage()
  const after = process.memoryUsage()
  printRow(
    'sampler: growth of memory over the last simulated hour',
    '0',
    `${formatMib(usedBytes(after) - usedBytes(heap))} MiB`,
  )
  printRow(
    `history: bytes of ${count} series after ${days} days`,
    '≤ 100 MB (400 days)',
    `${formatMib(await folderSize('widgets'))} MiB`,
  )

  const graph = WIDGETS.find(({ id }) => id === 60)
  for (const [name, seconds] of [
    ['15 min', 900],
    ['30 days', 30 * DAY],
    ['a year', 365 * DAY],
  ] as const) {
    const range = { start: end - seconds, end, step: Math.max(15, Math.ceil(seconds / 60)) }
    const took = await medianMs(async () => {
      for (const target of graph?.targets ?? []) await evaluateTarget(target, history, range)
    })
    printRow(`a widget of ${each} lines over ${name}`, '≤ 20 ms', formatMs(took))
    const all = await medianMs(async () => {
      await Promise.all(
        WIDGETS.filter(({ id }) => SUMMARY_WIDGETS.includes(id)).flatMap(({ targets }) =>
          targets.map((target) => evaluateTarget(target, history, range)),
        ),
      )
    })
    printRow(`the widgets of the tab Summary over ${name}`, '≤ 150 ms', formatMs(all))
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
    history.append(time, usageSamples(answer as unknown as Parameters<typeof usageSamples>[0]))
    if (samples % SAVE_EVERY === 0) await history.save()
  }
  await history.save()
  const used = process.cpuUsage(cpu)
  printRow(
    `usage of ${count} buckets: CPU of a sample, written once in ${SAVE_EVERY}`,
    '–',
    formatMs((used.user + used.system) / 1000 / samples),
  )
  const bytes = (await folderSize('buckets')) + (await folderSize('widgets').catch(() => 0))
  printRow(`history: bytes with ${count} buckets after ${days} days`, '≤ 100 MB (400 days)', `${formatMib(bytes)} MiB`)
}

async function openHistory(
  name: string,
  levels: readonly [HistoryLevel, ...HistoryLevel[]],
  gap: number,
): Promise<MetricsHistory> {
  const log = pino({ enabled: false })
  const history = new MetricsHistory({
    folder: join(benchFolder, name),
    levels,
    maxBytes: 512 * BYTES_PER_MIB,
    gap,
    log,
  })
  await history.open()
  return history
}

async function folderSize(name: string): Promise<number> {
  const path = join(benchFolder, name)
  const sizes = await Promise.all((await readdir(path)).map(async (file) => (await stat(join(path, file))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
