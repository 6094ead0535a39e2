import type { Engine } from '../engine/interface/types.ts'
import { S3Error } from '../lib/errors.ts'
import type { RequestRecord, RequestRecorder } from './request-recorder.ts'

/** Upper bounds (inclusive) of the ranges of the time to the first byte, in ms, and their labels. */
export const TTFB_BOUNDS: readonly (readonly [number, string])[] = [
  [50, '0.050'],
  [100, '0.100'],
  [250, '0.250'],
  [500, '0.500'],
  [1000, '1.000'],
  [2500, '2.500'],
  [5000, '5.000'],
  [10_000, '10.000'],
  [Number.POSITIVE_INFINITY, '+Inf'],
]

/** Returns the label of an operation; undefined if it is not an S3 call. */
type ApiNameLookup = (operation: string) => string | undefined

/** Counts of an API call since the process started. */
export interface ApiCounts {
  total: number
  errors4xx: number
  errors5xx: number
  canceled: number
  /** One count for each of `TTFB_BOUNDS`, not cumulative. */
  firstByte: number[]
}

/** Counts of requests by API call, and their transferred bytes. */
export interface RequestCounts {
  readonly apis: Map<string, ApiCounts>
  received: number
  sent: number
}

interface BucketCounts extends RequestCounts {
  /** The number of the counted bucket: a new bucket of the same name starts from zero. */
  readonly createdAt: number
}

export type RejectionReason = 'auth' | 'header' | 'timestamp' | 'invalid'

const REJECTIONS: Readonly<Record<string, RejectionReason>> = {
  RequestTimeTooSkewed: 'timestamp',
  ExpiredPresignRequest: 'timestamp',
  AccessDenied: 'auth',
  AuthorizationHeaderMalformed: 'auth',
  AuthorizationQueryParametersError: 'auth',
  ExpiredToken: 'auth',
  InvalidAccessKeyId: 'auth',
  InvalidToken: 'auth',
  SignatureDoesNotMatch: 'auth',
  SignatureVersionNotSupported: 'auth',
  MetadataTooLarge: 'header',
  MissingSecurityHeader: 'header',
  UnsignedHeaders: 'header',
}

/** Counts of deleted buckets are removed when there are this many more than existing buckets. */
const SPARE_BUCKETS = 1000

/** Counts finished S3 requests. Only existing calls and buckets are counted, so anonymous callers cannot create series. */
export class RequestCounters {
  readonly all: RequestCounts = emptyCounts()
  readonly rejected: Record<RejectionReason, number> = { auth: 0, header: 0, timestamp: 0, invalid: 0 }
  readonly #buckets = new Map<string, BucketCounts>()
  readonly #engine: Engine
  readonly #recorder: RequestRecorder
  readonly #apiName: ApiNameLookup
  #pruneAt = SPARE_BUCKETS

  constructor(recorder: RequestRecorder, engine: Engine, apiOf: ApiNameLookup) {
    this.#apiName = apiOf
    this.#engine = engine
    this.#recorder = recorder
    recorder.subscribe((record) => this.#count(record))
  }

  /** Undefined if there was no call for this bucket yet. */
  bucketCounts({ name, createdAt }: { name: string; createdAt: number }): RequestCounts | undefined {
    const counts = this.#buckets.get(name)
    return counts?.createdAt === createdAt ? counts : undefined
  }

  /** Returns the number of running S3 requests by bucket and API call. The bucket may not exist. */
  inFlight(): Map<string, Map<string, number>> {
    const buckets = new Map<string, Map<string, number>>()
    for (const { operation, bucket } of this.#recorder.unfinished) {
      const api = this.#apiName(operation)
      if (api === undefined) continue
      const apis = getOrCreate(buckets, bucket, () => new Map<string, number>())
      apis.set(api, (apis.get(api) ?? 0) + 1)
    }
    return buckets
  }

  #count(record: RequestRecord): void {
    const api = this.#apiName(record.operation)
    if (api !== undefined) {
      countInto(this.all, api, record)
      const counts = record.bucket === '' ? undefined : this.#findBucketCounts(record.bucket)
      if (counts) countInto(counts, api, record)
    } else if (record.operation === '' && record.errorCode !== '') {
      this.rejected[REJECTIONS[record.errorCode] ?? 'invalid']++
    }
  }

  #findBucketCounts(name: string): RequestCounts | undefined {
    const createdAt = this.#createdAt(name)
    if (createdAt === undefined) {
      this.#buckets.delete(name)
      return undefined
    }
    const known = this.#buckets.get(name)
    if (known?.createdAt === createdAt) return known
    if (this.#buckets.size >= this.#pruneAt) this.#prune()
    const counts = { ...emptyCounts(), createdAt }
    this.#buckets.set(name, counts)
    return counts
  }

  #createdAt(name: string): number | undefined {
    try {
      return this.#engine.getBucket(name).createdAt
    } catch (error) {
      if (error instanceof S3Error) return undefined
      throw error
    }
  }

  #prune(): void {
    for (const name of this.#buckets.keys()) if (this.#createdAt(name) === undefined) this.#buckets.delete(name)
    this.#pruneAt = this.#buckets.size + SPARE_BUCKETS
  }
}

function countInto(counts: RequestCounts, api: string, record: RequestRecord): void {
  const entry = getOrCreate(counts.apis, api, emptyApi)
  entry.total++
  if (record.aborted) entry.canceled++
  else if (record.status >= 500) entry.errors5xx++
  else if (record.status >= 400) entry.errors4xx++
  if (record.firstByteMs > 0) {
    const range = TTFB_BOUNDS.findIndex(([bound]) => record.firstByteMs <= bound)
    entry.firstByte[range] = (entry.firstByte[range] ?? 0) + 1
  }
  counts.received += record.bytesIn
  counts.sent += record.bytesOut
}

const emptyCounts = (): RequestCounts => ({ apis: new Map(), received: 0, sent: 0 })

const emptyApi = (): ApiCounts => ({
  total: 0,
  errors4xx: 0,
  errors5xx: 0,
  canceled: 0,
  firstByte: TTFB_BOUNDS.map(() => 0),
})

function getOrCreate<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}
