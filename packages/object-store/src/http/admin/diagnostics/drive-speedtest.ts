import { randomBytes, randomUUID } from 'node:crypto'
import { constants, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DriveState } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { STORE_VERSION } from '../../../lib/version.ts'
import type { StoreCall } from '../../call/call.ts'
import { openEventStream } from '../../call/event-stream.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { runSpeedtest, speedtestParameter } from './run-speedtest.ts'

const MiB = 2 ** 20
const KEEP_ALIVE_MS = 1_000
const BLOCK = { least: 64 << 10, most: 16 * MiB, default: 4 * MiB }
const FILE = { least: MiB, most: 1024 * MiB, default: 128 * MiB }
/** Maximum share of the free space that is used, for all drives of a file system together. */
const MAX_SHARE_OF_FREE = 0.1
/** Direct I/O needs memory aligned to a multiple of this. */
const ALIGNMENT = 4096

/**
 * Writes a file on each drive, syncs it and reads it. The file is in the drive's temporary folder, which is emptied at each
 * start of the store, also after a crash.
 */
export const driveSpeedtestEndpoint: AdminEndpoint = {
  name: 'DriveSpeedtest',
  method: 'POST',
  path: 'speedtest/drive',
  async handle(call) {
    const block = sizeParameter(call, 'blocksize', BLOCK)
    const size = Math.max(block, sizeParameter(call, 'filesize', FILE))
    const drives = call.store.engine.drives().filter(({ state }) => state !== 'offline')
    requireRoom(drives, size)
    await runSpeedtest(call, async (signal) => {
      const stream = openEventStream(call, KEEP_ALIVE_MS)
      const measure = async ({ path }: DriveState) => await measureDrive(path, { block, size, signal })
      const drivePerf: DrivePerformance[] = []
      if (call.query.get('serial') === 'true') for (const drive of drives) drivePerf.push(await measure(drive))
      else drivePerf.push(...(await Promise.all(drives.map(measure))))
      stream.write({ version: STORE_VERSION, endpoint: call.header('host') ?? '', drivePerf })
    })
  },
}

interface DrivePerformance {
  path: string
  /** Bytes per second. */
  readThroughput: number
  writeThroughput: number
  error?: string
}

/** Reads a size; direct I/O needs whole pages. @throws S3Error XMinioAdminInvalidArgument */
function sizeParameter(call: StoreCall, name: string, limits: typeof FILE): number {
  return Math.ceil(speedtestParameter(call, name, limits) / ALIGNMENT) * ALIGNMENT
}

/** @throws S3Error XMinioStorageFull */
function requireRoom(drives: readonly DriveState[], size: number): void {
  for (const { device, free } of drives) {
    const together = drives.filter((drive) => drive.device === device).length * size
    if (together > free * MAX_SHARE_OF_FREE)
      throw new S3Error('XMinioStorageFull', 'The test would write more than a tenth of what is free on a drive.')
  }
}

interface DriveMeasurement {
  block: number
  size: number
  signal: AbortSignal
}

/** Returns a file name that is not a blob's, so that the next start removes a leftover file. */
export const temporaryName = () => `speedtest-${randomUUID()}`

async function measureDrive(path: string, measure: DriveMeasurement): Promise<DrivePerformance> {
  const file = join(path, 'tmp', temporaryName())
  try {
    const writeThroughput = await measureWrite(file, measure)
    const readThroughput = await measureRead(file, measure)
    return { path, readThroughput, writeThroughput }
  } catch (error) {
    return {
      path,
      readThroughput: 0,
      writeThroughput: 0,
      error: error instanceof Error ? error.message : String(error),
    }
  } finally {
    await rm(file, { force: true }).catch(() => {})
  }
}

/** Writes the file. Returns bytes per second, including the sync. */
async function measureWrite(file: string, { block, size, signal }: DriveMeasurement): Promise<number> {
  const bytes = randomBytes(block)
  const handle = await open(file, 'wx', 0o600)
  try {
    const start = performance.now()
    for (let at = 0; at < size; at += block) {
      signal.throwIfAborted()
      await handle.write(bytes, 0, Math.min(block, size - at), at)
    }
    await handle.sync()
    return bytesPerSecond(size, start)
  } finally {
    await handle.close()
  }
}

/** Reads the file, without the cache if the file system supports it. Returns bytes per second. */
async function measureRead(file: string, { block, size, signal }: DriveMeasurement): Promise<number> {
  const memory = Buffer.allocUnsafeSlow(block + ALIGNMENT)
  // The allocator decides where in a page a large buffer begins: after a header of 16 bytes, or at the start.
  const tries = [ALIGNMENT - 16, 0]
  for (const offset of tries) {
    const handle = await open(file, constants.O_RDONLY | constants.O_DIRECT).catch(() => undefined)
    if (!handle) break
    const rate = await readAll(handle, memory.subarray(offset, offset + block), size, signal).catch((error) => {
      if ((error as NodeJS.ErrnoException).code === 'EINVAL') return undefined
      throw error
    })
    if (rate !== undefined) return rate
  }
  return await readAll(await open(file, 'r'), memory.subarray(0, block), size, signal)
}

async function readAll(
  handle: Awaited<ReturnType<typeof open>>,
  memory: Buffer,
  size: number,
  signal: AbortSignal,
): Promise<number> {
  try {
    const start = performance.now()
    for (let at = 0; at < size; ) {
      signal.throwIfAborted()
      const { bytesRead } = await handle.read(memory, 0, memory.length, at)
      if (bytesRead === 0) break
      at += bytesRead
    }
    return bytesPerSecond(size, start)
  } finally {
    await handle.close()
  }
}

const bytesPerSecond = (bytes: number, start: number) =>
  Math.round((bytes / Math.max(0.001, performance.now() - start)) * 1000)
