import type { SelfSubjectAccessReview, SelfSubjectRulesReview } from 'kubernetes-types/authorization/v1'
import type { APIGroupList, APIResourceList } from 'kubernetes-types/meta/v1'
import {
  type Call,
  type ClusterOptions,
  type Connection,
  openConnection,
  type Query,
  type Token,
} from './connection.ts'
import { KubeError } from './errors.ts'
import { lines } from './lines.ts'
import { pathOf } from './paths.ts'
import { apiVersionOf, type KubeObject, type Resource, resources, type Stored } from './resources.ts'
import { type WatchEvent, type WatchTiming, watch } from './watch.ts'

/** Taken by every call. */
export interface CallOptions {
  /** Ends the call; it fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface Selection {
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
}

export interface WriteOptions extends CallOptions {
  /** The server checks and answers as always, and stores nothing. */
  readonly dryRun?: boolean
  /** `Strict` refuses fields that the server does not have. Default: they are dropped with a warning. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean
  /** Whether what the object owns goes with it, before it, or stays. Default: as the kind has it. */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan'
  readonly gracePeriodSeconds?: number
  /** Conflict when the object is another one by now. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

/** One step of a JSON patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string }

export interface ObjectName {
  /** Absent for kinds that are in no namespace. */
  readonly namespace?: string | undefined
  readonly name: string
}

export interface List<T extends KubeObject> {
  readonly objects: Stored<T>[]
  /** The state of the cluster that was listed; a watch goes on from it. */
  readonly resourceVersion: string
}

export interface LogOptions extends CallOptions {
  /** Needed when the pod has several. */
  readonly container?: string
  /** Follows the log until the container ends. */
  readonly follow?: boolean
  /** The log of the container's previous run. */
  readonly previous?: boolean
  readonly tailLines?: number
  readonly sinceSeconds?: number
  /** Begins each line with its time, RFC 3339. */
  readonly timestamps?: boolean
  readonly limitBytes?: number
}

/** The user name of the caller for the API server. */
export interface Identity {
  /** Undefined where the server is too old to say. */
  readonly username: string | undefined
  readonly uid: string | undefined
  readonly groups: readonly string[]
}

/** An action to ask a permission for. */
export interface Action {
  readonly verb:
    | 'get'
    | 'list'
    | 'watch'
    | 'create'
    | 'update'
    | 'patch'
    | 'delete'
    | 'deletecollection'
    | (string & {})
  readonly resource: Pick<Resource, 'group' | 'plural'>
  readonly subresource?: string
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

export interface Verdict {
  readonly allowed: boolean
  /** The server's words; mostly empty for a refusal. */
  readonly reason: string
}

/** What the caller may do in one namespace, as far as the server can list it. */
export type Rules = NonNullable<SelfSubjectRulesReview['status']>

/** The API of one cluster, as one caller. */
export interface Kube {
  /**
   * All objects of a kind, fetched in pages.
   * @throws KubeError Expired when the list changed for so long that its next page is gone; ask again
   */
  list<T extends KubeObject>(kind: Resource<T>, selection?: Selection & CallOptions): Promise<List<T>>
  /** The same, page by page, for lists that should not be held whole. */
  pages<T extends KubeObject>(
    kind: Resource<T>,
    selection?: Selection & CallOptions & { readonly limit?: number },
  ): AsyncGenerator<List<T>, void>
  /** @throws KubeError NotFound */
  get<T extends KubeObject>(kind: Resource<T>, at: ObjectName, options?: CallOptions): Promise<Stored<T>>
  /** @throws KubeError AlreadyExists; Invalid with `causes`; Forbidden, also where a quota does not allow it */
  create<T extends KubeObject>(kind: Resource<T>, object: T, options?: WriteOptions): Promise<Stored<T>>
  /**
   * Replaces an object. Fields that nobody here knows are kept when `object` is what `get` returned, changed.
   * @throws KubeError Conflict when somebody else changed it since
   */
  update<T extends KubeObject>(
    kind: Resource<T>,
    object: Stored<T>,
    options?: WriteOptions & { readonly subresource?: string },
  ): Promise<Stored<T>>
  /**
   * Applies a JSON patch, which touches what it names only.
   * @param options.resourceVersion Conflict when the object is not at this version any more
   */
  patch<T extends KubeObject>(
    kind: Resource<T>,
    at: ObjectName,
    operations: readonly PatchOperation[],
    options?: WriteOptions & { readonly resourceVersion?: string; readonly subresource?: string },
  ): Promise<Stored<T>>
  /** Applies a JSON merge patch (RFC 7386): members replace, null removes, lists are replaced whole. */
  mergePatch<T extends KubeObject>(
    kind: Resource<T>,
    at: ObjectName,
    patch: object,
    options?: WriteOptions & { readonly subresource?: string },
  ): Promise<Stored<T>>
  /** Resolves when the server has accepted it: finalizers, running pods and owned objects may take longer. */
  delete(kind: Resource, at: ObjectName, options?: DeleteOptions): Promise<void>
  deleteCollection(kind: Resource, selection: Selection, options?: DeleteOptions): Promise<void>
  /** Creates at a subresource, such as `serviceaccounts/x/token`. */
  createAt<Out>(kind: Resource, at: ObjectName, subresource: string, body: object, options?: WriteOptions): Promise<Out>
  /**
   * All objects, then every change, until the signal ends it. Connections that end or break are made again with growing
   * waits; changes that the server no longer remembers are covered by a new list.
   * @throws KubeError Unauthorized, Forbidden, NotFound: what no later try would mend
   */
  watch<T extends KubeObject>(
    kind: Resource<T>,
    selection?: Selection & CallOptions & { readonly timing?: Partial<WatchTiming> },
  ): AsyncGenerator<WatchEvent<T>, void>
  /** The bytes of a container's log as they come. @throws KubeError BadRequest for a pod without node or container */
  log(pod: ObjectName, options?: LogOptions): Promise<AsyncIterable<Buffer>>
  /** The same in lines, without their line feeds. */
  logLines(pod: ObjectName, options?: LogOptions): Promise<AsyncGenerator<string>>
  /** @throws KubeError Unauthorized when the token is not valid, or is for another audience */
  whoAmI(options?: CallOptions): Promise<Identity>
  /** Asks the server whether the caller may do something. */
  can(action: Action, options?: CallOptions): Promise<Verdict>
  rules(namespace: string, options?: CallOptions): Promise<Rules>
  /** Version of the server, as in `v1.33.13`. */
  version(options?: CallOptions): Promise<string>
  /** Groups beside the core one, each with its versions, preferred first. */
  groups(options?: CallOptions): Promise<{ name: string; versions: string[] }[]>
  /** Whether the server serves a kind. */
  has(kind: Resource, options?: CallOptions): Promise<boolean>
}

/** One API server; every caller's calls share its connections. */
export interface Cluster extends AsyncDisposable {
  readonly server: string
  /** @param token of the caller; absent for an anonymous caller, or one known by its client certificate */
  as(token?: Token): Kube
}

/** Objects in a page of a list. */
const PAGE = 500
/** Longest line of a log, in bytes. */
const MAX_LOG_LINE = 2 ** 20

/** Opens the way to an API server; nothing is sent yet. */
export function openCluster(options: ClusterOptions): Cluster {
  const connection = openConnection(options)
  return {
    server: options.server,
    as: (token) => createKube(connection, token, options.timeoutMs ?? 30_000),
    [Symbol.asyncDispose]: () => connection.close(),
  }
}

function createKube(connection: Connection, token: Token, timeoutMs: number): Kube {
  // The caller of each call names the kind that the server answers with.
  const call: CallFunction = <T>(each: Call) => connection.call(token, each) as Promise<T>

  async function* pages<T extends KubeObject>(
    kind: Resource<T>,
    {
      namespace,
      labelSelector,
      fieldSelector,
      limit = PAGE,
      signal,
    }: Selection & CallOptions & { limit?: number } = {},
  ): AsyncGenerator<List<T>, void> {
    const path = pathOf(kind, { namespace })
    let next: string | undefined
    do {
      const query = { labelSelector, fieldSelector, limit, continue: next }
      const page = await call<RawList<T>>({ method: 'GET', path, query, signal })
      const type = { apiVersion: apiVersionOf(kind), kind: kind.kind }
      yield {
        // Items of a list do not name their kind; objects from `get` and `watch` do.
        objects: (page.items ?? []).map((item) => ({ ...type, ...item })),
        resourceVersion: page.metadata?.resourceVersion ?? '',
      }
      next = page.metadata?.continue
    } while (next)
  }

  const list: Kube['list'] = async (kind, selection) => {
    const objects = []
    let resourceVersion = ''
    for await (const page of pages(kind, selection)) {
      objects.push(...page.objects)
      resourceVersion = page.resourceVersion
    }
    return { objects, resourceVersion }
  }

  const log: Kube['log'] = async ({ namespace, name }, { signal, ...options } = {}) => {
    const path = pathOf(resources.pods, { namespace, name, subresource: 'log' })
    // A follower waits while the container writes nothing.
    const idleMs = options.follow ? 0 : timeoutMs
    return (await connection.stream(token, { method: 'GET', path, query: options as Query, signal }, idleMs)).body
  }

  return {
    list,
    pages,
    get: (kind, at, { signal } = {}) => call({ method: 'GET', path: pathOf(kind, at), signal }),
    create(kind, object, options = {}) {
      const path = pathOf(kind, { namespace: object.metadata?.namespace })
      const body = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object }
      return call({ method: 'POST', path, query: writeQuery(options), body, signal: options.signal })
    },
    update(kind, object, { subresource, ...options } = {}) {
      const { namespace, name } = object.metadata
      const path = pathOf(kind, { namespace, name, subresource })
      const body = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object }
      return call({ method: 'PUT', path, query: writeQuery(options), body, signal: options.signal })
    },
    patch(kind, at, operations, { resourceVersion, subresource, ...options } = {}) {
      // Written rather than tested: a failed test is a 422 that looks like any other, an old version a 409.
      const pin = { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion } as const
      return call({
        method: 'PATCH',
        path: pathOf(kind, { ...at, subresource }),
        query: writeQuery(options),
        body: resourceVersion === undefined ? operations : [pin, ...operations],
        contentType: 'application/json-patch+json',
        signal: options.signal,
      })
    },
    mergePatch: (kind, at, patch, { subresource, ...options } = {}) =>
      call({
        method: 'PATCH',
        path: pathOf(kind, { ...at, subresource }),
        query: writeQuery(options),
        body: patch,
        contentType: 'application/merge-patch+json',
        signal: options.signal,
      }),
    async delete(kind, at, options = {}) {
      await call({ method: 'DELETE', path: pathOf(kind, at), body: deleteBody(options), signal: options.signal })
    },
    async deleteCollection(kind, { namespace, labelSelector, fieldSelector }, options = {}) {
      await call({
        method: 'DELETE',
        path: pathOf(kind, { namespace }),
        query: { labelSelector, fieldSelector },
        body: deleteBody(options),
        signal: options.signal,
      })
    },
    createAt: (kind, at, subresource, body, options = {}) =>
      call({
        method: 'POST',
        path: pathOf(kind, { ...at, subresource }),
        query: writeQuery(options),
        body,
        signal: options.signal,
      }),
    watch: (kind, { namespace, labelSelector, fieldSelector, signal, timing } = {}) =>
      watch({
        connection,
        token,
        path: pathOf(kind, { namespace }),
        query: { labelSelector, fieldSelector },
        signal,
        timing,
        list: () => list(kind, { namespace, labelSelector, fieldSelector, signal }),
      }),
    log,
    logLines: async (pod, options) => lines(await log(pod, options), MAX_LOG_LINE),
    whoAmI: (options = {}) => whoAmI(call, options),
    async can({ verb, resource, subresource, namespace, name }, { signal } = {}) {
      const resourceAttributes = {
        verb,
        group: resource.group,
        resource: resource.plural,
        ...(subresource === undefined ? {} : { subresource }),
        ...(namespace === undefined ? {} : { namespace }),
        ...(name === undefined ? {} : { name }),
      }
      const review = await call<SelfSubjectAccessReview>({
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        body: { ...typeMeta('authorization.k8s.io/v1', 'SelfSubjectAccessReview'), spec: { resourceAttributes } },
        signal,
      })
      return { allowed: review.status?.allowed ?? false, reason: review.status?.reason ?? '' }
    },
    async rules(namespace, { signal } = {}) {
      const review = await call<SelfSubjectRulesReview>({
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
        body: { ...typeMeta('authorization.k8s.io/v1', 'SelfSubjectRulesReview'), spec: { namespace } },
        signal,
      })
      return review.status ?? { incomplete: true, resourceRules: [], nonResourceRules: [] }
    },
    async version({ signal } = {}) {
      return (await call<{ gitVersion: string }>({ method: 'GET', path: '/version', signal })).gitVersion
    },
    async groups({ signal } = {}) {
      const { groups } = await call<APIGroupList>({ method: 'GET', path: '/apis', signal })
      return groups.map(({ name, versions, preferredVersion }) => {
        const all = versions.map(({ version }) => version)
        const first = preferredVersion?.version ?? all[0]
        return { name, versions: first === undefined ? [] : [first, ...all.filter((version) => version !== first)] }
      })
    },
    async has(kind, { signal } = {}) {
      const path = `/${kind.group === '' ? 'api' : 'apis'}/${apiVersionOf(kind)}`
      try {
        const { resources } = await call<APIResourceList>({ method: 'GET', path, signal })
        return resources.some(({ name }) => name === kind.plural)
      } catch (error) {
        if (error instanceof KubeError && error.code === 'NotFound') return false
        throw error
      }
    },
  }
}

interface RawList<T extends KubeObject> {
  items: Stored<T>[] | null
  metadata?: { resourceVersion?: string; continue?: string }
}

type CallFunction = <T>(call: Call) => Promise<T>

interface SelfSubjectReview {
  status?: { userInfo?: { username?: string; uid?: string; groups?: string[] } }
}

/** SelfSubjectReview is there from Kubernetes 1.28 on. Before, a token is good when the server lists its versions for it. */
async function whoAmI(call: CallFunction, { signal }: CallOptions): Promise<Identity> {
  try {
    const { status } = await call<SelfSubjectReview>({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: typeMeta('authentication.k8s.io/v1', 'SelfSubjectReview'),
      signal,
    })
    return { username: status?.userInfo?.username, uid: status?.userInfo?.uid, groups: status?.userInfo?.groups ?? [] }
  } catch (error) {
    // An older server's roles do not name this kind, so it may say Forbidden before it says NotFound.
    if (!(error instanceof KubeError) || (error.code !== 'NotFound' && error.code !== 'Forbidden')) throw error
    await call({ method: 'GET', path: '/api', signal })
    return { username: undefined, uid: undefined, groups: [] }
  }
}

function typeMeta(apiVersion: string, kind: string): { apiVersion: string; kind: string } {
  return { apiVersion, kind }
}

function writeQuery({ dryRun, fieldValidation }: WriteOptions): Query {
  return { dryRun: dryRun ? 'All' : undefined, fieldValidation }
}

function deleteBody({ dryRun, propagation, gracePeriodSeconds, preconditions }: DeleteOptions): object {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions === undefined ? {} : { preconditions }),
  }
}
