import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { Widget } from '@stowage/contract'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evaluateTarget } from '../../../apps/server/src/lib/metrics/evaluate-series.ts'
import { MetricsHistory } from '../../../apps/server/src/lib/metrics/history/history.ts'
import { WIDGET_LEVELS } from '../../../apps/server/src/lib/metrics/history/levels.ts'
import { Prometheus } from '../../../apps/server/src/lib/metrics/prometheus.ts'
import { COUNTER_METRICS, WIDGETS } from '../../../apps/server/src/lib/metrics/series/widget-definitions.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import { hasPrometheus, promtool, startPrometheus, type TestPrometheus } from '../../support/processes/prometheus.ts'

const WAIT = { timeout: 30_000, interval: 300 }

describe.skipIf(!hasPrometheus || process.env.STOWAGE_TEST_SERVER !== undefined)(
  'a Prometheus scrapes the store',
  () => {
    let folder: string
    let c: TestConsole
    let other: TestConsole
    let prometheus: TestPrometheus
    let config: Awaited<ReturnType<typeof c.call<'connectPrometheus'>>>
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'stowage-promtool-'))
      c = await startConsole({ env: { STOWAGE_METRICS_INTERVAL: '1' } })
      const bucket = await c.newBucket()
      await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a', Body: 'x'.repeat(2000) }))
      await c.s3.send(new GetObjectCommand({ Bucket: bucket, Key: 'absent' })).catch(() => undefined)
      config = await c.call('connectPrometheus', {})
      const text = `global: { scrape_interval: 1s, scrape_timeout: 1s }\n${config.scrape_config}`
      prometheus = await startPrometheus(text)
      const env = { STOWAGE_SERVER: c.serverUrl, STOWAGE_PROMETHEUS_URL: prometheus.url }
      other = await startConsole({ env })
    }, 90_000)
    afterAll(async () => {
      await Promise.all([other[Symbol.asyncDispose](), prometheus[Symbol.asyncDispose]()])
      await c[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    })

    const check = async (what: string, text: string) => {
      const file = join(folder, `${what}.yml`)
      await writeFile(file, text)
      return promtool(['check', what, file])
    }

    test('promtool accepts the scrape configuration and the alert rules', async () => {
      expect((await check('config', config.scrape_config)).output).toContain('is valid prometheus config')
      expect((await check('rules', config.alert_rules)).output).toContain('SUCCESS: 4 rules found')
    })

    test.each(['cluster', 'node', 'bucket', 'resource'])('promtool reads the metrics of %s', async (name) => {
      const [, token = ''] = /bearer_token: (\S+)/.exec(config.scrape_config) ?? []
      const address = `${c.serverUrl}/minio/v2/metrics/${name}`
      const text = await (await fetch(address, { headers: { authorization: `Bearer ${token}` } })).text()
      const { status, output } = promtool(['check', 'metrics'], text)
      // 3: no error, but lints, which the names that MinIO chose cause.
      expect([0, 3]).toContain(status)
      const lints = output.trim().split('\n').filter(Boolean)
      const ofNames =
        /non-histogram and non-summary metrics|counter metrics should have "_total"|non-counter metrics should not have "_total"|use base unit|no help text|metric names should not contain abbreviated units|should not have "le" label/
      expect(lints.filter((line) => !ofNames.test(line))).toEqual([])
    })

    /** The labels of each series with the latest value of each. */
    const latestSeries = ({ targets }: Widget) =>
      new Map(
        targets.flatMap(({ result }, i) =>
          result.map(({ metric, values }) => [
            JSON.stringify([i, metric.server && 'server', metric.api, metric.drive ?? metric.disk, metric.range]),
            Number(values.at(-1)?.[1]),
          ]),
        ),
      )

    test('every widget that shows a value has the same from Prometheus as from our history', async () => {
      const rates = new Set(WIDGETS.filter(({ targets }) => targets[0].compute === 'rate').map(({ id }) => id))
      // These change between two scrapes: time, memory, files and our own requests for them.
      const moving = new Set([1, 61, 8, 76, 81, 64, 65])
      const differing = async () => {
        const end = Date.now() / 1000
        const range = { step: 1, start: end - 60, end }
        const read = async (from: TestConsole) =>
          await Promise.all(
            WIDGETS.map(async ({ id }) => latestSeries(await from.call('getWidget', { params: { id }, query: range }))),
          )
        const [ours, theirs] = await Promise.all([read(c), read(other)])
        return WIDGETS.flatMap(({ id, title }, i) => {
          const [a = new Map<string, number>(), b = new Map<string, number>()] = [ours[i], theirs[i]]
          const exact = !rates.has(id) && !moving.has(id)
          const same =
            a.size === b.size &&
            [...a].every(([key, value]) => (exact ? b.get(key) === value : Number.isFinite(b.get(key))))
          return same ? [] : [{ title, ours: [...a].slice(0, 4), theirs: [...b].slice(0, 4) }]
        })
      }
      // Free inodes and used bytes of a drive may change between two samples.
      await expect.poll(differing, WAIT).toEqual([])
    })
  },
)

test.skipIf(!hasPrometheus)(
  'Prometheus and our history compute the same values from the same samples, within one step',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stowage-history-'))
    try {
      const end = Math.floor(Date.now() / 1000 / 60) * 60 - 7200
      const start = end - 3600
      const sources = new Map(
        WIDGETS.flatMap(({ targets }) => targets.map(({ from }) => [from[0].metric, from[0].by] as const)),
      )
      const log = pino({ enabled: false })
      const history = new MetricsHistory({ folder, levels: WIDGET_LEVELS, maxBytes: 1 << 30, gap: 40, log })
      await history.open()
      const past: string[] = []
      const lines = new Map<string, string[]>()
      for (let n = 0; n <= 240; n++) {
        const time = start + n * 15
        const samples = [...sources].flatMap(([metric, by]) =>
          ['a', 'b'].map((name, s) => ({
            metric,
            labels: Object.fromEntries(['server', 'instance', ...by].map((label) => [label, `${label}-${name}`])),
            // Counters grow faster from half on, and one of them is reset at a third.
            value: COUNTER_METRICS.has(metric)
              ? (s === 0 && n >= 80 ? n - 80 : n) * 30 + Math.max(0, n - 120) * 60
              : 100 + s * 10 + Math.sin(n / 20) * 50,
          })),
        )
        history.append(time, samples)
        for (const { metric, labels, value } of samples) {
          const pairs = Object.entries({ ...labels, job: 'minio-job' }).map(([name, text]) => `${name}="${text}"`)
          lines.set(metric, [...(lines.get(metric) ?? []), `${metric}{${pairs.join(',')}} ${value} ${time}`])
        }
      }
      for (const each of lines.values()) past.push(...each)
      await using real = await startPrometheus('scrape_configs: []\n', `${past.join('\n')}\n# EOF\n`)
      const prometheus = new Prometheus({
        url: new URL(real.url),
        job: 'minio-job',
        authorization: undefined,
        extraLabels: {},
      })
      const range = { start: start + 600, end, step: 60 }
      for (const { title, targets } of WIDGETS)
        for (const target of targets) {
          const ours = await evaluateTarget(target, history, range)
          const theirs = await prometheus.evaluate(target, range, new AbortController().signal)
          expect([title, ours.map(({ metric }) => metric)]).toEqual([title, theirs.map(({ metric }) => metric)])
          for (const [i, { values }] of ours.entries()) {
            const expected = (theirs[i]?.values ?? []).map(([, value]) => Number(value))
            expect(values.map(([time]) => time)).toEqual(theirs[i]?.values.map(([time]) => time))
            const off = values.filter(([, value], n) => {
              const near = expected.slice(Math.max(0, n - 1), n + 2)
              const room = 0.02 * Math.max(...near.map(Math.abs)) + 1e-9
              return Number(value) < Math.min(...near) - room || Number(value) > Math.max(...near) + room
            })
            expect({ title, off }).toEqual({ title, off: [] })
          }
        }
      await prometheus.close()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
