import { encodePath } from '@stowage/sigv4'
import { asList, asNumber, asText, asTime, pickMember } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

/** The scope of a heal: all buckets, a bucket, or the keys of a bucket with a prefix. */
export interface HealScope {
  /** Empty: all buckets. */
  readonly bucket: string
  readonly prefix: string
}

export interface AdminHealOptions extends AdminCallOptions {
  readonly recursive: boolean
  readonly dryRun: boolean
  /** Whether objects that cannot be healed are deleted. */
  readonly remove: boolean
  /** Whether all bytes of all copies are read. */
  readonly deep: boolean
  /** Stops a heal of the same path first. */
  readonly force: boolean
}

export interface HealDrive {
  readonly uuid: string
  readonly endpoint: string
  /** `ok`, `offline`, `missing`, `corrupt` and others. */
  readonly state: string
}

export interface HealItemInfo {
  /** `metadata`, `bucket`, `bucket-metadata`, `object`. */
  readonly type: string
  readonly bucket: string
  readonly object: string
  readonly versionId: string
  /** Why the item failed; absent if it did not. */
  readonly detail: string
  readonly parityBlocks: number
  readonly dataBlocks: number
  readonly diskCount: number
  readonly setCount: number
  readonly before: readonly HealDrive[]
  readonly after: readonly HealDrive[]
  /** Bytes; -1 when unknown. */
  readonly size: number
}

export interface HealStatus {
  /** `not started`, `running`, `stopped` or `finished`. */
  readonly summary: string
  /** Why it was stopped. */
  readonly detail: string
  /** RFC 3339; undefined when the server has no heal of this path. */
  readonly startTime: string | undefined
  /** RFC 3339; undefined while it runs, and for servers that do not report it. */
  readonly endTime: string | undefined
  /** Items since the last call. */
  readonly items: readonly HealItemInfo[]
}

/**
 * Starts a heal. If one is running on the same path and has unread items, returns the token of that one. Needs `admin:Heal`.
 * @returns the token for `healStatus`
 * @throws MadminError XMinioHealAlreadyRunning, XMinioHealOverlappingPaths, XMinioAdminVersionMismatch (one drive)
 */
export async function startHeal(
  t: Transport,
  path: HealScope,
  { recursive, dryRun, remove, deep, force, ...call }: AdminHealOptions,
): Promise<string> {
  const settings = { recursive, dryRun, remove, recreate: false, scanMode: deep ? 2 : 1 }
  // The flag applies if present, with any value.
  const query = force ? { forceStart: 'true' } : {}
  const answer = await t.call({ method: 'POST', path: healCallPath(path), query, json: settings, ...call })
  return asText(pickMember(answer, 'clientToken'))
}

/**
 * Returns the state of a heal, with the items since the last call. Needs `admin:Heal`.
 * @throws MadminError XMinioHealInvalidClientToken
 */
export async function healStatus(
  t: Transport,
  path: HealScope,
  token: string,
  options?: AdminCallOptions,
): Promise<HealStatus> {
  const answer = await t.call({ method: 'POST', path: healCallPath(path), query: { clientToken: token }, ...options })
  // Servers of Go write these names in capitals, RustFS does not.
  return {
    summary: asText(pickMember(answer, 'Summary', 'summary')),
    detail: asText(pickMember(answer, 'Detail', 'detail')),
    startTime: asTime(pickMember(answer, 'StartTime', 'startTime', 'start_time')),
    endTime: asTime(pickMember(answer, 'EndTime')),
    items: asList(pickMember(answer, 'Items', 'items')).map(readHealItem),
  }
}

/** Stops the heal of a path, if there is one. Needs `admin:Heal`. @throws MadminError AccessDenied */
export async function stopHeal(t: Transport, path: HealScope, options?: AdminCallOptions): Promise<void> {
  await t.call({ method: 'POST', path: healCallPath(path), query: { forceStop: 'true' }, json: {}, ...options })
}

/** Returns the token of the running heal that prevents another one; servers only report it in the error message. */
export function findRunningHealToken(message: string): string | undefined {
  return /token is ([\w-]+(?::\d+)?)/.exec(message)?.[1]
}

function healCallPath({ bucket, prefix }: HealScope): string {
  return bucket === '' ? 'heal/' : `heal/${encodePath(prefix === '' ? bucket : `${bucket}/${prefix}`)}`
}

function readHealItem(value: unknown): HealItemInfo {
  const number = (name: string) => asNumber(pickMember(value, name)) ?? 0
  const text = (name: string) => asText(pickMember(value, name))
  return {
    type: text('type'),
    bucket: text('bucket'),
    object: text('object'),
    versionId: text('versionId'),
    detail: text('detail'),
    parityBlocks: number('parityBlocks'),
    dataBlocks: number('dataBlocks'),
    diskCount: number('diskCount'),
    setCount: number('setCount'),
    before: readHealDrives(pickMember(value, 'before')),
    after: readHealDrives(pickMember(value, 'after')),
    size: number('objectSize'),
  }
}

function readHealDrives(value: unknown): HealDrive[] {
  return asList(pickMember(value, 'drives')).map((drive) => ({
    uuid: asText(pickMember(drive, 'uuid')),
    endpoint: asText(pickMember(drive, 'endpoint')),
    state: asText(pickMember(drive, 'state')),
  }))
}
