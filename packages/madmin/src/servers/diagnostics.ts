import { setTimeout as sleep } from 'node:timers/promises'
import { SealingError } from '../sealing/sealing-error.ts'
import { openPieces, SEAL_PREFIX_BYTES, SEAL_TAG_BYTES } from '../sealing/sealing-pieces.ts'
import type { JsonStream } from '../transport/json-stream.ts'
import { asList, asNumber, asText, asTexts, asTime, pickMember } from '../transport/json-values.ts'
import { MadminError } from '../transport/madmin-error.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

/** A lock that a request of the server holds or waits for. */
export interface LockInfo {
  /** RFC 3339; undefined when the server tells none. */
  readonly since: string | undefined
  /** Nanoseconds; undefined on servers of 2021. */
  readonly elapsedNs: number | undefined
  /** Bucket and object, or the server's own name. */
  readonly resource: string
  /** `READ` or `WRITE`. */
  readonly type: string
  /** The line of the server's program that took it. */
  readonly source: string
  readonly servers: readonly string[]
  readonly owner: string
  readonly id: string
  readonly quorum: number
}

/**
 * The locks that were taken first. Distributed servers alone have this call. Needs `admin:TopLocksInfo`.
 * @throws MadminError AccessDenied, XMinioAdminVersionMismatch (one server)
 */
export async function topLocks(
  t: Transport,
  { count, stale, ...call }: { count: number; stale: boolean } & AdminCallOptions,
): Promise<LockInfo[]> {
  const answer = await t.call({
    method: 'GET',
    path: 'top/locks',
    query: { count: String(count), stale: String(stale) },
    ...call,
  })
  // RustFS wraps the list.
  return (Array.isArray(answer) ? answer : asList(pickMember(answer, 'locks'))).map(readLock)
}

function readLock(value: unknown): LockInfo {
  const text = (name: string) => asText(pickMember(value, name))
  return {
    since: asTime(text('time')),
    elapsedNs: asNumber(pickMember(value, 'elapsed')),
    resource: text('resource'),
    type: text('type'),
    source: text('source'),
    servers: asTexts(pickMember(value, 'serverlist')),
    owner: text('owner'),
    id: text('id'),
    quorum: asNumber(pickMember(value, 'quorum')) ?? 0,
  }
}

/**
 * Profiles of all servers as a zip archive, after the time has passed. Servers of 2021 have two calls for it: one starts, the
 * other ends it. Needs `admin:Profiling`.
 * @throws MadminError AccessDenied, XMinioAdminVersionMismatch, SlowDown (another one runs)
 */
export async function profile(
  t: Transport,
  { kinds, durationMs, ...call }: { kinds: readonly string[]; durationMs: number } & AdminCallOptions,
): Promise<Buffer> {
  const profilerType = kinds.join(',')
  try {
    const query = { profilerType, duration: `${durationMs}ms` }
    return await t.bytes({ method: 'POST', path: 'profile', query, ...call })
  } catch (error) {
    if (!(error instanceof MadminError && error.isMissingCall)) throw error
  }
  await t.call({ method: 'POST', path: 'profiling/start', query: { profilerType }, ...call })
  await sleep(durationMs, undefined, call.signal && { signal: call.signal })
  return await t.bytes({ method: 'GET', path: 'profiling/download', idempotent: false, ...call })
}

/**
 * Writes and reads a file on each drive; one value per server. Servers since 2022 have this call. Needs `admin:OBDInfo`.
 * @throws MadminError AccessDenied, XMinioAdminVersionMismatch, SlowDown (another one runs)
 */
export async function driveSpeedtest(
  t: Transport,
  {
    fileBytes,
    blockBytes,
    serial,
    ...call
  }: { fileBytes: number; blockBytes: number; serial: boolean } & AdminCallOptions,
): Promise<JsonStream> {
  return await t.stream({
    method: 'POST',
    path: 'speedtest/drive',
    query: { filesize: String(fileBytes), blocksize: String(blockBytes), serial: String(serial) },
    ...call,
  })
}

/**
 * Uploads and downloads objects as fast as the servers can; values as it goes on, the last one is whole. It stops the S3
 * traffic of the servers meanwhile. Needs `admin:OBDInfo`.
 * @throws MadminError AccessDenied, XMinioAdminVersionMismatch
 */
export async function objectSpeedtest(
  t: Transport,
  {
    objectBytes,
    concurrent,
    durationMs,
    ...call
  }: { objectBytes: number; concurrent: number; durationMs: number } & AdminCallOptions,
): Promise<JsonStream> {
  return await t.stream({
    method: 'POST',
    path: 'speedtest',
    query: { size: String(objectBytes), concurrent: String(concurrent), duration: `${durationMs}ms` },
    ...call,
  })
}

/** Layout of the answer: format (1 byte), key (32), sealed pieces. */
const INSPECT_FORMAT = 1
const INSPECT_KEY_BYTES = 32

/**
 * Files as they are on the drives of a MinIO server, from all drives, as a zip archive. Needs `admin:InspectData`.
 * @param options.file path in the bucket; may have wildcards
 * @throws MadminError AccessDenied, NotImplemented, XMinioAdminVersionMismatch
 * @throws SealingError Truncated, UnknownAlgorithm, NotAuthentic
 */
export async function inspectData(
  t: Transport,
  { volume, file, ...call }: { volume: string; file: string } & AdminCallOptions,
): Promise<Buffer> {
  return openInspectedData(await t.bytes({ method: 'GET', path: 'inspect-data', query: { volume, file }, ...call }))
}

/** The server sends the key with the data: this protects against programs that look into the transfer, not against people. */
export function openInspectedData(answer: Buffer): Buffer {
  const begin = 1 + INSPECT_KEY_BYTES
  if (answer.length < begin + SEAL_TAG_BYTES) throw new SealingError('Truncated', 'The answer is too short.')
  if (answer[0] !== INSPECT_FORMAT) throw new SealingError('UnknownAlgorithm', `There is no format ${answer[0]}.`)
  const prefix = Buffer.alloc(SEAL_PREFIX_BYTES)
  return openPieces(answer.subarray(begin), 'argon2id-aes256gcm', answer.subarray(1, begin), prefix)
}
