import type { ServerResponse } from 'node:http'
import { ApiError, fail } from '../errors.ts'
import { quoted } from '../json.ts'
import type { Kind } from '../kinds/kind.ts'
import { apiVersion } from '../kinds/kind.ts'
import type { StoredObject } from '../object.ts'
import type { Change, ObjectStore } from '../store/store.ts'
import { isSelected, numberOf, type Selection } from './lists.ts'
import { isOn } from './request-info.ts'

const BOOKMARK_MS = 30_000
const DEFAULT_SECONDS = 1800
/** Maximum number of waiting bytes; a reader further behind is disconnected, and must list again. */
const MAX_WAITING = 64 * 2 ** 20

/** The watches that are open, for tests. */
export class OpenWatches {
  readonly #open = new Set<{ resource: string; namespace: string | undefined }>()

  add(resource: string, namespace: string | undefined, response: ServerResponse): void {
    const watch = { resource, namespace }
    this.#open.add(watch)
    response.once('close', () => this.#open.delete(watch))
  }

  /** @param namespace empty: watches of all namespaces */
  count(resource: string, namespace: string): number {
    return [...this.#open].filter((each) => each.resource === resource && (each.namespace ?? '') === namespace).length
  }
}

/** Sends every change after a version, until the timeout or the reader disconnects. */
export function watch(
  kind: Kind,
  selection: Selection,
  query: URLSearchParams,
  store: ObjectStore,
  response: ServerResponse,
): void {
  if (query.get('sendInitialEvents') !== null) {
    const detail = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled'
    const cause = { reason: 'FieldValueForbidden', message: `Forbidden: ${detail}`, field: 'sendInitialEvents' }
    throw fail.invalid({ kind: 'ListOptions', group: 'meta.k8s.io' }, '', [cause])
  }
  const text = query.get('resourceVersion') ?? ''
  if (text !== '' && !/^\d+$/.test(text))
    throw new ApiError(
      500,
      undefined,
      `resourceVersion: Invalid value: ${quoted(text)}: strconv.ParseUint: parsing ${quoted(text)}: invalid syntax`,
    )
  const seconds = numberOf(query, 'timeoutSeconds') || DEFAULT_SECONDS
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' })
  response.flushHeaders()

  const send = (type: string, object: object) => {
    response.write(`${JSON.stringify({ type, object })}\n`)
    if (response.writableLength > MAX_WAITING) response.destroy()
  }
  const shown = (object: StoredObject) => kind.show(object)
  const tell = (change: Change) => {
    if (change.kind !== kind.key) return
    const is = change.type !== 'DELETED' && isSelected(kind, change.object, selection)
    const was = change.previous !== undefined && isSelected(kind, change.previous, selection)
    if (is) send(was ? 'MODIFIED' : 'ADDED', shown(change.object))
    else if (was && change.previous) {
      // An object that no longer matches the selection is sent as deleted, in its old form, with the version of the change.
      const { resourceVersion } = change.object.metadata
      send('DELETED', shown({ ...change.previous, metadata: { ...change.previous.metadata, resourceVersion } }))
    }
  }
  try {
    if (text === '' || text === '0') {
      for (const object of store.list(kind.key)) if (isSelected(kind, object, selection)) send('ADDED', shown(object))
    } else for (const change of store.changesSince(Number(text), kind.key)) tell(change)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    send('ERROR', error.status)
    response.end()
    return
  }

  const stop = store.subscribe(tell)
  const bookmarks = setInterval(() => {
    if (!isOn(query, 'allowWatchBookmarks')) return
    const metadata = { resourceVersion: String(store.revision), creationTimestamp: null }
    send('BOOKMARK', { kind: kind.kind, apiVersion: apiVersion(kind), metadata })
  }, BOOKMARK_MS)
  const end = setTimeout(() => response.end(), seconds * 1000)
  response.on('close', () => {
    stop()
    clearInterval(bookmarks)
    clearTimeout(end)
  })
}
