import { reason } from '@stowage/contract'
import { tierCalls } from '@stowage/contract/tiers/tiers'
import { type Madmin, MadminError, type NewTier, type TierInfo, type TierUsage } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import pMap from 'p-map'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { serve } from '../../lib/http/serve.ts'
import { findBuckets } from '../../lib/storage/find-buckets.ts'
import type { S3Stream } from '../../lib/storage/s3-stream.ts'
import { readLifecycleRules } from '../buckets/lifecycle.ts'
import { TierStates, type TierTest } from './tier-states.ts'

/** Timeout: a tier on the server itself makes MinIO wait for itself. */
const ADD_MS = 30_000

/** Timeout of the test of one tier in the list. */
const VERIFY_MS = 10_000
/** Number of tiers that are tested at the same time. */
const VERIFIED = 4
/** Number of buckets that are named. */
const MAX_NAMES = 20

export function tierRoutes(app: FastifyInstance): void {
  const tests = new TierStates()

  serve(app, tierCalls.listTiers, async (_input, { madmin }) => {
    const [tiers, usage] = await Promise.all([madmin.listTiers(), readUsageByTier(madmin)])
    return { items: tiers.map((tier) => wireTier(tier, usage.get(tier.name))) }
  })

  serve(app, tierCalls.listTierStates, async ({ query }, { madmin, s3, s3Stream, signal }) => {
    const tiers = await madmin.listTiers()
    tests.keepOnly(tiers.map(({ name }) => name))
    const readTierState = async (name: string) => ({
      name,
      ...(await tests.get(name, query.fresh === 'true', () => testTier(madmin, name, signal))),
    })
    const used = new Map<string, string[]>()
    const [states] = await Promise.all([
      pMap(tiers, ({ name }) => readTierState(name), { concurrency: VERIFIED }),
      tiers.length === 0
        ? undefined
        : findBuckets(s3, async (bucket) => await addBucketToTiers(s3Stream, bucket, used)),
    ])
    return {
      items: states.map((state) => {
        const buckets = (used.get(state.name) ?? []).sort()
        return { ...state, buckets: buckets.slice(0, MAX_NAMES), total_buckets: buckets.length }
      }),
    }
  })

  serve(app, tierCalls.addTier, async ({ body }, { madmin, signal }) => {
    const limit = AbortSignal.timeout(ADD_MS)
    try {
      await addTier(madmin, toNewTier(body), AbortSignal.any([signal, limit]))
    } catch (error) {
      if (!limit.aborted || signal.aborted) throw error
      throw new HttpError(504, reason('tier-no-answer', { seconds: ADD_MS / 1000 }), { cause: error })
    }
  })

  serve(app, tierCalls.getTier, async ({ params }, { madmin }) => wireTier(await readTier(madmin, params), undefined))

  serve(app, tierCalls.setTierCredentials, async ({ params, body }, { madmin }) => {
    await readTier(madmin, params)
    const { access_key: accessKey, secret_key: secretKey, creds } = body
    const isComplete = params.type === 'gcs' ? creds : accessKey && secretKey
    if (!isComplete) throw new HttpError(400, reason('tier-credentials-missing'))
    await madmin.editTier(params.name, params.type === 'gcs' ? { creds } : { accessKey, secretKey })
    tests.forget(params.name)
  })

  serve(app, tierCalls.verifyTier, async ({ params: { name } }, { madmin }) => {
    try {
      await madmin.verifyTier(name)
      tests.update(name, { online: true })
    } catch (error) {
      const isAnswer = error instanceof MadminError && error.code !== 'AccessDenied' && !error.unsupported
      if (isAnswer) tests.update(name, { online: false, problem: error.message })
      throw error
    }
  })

  serve(app, tierCalls.deleteTier, async ({ params }, { madmin }) => {
    await madmin.removeTier(params.name)
    tests.forget(params.name)
  })
}

async function testTier(madmin: Madmin, name: string, signal: AbortSignal): Promise<TierTest> {
  const limit = AbortSignal.timeout(VERIFY_MS)
  try {
    await madmin.verifyTier(name, { readOnly: true, signal: AbortSignal.any([signal, limit]) })
    return { online: true }
  } catch (error) {
    if (signal.aborted) throw error
    if (limit.aborted) return { online: false, problem: `no answer within ${VERIFY_MS / 1000} s` }
    if (!(error instanceof MadminError)) throw error
    return error.unsupported ? {} : { online: false, problem: error.message }
  }
}

/** Adds a bucket to the tiers that its lifecycle rules use. @returns whether there are any */
async function addBucketToTiers(s3Stream: S3Stream, bucket: string, used: Map<string, string[]>): Promise<boolean> {
  const rules = (await readLifecycleRules(s3Stream, bucket)) ?? []
  const tiers = new Set(
    rules.flatMap(({ transitions, noncurrentTransitions }) =>
      [...transitions, ...noncurrentTransitions].map(({ storageClass }) => storageClass),
    ),
  )
  for (const tier of tiers) used.set(tier, [...(used.get(tier) ?? []), bucket])
  return tiers.size > 0
}

/** Adds a tier of type `minio` as such if the server knows that type, else as `s3`. */
async function addTier(madmin: Madmin, tier: NewTier, signal: AbortSignal): Promise<void> {
  try {
    await madmin.addTier(tier, { signal })
  } catch (error) {
    if (tier.type !== 'minio' || !isUnknownType(error)) throw error
    await madmin.addTier({ ...tier, type: 's3' }, { signal })
  }
}

/** Servers of 2021 report an internal error. */
const isUnknownType = (error: unknown) =>
  error instanceof MadminError &&
  (error.code === 'XMinioAdminTierTypeUnsupported' || error.message.includes('unsupported tier type'))

type Body = Parameters<Parameters<typeof serve<typeof tierCalls.addTier>>[2]>[0]['body']

function toNewTier(body: Body): NewTier {
  switch (body.type) {
    case 's3': {
      const { accesskey: accessKey, secretkey: secretKey, storageclass: storageClass, ...place } = body.s3
      return { type: 's3', ...place, accessKey, secretKey, storageClass }
    }
    case 'minio': {
      const { accesskey: accessKey, secretkey: secretKey, ...place } = body.minio
      return { type: 'minio', ...place, accessKey, secretKey, storageClass: '' }
    }
    case 'gcs': {
      const { creds, ...place } = body.gcs
      if (!isJson(creds)) throw new HttpError(400, reason('not-json'), { field: 'gcs.creds' })
      return { type: 'gcs', ...place, creds, storageClass: '' }
    }
    case 'azure': {
      const { accountname: accountName, accountkey: accountKey, ...place } = body.azure
      return { type: 'azure', ...place, accountName, accountKey, storageClass: '' }
    }
  }
}

function isJson(base64: string): boolean {
  try {
    JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
    return true
  } catch {
    return false
  }
}

/** Returns usage by the name of a tier; empty if the server does not count it. */
async function readUsageByTier(madmin: Madmin): Promise<ReadonlyMap<string, TierUsage>> {
  try {
    return new Map((await madmin.tierUsage()).map((usage) => [usage.name, usage]))
  } catch (error) {
    if (error instanceof MadminError && error.unsupported) return new Map()
    throw error
  }
}

/** @throws HttpError 404 with the message of the original */
async function readTier(madmin: Madmin, { type, name }: { type: string; name: string }): Promise<TierInfo> {
  const found = (await madmin.listTiers()).find((tier) => tier.name === name && tier.type === type)
  if (!found) throw new HttpError(404, reason('tier-not-found'))
  return found
}

const HIDDEN = 'REDACTED'

function wireTier(tier: TierInfo, used: TierUsage | undefined) {
  const { type, name, endpoint, bucket, prefix, region, storageClass, accessKey } = tier
  const usage = used ? { usage: used.totalSize, objects: used.numObjects, versions: used.numVersions } : {}
  const place = { name, endpoint, bucket, prefix, region, ...usage }
  switch (type) {
    case 's3':
      return { type, s3: { ...place, accesskey: accessKey, secretkey: HIDDEN, storageclass: storageClass } }
    case 'minio':
      return { type, minio: { ...place, accesskey: accessKey, secretkey: HIDDEN } }
    case 'azure':
      return { type, azure: { ...place, accountname: accessKey, accountkey: HIDDEN } }
    case 'gcs':
      return { type, gcs: { ...place, creds: HIDDEN } }
    default:
      return { type, name }
  }
}
