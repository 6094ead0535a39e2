/**
 * Measures metrics, their history and healing: `npx tsx bench/dashboard.ts [--runs 5] [--buckets 5000] [--days 60]
 * [--objects 1000] [--only WORD] [--peer FILE] [--data FOLDER]`. Needs a build. The sizes of the issue are
 * `--days 400 --objects 100000`, which take about half an hour; the default sizes take about three minutes. Each figure has its
 * target beside it. Parts, for `--only`: history, buckets, counters, store, chunk, seed, heal-here, heal-peer.
 *
 * `heal-here` and `heal-peer` measure the heal that an administrator starts, of our store and of the MinIO program FILE. With
 * `--data FOLDER` the part `seed` puts their objects into FOLDER, for later runs.
 */

import { benchBuckets, benchHistory } from './dashboard/history.ts'
import { benchOurHeal, benchPeerHeal, seedHeals } from './dashboard/peer.ts'
import { benchOptions, removeFolder } from './dashboard/setup.ts'
import { benchChunk, benchCounters, benchStore, benchThread } from './dashboard/store.ts'

const PARTS = {
  history: benchHistory,
  buckets: benchBuckets,
  counters: benchCounters,
  store: benchStore,
  chunk: benchChunk,
  seed: seedHeals,
  'heal-here': benchOurHeal,
  'heal-peer': benchPeerHeal,
}

try {
  if (benchOptions.sampled) await benchThread(benchOptions.sampled)
  else {
    console.log('| what | target | measured |\n|---|---|---|')
    for (const [name, bench] of Object.entries(PARTS)) if (name.includes(benchOptions.only)) await bench()
  }
} finally {
  await removeFolder()
}
