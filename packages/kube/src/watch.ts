import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterConnection, KubeQuery, KubeStream, KubeToken } from './connection.ts'
import { KubeError, type KubeStatus } from './kube-error.ts'
import { readLines } from './read-lines.ts'
import type { KubeObject, SavedKubeObject } from './resources.ts'

export type KubeWatchEvent<T extends KubeObject> =
  /** All existing objects: the first event, and again after missed changes. Replaces the known state. */
  | { readonly type: 'list'; readonly objects: SavedKubeObject<T>[] }
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly object: SavedKubeObject<T> }
  /** The known state may now be outdated; the watch reconnects automatically. */
  | { readonly type: 'interrupted'; readonly error: Error }
  /** No changes were missed, or a new list with them was just sent. */
  | { readonly type: 'resumed' }

export interface WatchTiming {
  /** The first pause after a failure, doubled after each further one. Default 500. */
  readonly firstWaitMs: number
  /** Longest pause. Default 30,000. */
  readonly maxWaitMs: number
  /** A connection without data for this long, including bookmarks, is replaced. Default 90,000. */
  readonly idleMs: number
  readonly random: () => number
}

const TIMING: WatchTiming = { firstWaitMs: 500, maxWaitMs: 30_000, idleMs: 90_000, random: Math.random }

/** Maximum size of an event, in bytes: an object has at most 1.5 MiB in etcd, and escaping can make it larger. */
const MAX_EVENT = 16 * 2 ** 20

export interface WatchSource<T extends KubeObject> {
  readonly connection: ClusterConnection
  readonly token: KubeToken
  readonly path: string
  readonly query: KubeQuery
  readonly signal: AbortSignal | undefined
  readonly timing: Partial<WatchTiming> | undefined
  list(): Promise<{ objects: SavedKubeObject<T>[]; resourceVersion: string }>
}

/** A line of a watch. */
interface WireEvent<T extends KubeObject> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  object: SavedKubeObject<T> | KubeStatus
}

const TYPES = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const

/** Failures that a retry cannot fix: the caller is unknown or not allowed, or the kind does not exist. */
const FINAL = new Set(['Unauthorized', 'Forbidden', 'NotFound', 'BadRequest', 'MethodNotAllowed'])

/** A watch that lasted this long was healthy, however it ended. */
const HEALTHY_MS = 5_000

/** @see the caller, `Kube.watch` */
export async function* watchObjects<T extends KubeObject>(
  source: WatchSource<T>,
): AsyncGenerator<KubeWatchEvent<T>, void> {
  const timing = { ...TIMING, ...source.timing }
  const { signal } = source
  /** Version to continue from; undefined if the whole list is needed. */
  let version: string | undefined
  /** Number of consecutive failures; the pause grows with it. */
  let failures = 0
  let interrupted = false

  while (!signal?.aborted) {
    let opened = Number.POSITIVE_INFINITY
    try {
      if (version === undefined) {
        const listed = await source.list()
        version = listed.resourceVersion
        yield { type: 'list', objects: listed.objects }
      }
      const { body } = await open(source, version, timing)
      opened = performance.now()
      if (interrupted) yield { type: 'resumed' }
      interrupted = false
      for await (const line of readLines(body, MAX_EVENT)) {
        const event = JSON.parse(line) as WireEvent<T>
        if (event.type === 'ERROR') throw new KubeError(event.object as KubeStatus)
        const object = event.object as SavedKubeObject<T>
        version = object.metadata.resourceVersion
        if (event.type !== 'BOOKMARK') yield { type: TYPES[event.type], object }
      }
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof Error) || isFinal(error)) throw error
      if (isExpired(error)) version = undefined
      else if (!isIdle(error) && !interrupted) {
        interrupted = true
        yield { type: 'interrupted', error }
      }
      if (error instanceof KubeError && !(await pause(error.retryAfterMs ?? 0, timing, signal))) return
    }
    // Servers end every watch from time to time; the next one then starts immediately.
    failures = performance.now() - opened >= HEALTHY_MS ? 0 : failures + 1
    if (failures > 0 && !(await pause(reconnectDelay(failures, timing), timing, signal))) return
  }
}

function open<T extends KubeObject>(source: WatchSource<T>, version: string, timing: WatchTiming): Promise<KubeStream> {
  // The server ends the watch after this time; random, so that many watches do not restart together.
  const timeoutSeconds = Math.round(300 + 300 * timing.random())
  const query = { ...source.query, watch: true, allowWatchBookmarks: true, resourceVersion: version, timeoutSeconds }
  const { path, signal } = source
  return source.connection.stream(source.token, { method: 'GET', path, query, signal }, timing.idleMs)
}

/** Returns the pause before a connection after failures in a row (ms). */
export function reconnectDelay(
  failures: number,
  { firstWaitMs, maxWaitMs, random }: Omit<WatchTiming, 'idleMs'>,
): number {
  const full = Math.min(maxWaitMs, firstWaitMs * 2 ** Math.min(failures - 1, 20))
  return full * (0.5 + random() / 2)
}

/** @returns false if the signal ended it */
async function pause(ms: number, { maxWaitMs }: WatchTiming, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await sleep(Math.min(ms, maxWaitMs), undefined, signal ? { signal } : {})
    return true
  } catch {
    // Only the signal ends a sleep early.
    return false
  }
}

function isFinal(error: Error): boolean {
  return error instanceof KubeError && FINAL.has(error.code)
}

/** Whether the version to continue from is older than what the server remembers. */
function isExpired(error: Error): boolean {
  return error instanceof KubeError && (error.status === 410 || error.code === 'Expired' || error.code === 'Gone')
}

function isIdle(error: Error): boolean {
  return 'code' in error && error.code === 'UND_ERR_BODY_TIMEOUT'
}
