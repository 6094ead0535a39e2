import type { SelfSubjectRulesReview } from 'kubernetes-types/authorization/v1'
import type { KubeToken } from './connection.ts'
import type { KubeObject, KubeResource, SavedKubeObject } from './resources.ts'
import type { KubeWatchEvent, WatchTiming } from './watch.ts'

/** Options of every call. */
export interface KubeCallOptions {
  /** Aborts the call, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface ListSelector {
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
}

export interface KubeWriteOptions extends KubeCallOptions {
  /** The server checks and answers as usual, but stores nothing. */
  readonly dryRun?: boolean
  /** `Strict` refuses unknown fields. Default: they are dropped with a warning. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
}

export interface KubeDeleteOptions extends KubeCallOptions {
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

export interface KubeObjectAddress {
  /** Absent for kinds without namespaces. */
  readonly namespace?: string | undefined
  readonly name: string
}

export interface ObjectList<T extends KubeObject> {
  readonly objects: SavedKubeObject<T>[]
  /** Version of the listed state; a watch continues from it. */
  readonly resourceVersion: string
}

export interface PodLogOptions extends KubeCallOptions {
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
export interface CallerIdentity {
  /** Undefined if the server is too old to report it. */
  readonly username: string | undefined
  readonly uid: string | undefined
  readonly groups: readonly string[]
}

/** An action to check a permission for. */
export interface KubeAccessRequest {
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
  readonly resource: Pick<KubeResource, 'group' | 'plural'>
  readonly subresource?: string
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

export interface KubeAccessReview {
  readonly allowed: boolean
  /** The server's text; usually empty for a refusal. */
  readonly reason: string
}

/** What the caller may do in one namespace, as far as the server can list it. */
export type KubeAccessRules = NonNullable<SelfSubjectRulesReview['status']>

/** The API of one cluster, as one caller. */
export interface Kube {
  /**
   * Lists all objects of a kind, fetched in pages.
   * @throws KubeError Expired if the list has changed too much to return the next page; call again
   */
  list<T extends KubeObject>(kind: KubeResource<T>, selection?: ListSelector & KubeCallOptions): Promise<ObjectList<T>>
  /** Lists objects page by page, for lists that are too long to be held in memory. */
  pages<T extends KubeObject>(
    kind: KubeResource<T>,
    selection?: ListSelector & KubeCallOptions & { readonly limit?: number },
  ): AsyncGenerator<ObjectList<T>, void>
  /** @throws KubeError NotFound */
  get<T extends KubeObject>(
    kind: KubeResource<T>,
    at: KubeObjectAddress,
    options?: KubeCallOptions,
  ): Promise<SavedKubeObject<T>>
  /** @throws KubeError AlreadyExists; Invalid with `causes`; Forbidden, also if a quota does not allow it */
  create<T extends KubeObject>(
    kind: KubeResource<T>,
    object: T,
    options?: KubeWriteOptions,
  ): Promise<SavedKubeObject<T>>
  /**
   * Replaces an object. Unknown fields are kept if `object` is a changed copy of what `get` returned.
   * @throws KubeError Conflict if it has changed since
   */
  update<T extends KubeObject>(
    kind: KubeResource<T>,
    object: SavedKubeObject<T>,
    options?: KubeWriteOptions & { readonly subresource?: string },
  ): Promise<SavedKubeObject<T>>
  /**
   * Applies a JSON patch, which only changes the fields that it names.
   * @param options.resourceVersion Conflict if the object no longer has this version
   */
  patch<T extends KubeObject>(
    kind: KubeResource<T>,
    at: KubeObjectAddress,
    operations: readonly PatchOperation[],
    options?: KubeWriteOptions & { readonly resourceVersion?: string; readonly subresource?: string },
  ): Promise<SavedKubeObject<T>>
  /** Applies a JSON merge patch (RFC 7386): fields are replaced, null removes a field, lists are replaced as a whole. */
  mergePatch<T extends KubeObject>(
    kind: KubeResource<T>,
    at: KubeObjectAddress,
    patch: object,
    options?: KubeWriteOptions & { readonly subresource?: string },
  ): Promise<SavedKubeObject<T>>
  /** Resolves when the server has accepted the deletion: finalizers, running pods and owned objects may take longer. */
  delete(kind: KubeResource, at: KubeObjectAddress, options?: KubeDeleteOptions): Promise<void>
  deleteCollection(kind: KubeResource, selection: ListSelector, options?: KubeDeleteOptions): Promise<void>
  /** Creates at a subresource, such as `serviceaccounts/x/token`. */
  createAt<Out>(
    kind: KubeResource,
    at: KubeObjectAddress,
    subresource: string,
    body: object,
    options?: KubeWriteOptions,
  ): Promise<Out>
  /**
   * Yields all objects, then every change, until the signal aborts. Reconnects with growing pauses; if the server no longer has
   * the missed changes, lists all objects again.
   * @throws KubeError Unauthorized, Forbidden, NotFound: errors that a retry would not fix
   */
  watch<T extends KubeObject>(
    kind: KubeResource<T>,
    selection?: ListSelector & KubeCallOptions & { readonly timing?: Partial<WatchTiming> },
  ): AsyncGenerator<KubeWatchEvent<T>, void>
  /** Streams a container's log. @throws KubeError BadRequest for a pod without node or container */
  log(pod: KubeObjectAddress, options?: PodLogOptions): Promise<AsyncIterable<Buffer>>
  /** Streams a container's log in lines, without line feeds. */
  logLines(pod: KubeObjectAddress, options?: PodLogOptions): Promise<AsyncGenerator<string>>
  /** @throws KubeError Unauthorized if the token is not valid, or is for another audience */
  whoAmI(options?: KubeCallOptions): Promise<CallerIdentity>
  /** Checks whether the caller may do something. */
  can(action: KubeAccessRequest, options?: KubeCallOptions): Promise<KubeAccessReview>
  rules(namespace: string, options?: KubeCallOptions): Promise<KubeAccessRules>
  /** Returns the version of the server, such as `v1.33.13`. */
  version(options?: KubeCallOptions): Promise<string>
  /** Returns the groups except the core one, each with its versions, preferred first. */
  groups(options?: KubeCallOptions): Promise<{ name: string; versions: string[] }[]>
  /** Whether the server has a kind. */
  has(kind: KubeResource, options?: KubeCallOptions): Promise<boolean>
}

/** One API server; all callers share its connections. */
export interface Cluster extends AsyncDisposable {
  readonly server: string
  /** @param token of the caller; absent for an anonymous caller, or one identified by its client certificate */
  as(token?: KubeToken): Kube
}
