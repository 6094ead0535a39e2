/**
 * Measures metrics, their history and healing: `npx tsx bench/dashboard.ts [--runs 5] [--buckets 5000] [--days 60]
 * [--objects 1000] [--only WORD]`. Needs a build. The sizes of the issue are `--days 400 --objects 100000`, which take about
 * half an hour. The default sizes take about three minutes. Parts, for `--only`: history, buckets, counters, store, chunk, peer.
 * Each figure has its target beside it. With `--peer FILE`, a MinIO program, the part peer measures a heal beside that server.
 */
import { removeFolder, values } from './dashboard-common.ts'
import { benchPeer } from './dashboard-heal.ts'
import { benchBuckets, benchHistory } from './dashboard-history.ts'
import { benchChunk, benchCounters, benchStore, benchThread } from './dashboard-store.ts'

const PARTS = {
  history: benchHistory,
  buckets: benchBuckets,
  counters: benchCounters,
  store: benchStore,
  chunk: benchChunk,
  peer: benchPeer,
}

try {
  if (values.sampled) await benchThread(values.sampled)
  else {
    console.log('| what | target | measured |\n|---|---|---|')
    for (const [name, bench] of Object.entries(PARTS)) if (name.includes(values.only)) await bench()
  }
} finally {
  await removeFolder()
}
