import type { SelfSubjectRulesReview } from 'kubernetes-types/authorization/v1'
import type { Token } from './connection.ts'
import type { KubeObject, Resource, Stored } from './resources.ts'
import type { WatchEvent, WatchTiming } from './watch.ts'

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface Selection {
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
}

export interface WriteOptions extends CallOptions {
  /** The server checks and answers as usual, but stores nothing. */
  readonly dryRun?: boolean
  /** `Strict` refuses unknown fields. Default: they are dropped with a warning. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean
  /** Whether owned objects are deleted after it, before it, or not at all. Default: depends on the kind. */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan'
  readonly gracePeriodSeconds?: number
  /** Conflict if the object has changed. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

/** One step of a JSON patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string }

export interface ObjectName {
  /** Absent for kinds without namespaces. */
  readonly namespace?: string | undefined
  readonly name: string
}

export interface List<T extends KubeObject> {
  readonly objects: Stored<T>[]
  /** Version of the listed state; a watch continues from it. */
  readonly resourceVersion: string
}

export interface LogOptions extends CallOptions {
  /** Required if the pod has several. */
  readonly container?: string
  /** Streams the log until the container ends. */
  readonly follow?: boolean
  /** The log of the container's previous run. */
  readonly previous?: boolean
  readonly tailLines?: number
  readonly sinceSeconds?: number
  /** Adds a time to each line, RFC 3339. */
  readonly timestamps?: boolean
  readonly limitBytes?: number
}

/** The caller's user name, as the API server reports it. */
export interface Identity {
  /** Undefined if the server is too old to report it. */
  readonly username: string | undefined
  readonly uid: string | undefined
  readonly groups: readonly string[]
}

/** An action to check a permission for. */
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
  /** The server's text; usually empty for a refusal. */
  readonly reason: string
}

/** What the caller may do in one namespace, as far as the server can list it. */
export type Rules = NonNullable<SelfSubjectRulesReview['status']>

/** The API of one cluster, as one caller. */
export interface Kube {
  /**
   * Lists all objects of a kind, fetched in pages.
   * @throws KubeError Expired if the list has changed too much to return the next page; call again
   */
  list<T extends KubeObject>(kind: Resource<T>, selection?: Selection & CallOptions): Promise<List<T>>
  /** Lists objects page by page, for lists that are too long to be held in memory. */
  pages<T extends KubeObject>(
    kind: Resource<T>,
    selection?: Selection & CallOptions & { readonly limit?: number },
  ): AsyncGenerator<List<T>, void>
  /** @throws KubeError NotFound */
  get<T extends KubeObject>(kind: Resource<T>, at: ObjectName, options?: CallOptions): Promise<Stored<T>>
  /** @throws KubeError AlreadyExists; Invalid with `causes`; Forbidden, also if a quota does not allow it */
  create<T extends KubeObject>(kind: Resource<T>, object: T, options?: WriteOptions): Promise<Stored<T>>
  /**
   * Replaces an object. Unknown fields are kept if `object` is a changed copy of what `get` returned.
   * @throws KubeError Conflict if it has changed since
   */
  update<T extends KubeObject>(
    kind: Resource<T>,
    object: Stored<T>,
    options?: WriteOptions & { readonly subresource?: string },
  ): Promise<Stored<T>>
  /**
   * Applies a JSON patch, which only changes the fields that it names.
   * @param options.resourceVersion Conflict if the object no longer has this version
   */
  patch<T extends KubeObject>(
    kind: Resource<T>,
    at: ObjectName,
    operations: readonly PatchOperation[],
    options?: WriteOptions & { readonly resourceVersion?: string; readonly subresource?: string },
  ): Promise<Stored<T>>
  /** Applies a JSON merge patch (RFC 7386): fields are replaced, null removes a field, lists are replaced as a whole. */
  mergePatch<T extends KubeObject>(
    kind: Resource<T>,
    at: ObjectName,
    patch: object,
    options?: WriteOptions & { readonly subresource?: string },
  ): Promise<Stored<T>>
  /** Resolves when the server has accepted the deletion: finalizers, running pods and owned objects may take longer. */
  delete(kind: Resource, at: ObjectName, options?: DeleteOptions): Promise<void>
  deleteCollection(kind: Resource, selection: Selection, options?: DeleteOptions): Promise<void>
  /** Creates at a subresource, such as `serviceaccounts/x/token`. */
  createAt<Out>(kind: Resource, at: ObjectName, subresource: string, body: object, options?: WriteOptions): Promise<Out>
  /**
   * Yields all objects, then every change, until the signal aborts. Reconnects with growing pauses; if the server no longer has
   * the missed changes, lists all objects again.
   * @throws KubeError Unauthorized, Forbidden, NotFound: errors that a retry would not fix
   */
  watch<T extends KubeObject>(
    kind: Resource<T>,
    selection?: Selection & CallOptions & { readonly timing?: Partial<WatchTiming> },
  ): AsyncGenerator<WatchEvent<T>, void>
  /** Streams a container's log. @throws KubeError BadRequest for a pod without node or container */
  log(pod: ObjectName, options?: LogOptions): Promise<AsyncIterable<Buffer>>
  /** Streams a container's log in lines, without line feeds. */
  logLines(pod: ObjectName, options?: LogOptions): Promise<AsyncGenerator<string>>
  /** @throws KubeError Unauthorized if the token is not valid, or is for another audience */
  whoAmI(options?: CallOptions): Promise<Identity>
  /** Checks whether the caller may do something. */
  can(action: Action, options?: CallOptions): Promise<Verdict>
  rules(namespace: string, options?: CallOptions): Promise<Rules>
  /** Returns the version of the server, such as `v1.33.13`. */
  version(options?: CallOptions): Promise<string>
  /** Returns the groups except the core one, each with its versions, preferred first. */
  groups(options?: CallOptions): Promise<{ name: string; versions: string[] }[]>
  /** Whether the server has a kind. */
  has(kind: Resource, options?: CallOptions): Promise<boolean>
}

/** One API server; all callers share its connections. */
export interface Cluster extends AsyncDisposable {
  readonly server: string
  /** @param token of the caller; absent for an anonymous caller, or one identified by its client certificate */
  as(token?: Token): Kube
}
