import { isDeepStrictEqual } from 'node:util'
import type { Tokens } from '../auth/tokens.ts'
import type { Caller, Kind } from '../kinds/kind.ts'
import type { OwnerReference, StoredObject } from '../object.ts'
import type { Operations } from '../operations.ts'
import type { Authority } from '../pki.ts'
import type { Registry } from '../registry.ts'
import type { Change, ObjectStore } from '../store/store.ts'

/** What controllers work with: the operations that clients have too, and the store below them for status. */
export interface ControllerContext {
  readonly store: ObjectStore
  readonly registry: Registry
  readonly operations: Operations
  readonly tokens: Tokens
  /** Signs certificates; its certificate is published to every namespace. */
  readonly authority: Authority
  readonly now: () => Date
}

/** A reconcile loop: brings the cluster to its desired state after each change. */
export interface Controller {
  readonly name: string
  /** Returns the names of what a change affects; each name is processed soon, once. */
  affected(change: Change): readonly string[]
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
    store: ObjectStore,
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
export const CONTROLLER: Caller = { username: 'system:kube-controller-manager', groups: ['system:masters'] }

const SILENT = { dryRun: false, fieldValidation: 'Ignore', warn: () => {} } as const

export function kindOf({ registry }: ControllerContext, key: string): Kind {
  const kind = registry.byKey(key)
  if (!kind) throw new Error(`${key} is not served`)
  return kind
}

export function create(
  context: ControllerContext,
  key: string,
  namespace: string | undefined,
  body: object,
): StoredObject {
  const json = JSON.parse(JSON.stringify(body))
  return context.operations.create({ kind: kindOf(context, key), namespace, caller: CONTROLLER }, json, SILENT)
}

export function remove(
  context: ControllerContext,
  key: string,
  { metadata }: StoredObject,
  propagation?: string,
): void {
  const kind = kindOf(context, key)
  const target = { kind, namespace: metadata.namespace, name: metadata.name, caller: CONTROLLER }
  context.operations.delete(target, { dryRun: false, propagation, preconditions: { uid: metadata.uid } })
}

/** Stores a changed object, unless it is unchanged. */
export function put(context: ControllerContext, key: string, object: StoredObject): void {
  const current = context.store.get(key, object.metadata.namespace, object.metadata.name)
  if (!current || current.metadata.uid !== object.metadata.uid || isDeepStrictEqual(current, object)) return
  context.operations.commit(kindOf(context, key), object)
}

export function setStatus(context: ControllerContext, key: string, object: StoredObject, status: object): void {
  const plain = JSON.parse(JSON.stringify(status)) as object
  if (!isDeepStrictEqual(object.status, plain)) put(context, key, { ...object, status: plain })
}

export function withoutFinalizer(object: StoredObject, finalizer: string): StoredObject {
  const { finalizers = [], ...metadata } = object.metadata
  const left = finalizers.filter((each) => each !== finalizer)
  return { ...object, metadata: { ...metadata, ...(left.length > 0 ? { finalizers: left } : {}) } }
}

export function ownedBy({ apiVersion, kind, metadata }: StoredObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true }
}

/** Returns the name of a controller's task: namespace and name. */
export const joinName = (namespace: string | undefined, name: string) => `${namespace ?? ''}/${name}`

export function splitName(joined: string): { namespace: string | undefined; name: string } {
  const [namespace = '', ...name] = joined.split('/')
  return { namespace: namespace === '' ? undefined : namespace, name: name.join('/') }
}

export function timeOf(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z')
}
