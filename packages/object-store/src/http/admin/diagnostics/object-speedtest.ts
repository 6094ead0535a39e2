import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Engine } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { STORE_VERSION } from '../../../lib/version.ts'
import type { StoreCall } from '../../call/call.ts'
import { openEventStream } from '../../call/event-stream.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { durationParameter } from '../endpoint/duration-parameter.ts'
import { durationStatistics } from './duration-statistics.ts'
import { runSpeedtest, speedtestParameter } from './run-speedtest.ts'

const MiB = 2 ** 20
const KEEP_ALIVE_MS = 1_000
/** Interval at which the latest results are sent again, as on MinIO. */
const REPEAT_MS = 500
const SIZE = { least: 1, most: 1024 * MiB, default: 64 * MiB }
const CONCURRENT = { least: 1, most: 128, default: 32 }
const DURATION = { leastMs: 100, mostMs: 60_000, defaultMs: 10_000 }
/** Maximum share of the free space that is used. */
const MAX_SHARE_OF_FREE = 0.1
/** What an object needs on a drive beside its content (bytes): entries in journal and index, blocks of the file system. */
const ENTRY_BYTES = 16 * 1024
/** Bodies repeat these bytes. Compression cannot shrink them, because its window is smaller. */
const PATTERN_BYTES = MiB

/**
 * Uploads objects for some time, then downloads them for the same time, through the engine with all steps of a durable write.
 * The objects are in an internal bucket, which is removed at the end of the test, or at the next start.
 */
const objectSpeedtestEndpoint = (name: 'Speedtest' | 'ObjectSpeedtest', path: string): AdminEndpoint => ({
  name,
  method: 'POST',
  path,
  async handle(call) {
    const size = speedtestParameter(call, 'size', SIZE)
    const concurrent = speedtestParameter(call, 'concurrent', CONCURRENT)
    const ms = durationParameter(call.query, 'duration', DURATION.defaultMs)
    if (ms < DURATION.leastMs || ms > DURATION.mostMs)
      throw new S3Error('XMinioAdminInvalidArgument', 'duration must be between 100ms and 60s.')
    const room = roomFor(call.engine)
    if (room < neededSpace(size) * concurrent)
      throw new S3Error(
        'XMinioSpeedtestInsufficientCapacity',
        'The test would write more than a tenth of what is free on a drive. Try fewer or smaller objects.',
      )
    await runSpeedtest(call, async (signal) => await measure(call, { size, concurrent, ms, room, signal }))
  },
})

export const adminObjectSpeedtestEndpoints = [
  objectSpeedtestEndpoint('Speedtest', 'speedtest'),
  objectSpeedtestEndpoint('ObjectSpeedtest', 'speedtest/object'),
]

/** Returns the space on a drive that an object needs at most, without a second copy. */
export const neededSpace = (size: number): number => size + ENTRY_BYTES

/** Returns the space that all objects together may need. Each is stored twice, and both copies may be on the same file system. */
function roomFor(engine: Engine): number {
  const drives = engine.drives().filter(({ state }) => state !== 'offline')
  const free = Math.min(...drives.map((drive) => drive.free))
  return Math.floor((free * MAX_SHARE_OF_FREE) / Math.min(2, drives.length))
}

interface SpeedtestOptions {
  size: number
  concurrent: number
  ms: number
  room: number
  signal: AbortSignal
}

async function measure(call: StoreCall, test: SpeedtestOptions): Promise<void> {
  // Uses the store's engine, so that the changes have no requester.
  const { engine } = call.store
  const { size, concurrent } = test
  const endpoint = call.header('host') ?? ''
  const bucket = `.speedtest-${randomUUID()}`
  const head = { version: STORE_VERSION, servers: 1, disks: engine.drives().length, size, concurrent }
  let latest: object = { version: '', servers: 0, disks: 0, size: 0, concurrent: 0 }
  await engine.createBucket(bucket)
  const stream = openEventStream(call, KEEP_ALIVE_MS)
  const repeat = setInterval(() => stream.write(latest), REPEAT_MS)
  try {
    const keys: string[] = []
    const put = await upload(engine, bucket, keys, test)
    latest = { ...head, PUTStats: requestStats(put, size, endpoint), GETStats: requestStats(NOTHING, size, endpoint) }
    const get = await download(engine, bucket, keys, test)
    stream.write({ ...head, PUTStats: requestStats(put, size, endpoint), GETStats: requestStats(get, size, endpoint) })
  } catch (error) {
    if (!test.signal.aborted) stream.write({ ...head, ...failedResult(endpoint, error) })
  } finally {
    clearInterval(repeat)
    await engine.deleteBucket(bucket, { force: true })
  }
}

/** Results of the workers. */
interface Measured {
  elapsedMs: number
  /** Durations of the requests, and times until their first bytes (ms). */
  durations: number[]
  firstBytes: number[]
}
const NOTHING: Measured = { elapsedMs: 0, durations: [], firstBytes: [] }

/** Stores objects until the time is over or the space is used up. Each worker stores at least one. */
async function upload(engine: Engine, bucket: string, keys: string[], test: SpeedtestOptions): Promise<Measured> {
  const { size, room, signal } = test
  const pattern = randomBytes(Math.min(PATTERN_BYTES, size))
  return await work(test, async (durations) => {
    if ((keys.length + 1) * neededSpace(size) > room) return false
    const key = String(keys.push('') - 1)
    keys[Number(key)] = key
    const start = performance.now()
    await engine.putObject(bucket, key, Readable.from(repeatPattern(pattern, size, signal), { objectMode: false }), {
      size,
    })
    durations.push(performance.now() - start)
    return true
  })
}

function* repeatPattern(pattern: Buffer, size: number, signal: AbortSignal): Generator<Buffer> {
  for (let left = size; left > 0; left -= pattern.length) {
    signal.throwIfAborted()
    yield pattern.subarray(0, Math.min(left, pattern.length))
  }
}

/** Reads the objects repeatedly, one after another. */
async function download(
  engine: Engine,
  bucket: string,
  keys: readonly string[],
  test: SpeedtestOptions,
): Promise<Measured> {
  let next = 0
  return await work(test, async (durations, firstBytes) => {
    const key = keys[next++ % keys.length] ?? ''
    const start = performance.now()
    let first: number | undefined
    for await (const _ of engine.getObject(bucket, key).read()) {
      first ??= performance.now() - start
      test.signal.throwIfAborted()
    }
    durations.push(performance.now() - start)
    firstBytes.push(first ?? 0)
    return true
  })
}

/** Runs `once` repeatedly in several workers. @param once resolves with false when there is nothing more to do */
async function work(
  { concurrent, ms, signal }: SpeedtestOptions,
  once: (durations: number[], firstBytes: number[]) => Promise<boolean>,
): Promise<Measured> {
  const start = performance.now()
  const measured: Measured = { elapsedMs: 0, durations: [], firstBytes: [] }
  let failure: { error: unknown } | undefined
  const worker = async () => {
    try {
      do signal.throwIfAborted()
      while (!failure && (await once(measured.durations, measured.firstBytes)) && performance.now() - start < ms)
    } catch (error) {
      failure ??= { error }
    }
  }
  // All must have ended before the bucket is removed.
  await Promise.all(Array.from({ length: concurrent }, worker))
  if (failure) throw failure.error
  measured.elapsedMs = performance.now() - start
  return measured
}

function requestStats({ elapsedMs, durations, firstBytes }: Measured, size: number, endpoint: string): object {
  const seconds = Math.max(elapsedMs, 0.001) / 1000
  const objectsPerSec = Math.round(durations.length / seconds)
  const throughputPerSec = Math.round((durations.length * size) / seconds)
  return {
    throughputPerSec,
    objectsPerSec,
    responseTime: durationStatistics(durations),
    ttfb: durationStatistics(firstBytes),
    servers: [{ endpoint, throughputPerSec, objectsPerSec, err: '' }],
  }
}

function failedResult(endpoint: string, error: unknown): object {
  const err = error instanceof Error ? error.message : String(error)
  const stats = { throughputPerSec: 0, objectsPerSec: 0, servers: [{ endpoint, err }] }
  return { PUTStats: stats, GETStats: stats }
}
