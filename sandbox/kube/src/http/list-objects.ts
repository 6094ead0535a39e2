import { apiVersion, type KubeKind } from '../kinds/kind.ts'
import { quoteLikeGo } from '../object/json.ts'
import { fieldErrors, kubeErrors } from '../object/kube-api-error.ts'
import { type FieldSelector, type LabelSelector, parseFieldSelector, parseLabelSelector } from '../object/selectors.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import type { KubeObjectStore } from '../store/store.ts'

/** Selects objects of a kind. */
export interface ListSelection {
  readonly namespace: string | undefined
  readonly labels: LabelSelector
  readonly fields: FieldSelector
  readonly selects: boolean
}

/** @throws ApiError BadRequest */
export function parseSelection(kind: KubeKind, namespace: string | undefined, query: URLSearchParams): ListSelection {
  const labels = query.get('labelSelector') ?? ''
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '')
  const known = new Set(['metadata.name', 'metadata.namespace', ...Object.keys(kind.rules.fields?.({}) ?? {})])
  for (const name of fields.fields)
    if (!known.has(name))
      throw kubeErrors.badRequest(
        // Another part of the server handles kinds without their own fields, with different messages.
        kind.rules.fields || kind.custom
          ? `field label not supported: ${name}`
          : `${quoteLikeGo(name)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
      )
  return { namespace, labels: parseLabelSelector(labels), fields, selects: labels !== '' || fields.fields.length > 0 }
}

export function matchesSelection(
  kind: KubeKind,
  object: SandboxObject,
  { namespace, labels, fields }: ListSelection,
): boolean {
  const { metadata } = object
  if (namespace !== undefined && metadata.namespace !== namespace) return false
  if (!labels(metadata.labels ?? {})) return false
  if (fields.fields.length === 0) return true
  const own = { 'metadata.name': metadata.name, 'metadata.namespace': metadata.namespace ?? '' }
  return fields.matches({ ...kind.rules.fields?.(object), ...own })
}

/** Where the next page of a list starts, and the version of the cluster that all its pages show. */
interface ContinueToken {
  v: string
  rv: number
  start: string
}

/** @throws ApiError BadRequest, Expired, Invalid */
export function listKubeObjects(
  kind: KubeKind,
  selection: ListSelection,
  query: URLSearchParams,
  store: KubeObjectStore,
): object {
  const limit = queryNumber(query, 'limit') ?? 0
  const from = parseContinue(query)
  const revision = from?.rv ?? listRevision(query, store)
  const all = store
    .listAt(revision, kind.key, kind.namespaced ? selection.namespace : undefined)
    .filter((object) => matchesSelection(kind, object, selection))
  const rest = from ? all.filter((object) => continueKey(object) > from.start) : all
  const page = limit > 0 ? rest.slice(0, limit) : rest
  const left = rest.length - page.length
  const last = page.at(-1)
  const next =
    left > 0 && last ? encodeContinue({ v: 'meta.k8s.io/v1', rv: revision, start: continueKey(last) }) : undefined
  return {
    kind: kind.listKind,
    apiVersion: apiVersion(kind),
    metadata: {
      // Lists of custom kinds have an empty continuation.
      ...(next === undefined ? (kind.custom ? { continue: '' } : {}) : { continue: next }),
      ...(next === undefined || selection.selects ? {} : { remainingItemCount: left }),
      resourceVersion: String(revision),
    },
    items: page.map((object) => listItem(kind, object)),
  }
}

/** In lists of built-in kinds, objects do not contain their kind. */
function listItem(kind: KubeKind, object: SandboxObject): object {
  const shown = kind.show(object)
  if (kind.custom) return shown
  const { apiVersion: _, kind: __, ...rest } = shown
  return rest
}

const continueKey = ({ metadata }: SandboxObject) => `${metadata.namespace ?? ''}\0${metadata.name}`

const encodeContinue = (next: ContinueToken) => Buffer.from(JSON.stringify(next)).toString('base64url')

function parseContinue(query: URLSearchParams): ContinueToken | undefined {
  const text = query.get('continue')
  if (!text) return undefined
  const version = query.get('resourceVersion')
  if (version && version !== '0')
    throw kubeErrors.badRequest('specifying resource version is not allowed when using continue')
  try {
    const parsed = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as ContinueToken
    if (Number.isSafeInteger(parsed.rv) && typeof parsed.start === 'string') return parsed
  } catch {
    // Handled below.
  }
  const first = Buffer.from(text, 'base64url').toString('latin1')[0] ?? ''
  throw kubeErrors.badRequest(
    `invalid continue token: continue key is not valid: invalid character '${first}' looking for beginning of value`,
  )
}

/** @returns the version to list */
function listRevision(query: URLSearchParams, store: KubeObjectStore): number {
  const text = query.get('resourceVersion') ?? ''
  const match = query.get('resourceVersionMatch') ?? ''
  const invalid = (cause: ReturnType<typeof fieldErrors.forbidden>) =>
    kubeErrors.invalid({ kind: 'ListOptions', group: 'meta.k8s.io' }, '', [cause])
  if (match !== '' && text === '')
    throw invalid(
      fieldErrors.forbidden(
        'resourceVersionMatch',
        'resourceVersionMatch is forbidden unless resourceVersion is provided',
      ),
    )
  if (!['', 'Exact', 'NotOlderThan'].includes(match))
    throw invalid(fieldErrors.notSupported('resourceVersionMatch', quoteLikeGo(match), ['Exact', 'NotOlderThan', '']))
  if (text === '' || text === '0') return store.revision
  if (!/^\d+$/.test(text))
    throw kubeErrors.badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${quoteLikeGo(text)}: strconv.ParseUint: parsing ${quoteLikeGo(text)}: invalid syntax`,
    )
  const revision = Number(text)
  if (revision > store.revision) throw revisionTooLarge(revision, store.revision)
  return match === 'Exact' ? revision : store.revision
}

export function revisionTooLarge(revision: number, current: number) {
  return kubeErrors.timeout(`Too large resource version: ${revision}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })
}

/** @throws ApiError BadRequest */
export function queryNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^[+-]?\d{1,18}$/.test(text))
    throw kubeErrors.badRequest(`strconv.ParseInt: parsing ${quoteLikeGo(text)}: invalid syntax`)
  return Number(text)
}
