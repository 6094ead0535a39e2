import { z } from 'zod'
import type { HealSequencePath } from '../../../health/heal-sequences.ts'
import { S3Error } from '../../../lib/errors.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { StoreCall } from '../../call/call.ts'
import { type AdminEndpoint, adminEndpoint } from '../endpoint/admin-endpoint.ts'
import { erasureLayout, unsupportedInMode } from './erasure-layout.ts'
import { wireDrive } from './server-info.ts'

const MAX_BODY = 64 << 10

const Settings = z.object({
  recursive: z.boolean().default(false),
  dryRun: z.boolean().default(false),
  /** Accepted but ignored: a heal never removes anything. */
  remove: z.boolean().default(false),
  recreate: z.boolean().default(false),
  /** 1: check existence and length of files. 2: read all bytes. */
  scanMode: z.number().int().min(0).max(2).default(0),
})

/** Starts, reads and stops heals. As on MinIO, a flag is set if it is present, even as `forceStart=false`. */
async function heal(call: StoreCall, path: HealSequencePath): Promise<void> {
  const { query, engine, store } = call
  if (!erasureLayout(engine).distributed) throw unsupportedInMode(engine)
  const token = query.get('clientToken') ?? ''
  const force = query.has('forceStart')
  const stop = query.has('forceStop')
  if ((force && stop) || (token !== '' && (force || stop)))
    throw new S3Error('InvalidRequest', 'forceStart, forceStop and clientToken exclude one another.')
  if (token !== '') return call.json(store.healSequences.read(path, token))
  const settings = await readSettings(call)
  if (stop) return call.json(await store.healSequences.stop(path))
  call.json(await store.healSequences.start(path, settings, { address: call.record.remoteAddress, force }))
}

async function readSettings(call: StoreCall): Promise<z.infer<typeof Settings>> {
  const text = (await readRequestBody(call, MAX_BODY)).toString('utf8')
  try {
    return Settings.parse(text.trim() === '' ? {} : JSON.parse(text))
  } catch (error) {
    throw new S3Error('InvalidRequest', 'The settings of the heal are not valid.', { cause: error })
  }
}

/** Returns the state of background healing: drives being healed, and offline drives. */
function backgroundHealStatus(call: StoreCall): void {
  const { engine, store } = call
  const drives = engine.drives()
  const { distributed, parity } = erasureLayout(engine)
  if (!distributed) throw unsupportedInMode(engine)
  const { bucket, object } = store.healSequences.counts
  const healing = drives.filter(({ state }) => state === 'healing')
  call.json({
    offline_nodes: null,
    ScannedItemsCount: bucket.scanned + object.scanned,
    HealDisks: healing.length > 0 ? healing.map(({ path }) => path) : null,
    sets: [
      {
        id: engine.deploymentId,
        pool_index: 0,
        set_index: 0,
        heal_status: healing.length > 0 ? 'Healing' : 'Healed',
        heal_priority: 'high',
        total_objects: engine.listBuckets().reduce((sum, { name }) => sum + engine.bucketUsage(name).objects, 0),
        disks: drives.map(wireDrive),
      },
    ],
    mrf: {},
    sc_parity: { STANDARD: parity, REDUCED_REDUNDANCY: parity },
  })
}

const common = { method: 'POST' } as const

export const adminHealEndpoints: readonly AdminEndpoint[] = [
  { ...common, name: 'Heal', path: 'heal/', handle: (call) => heal(call, { bucket: '', prefix: '' }) },
  adminEndpoint({
    ...common,
    name: 'HealBucket',
    path: 'heal/{bucket}',
    handle: (call, { bucket }) => heal(call, { bucket, prefix: '' }),
  }),
  adminEndpoint({
    ...common,
    name: 'HealPrefix',
    path: 'heal/{bucket}/{prefix...}',
    handle: (call, { bucket, prefix }) => heal(call, { bucket, prefix }),
  }),
  { ...common, name: 'BackgroundHealStatus', path: 'background-heal/status', handle: backgroundHealStatus },
]
