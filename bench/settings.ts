/**
 * Measures settings, notification targets and tiers: `npx tsx bench/settings.ts [--events 2000] [--puts 1000] [--queued 100000]
 * [--history 200] [--runs 3] [--peer /path/to/minio] [--only kinds,puts]`. The sizes of the issue are `--events 10000 --queued
 * 1000000 --history 1000`. Brokers are the real servers of Debian where they are installed (`scripts/brokers.mjs`), and the small
 * servers of the tests for Kafka, NSQ and Elasticsearch. The issue states no target for these figures.
 */
import { parseArgs } from 'node:util'
import { timed } from './lib/measure.ts'
import { benchPages } from './settings/pages.ts'
import { benchAuditAndCompression, benchPuts } from './settings/puts.ts'
import { benchQueue } from './settings/queue.ts'
import { type SettingSizes, tableLines } from './settings/setup.ts'
import { benchKinds, benchMemory } from './settings/targets.ts'
import { benchTiers } from './settings/tiers.ts'

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '2000' },
    puts: { type: 'string', default: '1000' },
    queued: { type: 'string', default: '100000' },
    history: { type: 'string', default: '200' },
    runs: { type: 'string', default: '3' },
    peer: { type: 'string' },
    only: { type: 'string' },
  },
})
const sizes: SettingSizes = {
  events: Number(options.events),
  puts: Number(options.puts),
  queued: Number(options.queued),
  history: Number(options.history),
  runs: Number(options.runs),
  peer: options.peer,
}
const PARTS: Readonly<Record<string, (sizes: SettingSizes) => Promise<void>>> = {
  kinds: benchKinds,
  puts: benchPuts,
  memory: benchMemory,
  queue: benchQueue,
  auditAndCompression: benchAuditAndCompression,
  tiers: benchTiers,
  pages: benchPages,
}
const only = options.only?.split(',')
const unknown = only?.filter((name) => !Object.hasOwn(PARTS, name)) ?? []
if (unknown.length > 0)
  throw new Error(`no part is called ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`)

for (const [name, part] of Object.entries(PARTS)) {
  if (only && !only.includes(name)) continue
  const ms = await timed(() =>
    part(sizes).catch((error) => {
      console.error(`${name}:`, error)
      process.exitCode = 1
    }),
  )
  console.error(`${name}: ${(ms / 1000).toFixed(0)} s`)
}
console.log(
  ['| settings | unit | Stowage, median (min to max) | target |', '|---|---|---|---|', ...tableLines].join('\n'),
)
process.exit()
