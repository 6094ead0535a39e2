import type { ServerResponse } from 'node:http'
import type { KubeKind } from '../kinds/kind.ts'
import { apiVersion } from '../kinds/kind.ts'
import { quoteLikeGo } from '../object/json.ts'
import { KubeApiError, kubeErrors } from '../object/kube-api-error.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import type { KubeChange, KubeObjectStore } from '../store/store.ts'
import { type ListSelection, matchesSelection, queryNumber } from './list-objects.ts'
import { isQueryFlagSet } from './request-info.ts'

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
export function watchKubeObjects(
  kind: KubeKind,
  selection: ListSelection,
  query: URLSearchParams,
  store: KubeObjectStore,
  response: ServerResponse,
): void {
  if (query.get('sendInitialEvents') !== null) {
    const detail = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled'
    const cause = { reason: 'FieldValueForbidden', message: `Forbidden: ${detail}`, field: 'sendInitialEvents' }
    throw kubeErrors.invalid({ kind: 'ListOptions', group: 'meta.k8s.io' }, '', [cause])
  }
  const text = query.get('resourceVersion') ?? ''
  if (text !== '' && !/^\d+$/.test(text))
    throw new KubeApiError(
      500,
      undefined,
      `resourceVersion: Invalid value: ${quoteLikeGo(text)}: strconv.ParseUint: parsing ${quoteLikeGo(text)}: invalid syntax`,
    )
  const seconds = queryNumber(query, 'timeoutSeconds') || DEFAULT_SECONDS
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' })
  response.flushHeaders()

  const send = (type: string, object: object) => {
    response.write(`${JSON.stringify({ type, object })}\n`)
    if (response.writableLength > MAX_WAITING) response.destroy()
  }
  const shown = (object: SandboxObject) => kind.show(object)
  const sendEvent = (change: KubeChange) => {
    if (change.kind !== kind.key) return
    const is = change.type !== 'DELETED' && matchesSelection(kind, change.object, selection)
    const was = change.previous !== undefined && matchesSelection(kind, change.previous, selection)
    if (is) send(was ? 'MODIFIED' : 'ADDED', shown(change.object))
    else if (was && change.previous) {
      // An object that no longer matches the selection is sent as deleted, in its old form, with the version of the change.
      const { resourceVersion } = change.object.metadata
      send('DELETED', shown({ ...change.previous, metadata: { ...change.previous.metadata, resourceVersion } }))
    }
  }
  try {
    if (text === '' || text === '0') {
      for (const object of store.list(kind.key))
        if (matchesSelection(kind, object, selection)) send('ADDED', shown(object))
    } else for (const change of store.changesSince(Number(text), kind.key)) sendEvent(change)
  } catch (error) {
    if (!(error instanceof KubeApiError)) throw error
    send('ERROR', error.status)
    response.end()
    return
  }

  const stop = store.subscribe(sendEvent)
  const bookmarks = setInterval(() => {
    if (!isQueryFlagSet(query, 'allowWatchBookmarks')) return
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
