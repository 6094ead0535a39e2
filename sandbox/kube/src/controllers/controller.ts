import { isDeepStrictEqual } from 'node:util'
import type { CertificateAuthority } from '../auth/pki.ts'
import type { ServiceAccountTokens } from '../auth/tokens.ts'
import type { KubeCaller, KubeKind } from '../kinds/kind.ts'
import type { KindRegistry } from '../kinds/kind-registry.ts'
import type { OwnerReference, SandboxObject } from '../object/stored-object.ts'
import type { KubeOperations } from '../operations/operations.ts'
import type { KubeChange, KubeObjectStore } from '../store/store.ts'

/** What controllers work with: the operations that clients have too, and the store below them for status. */
export interface ControllerContext {
  readonly store: KubeObjectStore
  readonly registry: KindRegistry
  readonly operations: KubeOperations
  readonly tokens: ServiceAccountTokens
  /** Signs certificates; its certificate is published to every namespace. */
  readonly authority: CertificateAuthority
  readonly now: () => Date
}

/** A reconcile loop: brings the cluster to its desired state after each change. */
export interface Controller {
  readonly name: string
  /** Returns the names of what a change affects; each name is processed soon, once. */
  affected(change: KubeChange): readonly string[]
  /** Returns the names to process at the start. */
  all(): readonly string[]
  reconcile(name: string): Promise<void> | void
}

const RETRY_MS = 1000

/** Runs controllers until it is closed. */
export class ControllerRunner {
  readonly #waiting = new Map<string, () => Promise<void> | void>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #stop: () => void
  #running = false
  #closed = false

  constructor(
    store: KubeObjectStore,
    readonly controllers: readonly Controller[],
    /** Called with the error of a controller, which then retries. */
    readonly onError: (controller: string, error: unknown) => void,
  ) {
    this.#stop = store.subscribe((change) => {
      for (const controller of controllers)
        for (const name of controller.affected(change)) this.#enqueue(controller, name)
    })
    for (const controller of controllers) for (const name of controller.all()) this.#enqueue(controller, name)
  }

  close(): void {
    this.#closed = true
    this.#stop()
    this.#waiting.clear()
    for (const timer of this.#timers) clearTimeout(timer)
  }

  #enqueue(controller: Controller, name: string): void {
    if (this.#closed) return
    const key = `${controller.name}\0${name}`
    // Later tasks of the queue see all changes made until then.
    this.#waiting.delete(key)
    this.#waiting.set(key, async () => {
      try {
        await controller.reconcile(name)
      } catch (error) {
        if (this.#closed) return
        this.onError(controller.name, error)
        const timer = setTimeout(() => {
          this.#timers.delete(timer)
          this.#enqueue(controller, name)
        }, RETRY_MS)
        this.#timers.add(timer)
      }
    })
    if (!this.#running) setImmediate(() => void this.#run())
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    let done = 0
    for (const [key, work] of this.#waiting) {
      this.#waiting.delete(key)
      await work()
      // Lets requests run in between.
      if (++done % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    this.#running = false
  }
}

/** Controllers belong to the cluster, and may do everything in it. */
export const CONTROLLER_CALLER: KubeCaller = { username: 'system:kube-controller-manager', groups: ['system:masters'] }

const SILENT = { dryRun: false, fieldValidation: 'Ignore', warn: () => {} } as const

export function servedKind({ registry }: ControllerContext, key: string): KubeKind {
  const kind = registry.byKey(key)
  if (!kind) throw new Error(`${key} is not served`)
  return kind
}

export function createAsController(
  context: ControllerContext,
  key: string,
  namespace: string | undefined,
  body: object,
): SandboxObject {
  const json = JSON.parse(JSON.stringify(body))
  return context.operations.create(
    { kind: servedKind(context, key), namespace, caller: CONTROLLER_CALLER },
    json,
    SILENT,
  )
}

export function deleteAsController(
  context: ControllerContext,
  key: string,
  { metadata }: SandboxObject,
  propagation?: string,
): void {
  const kind = servedKind(context, key)
  const target = { kind, namespace: metadata.namespace, name: metadata.name, caller: CONTROLLER_CALLER }
  context.operations.delete(target, { dryRun: false, propagation, preconditions: { uid: metadata.uid } })
}

/** Stores a changed object, unless it is unchanged. */
export function putAsController(context: ControllerContext, key: string, object: SandboxObject): void {
  const current = context.store.get(key, object.metadata.namespace, object.metadata.name)
  if (!current || current.metadata.uid !== object.metadata.uid || isDeepStrictEqual(current, object)) return
  context.operations.commit(servedKind(context, key), object)
}

export function setStatusAsController(
  context: ControllerContext,
  key: string,
  object: SandboxObject,
  status: object,
): void {
  const plain = JSON.parse(JSON.stringify(status)) as object
  if (!isDeepStrictEqual(object.status, plain)) putAsController(context, key, { ...object, status: plain })
}

export function withoutFinalizer(object: SandboxObject, finalizer: string): SandboxObject {
  const { finalizers = [], ...metadata } = object.metadata
  const left = finalizers.filter((each) => each !== finalizer)
  return { ...object, metadata: { ...metadata, ...(left.length > 0 ? { finalizers: left } : {}) } }
}

export function ownerReferenceTo({ apiVersion, kind, metadata }: SandboxObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true }
}

/** Returns the name of a controller's task: namespace and name. */
export const joinTaskName = (namespace: string | undefined, name: string) => `${namespace ?? ''}/${name}`

export function splitTaskName(joined: string): { namespace: string | undefined; name: string } {
  const [namespace = '', ...name] = joined.split('/')
  return { namespace: namespace === '' ? undefined : namespace, name: name.join('/') }
}

export function kubeTime(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z')
}
