import { kubeErrors } from '../object/kube-api-error.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import type { KubeJournal } from './journal.ts'

export type KubeChangeType = 'ADDED' | 'MODIFIED' | 'DELETED'

export interface KubeChange {
  readonly revision: number
  readonly type: KubeChangeType
  /** The kind's key in the store. */
  readonly kind: string
  readonly key: string
  /** State after the change; for a deletion the last state, at the version of the deletion. */
  readonly object: SandboxObject
  readonly previous: SandboxObject | undefined
}

/** A change to make: of one object, or its deletion. */
export interface KubeWrite {
  readonly kind: string
  readonly object: SandboxObject
  readonly remove?: boolean
}

export interface KubeStoreOptions {
  readonly journal: KubeJournal
  /** Number of changes remembered for watches and pages; older versions are Expired. */
  readonly history: number
}

/**
 * All objects, by kind, namespace and name, with one version for the whole store. Listeners get changes in order, after they
 * are stored.
 */
export class KubeObjectStore {
  readonly #kinds = new Map<string, KindTable>()
  readonly #listeners = new Set<(change: KubeChange) => void>()
  readonly #journal: KubeJournal
  readonly #limit: number
  #history: KubeChange[] = []
  #revision: number

  constructor({ journal, history }: KubeStoreOptions) {
    this.#journal = journal
    this.#limit = history
    const { revision, objects } = journal.load()
    this.#revision = revision
    for (const { kind, object } of objects) this.#table(kind).set(kubeObjectKey(object), object)
  }

  get revision(): number {
    return this.#revision
  }

  get(kind: string, namespace: string | undefined, name: string): SandboxObject | undefined {
    return this.#kinds.get(kind)?.objects.get(joinKey(namespace, name))
  }

  /** Sorted by namespace and name. */
  list(kind: string, namespace?: string): SandboxObject[] {
    const table = this.#kinds.get(kind)
    if (!table) return []
    const all = table.sorted()
    return namespace === undefined ? all : all.filter(({ metadata }) => metadata.namespace === namespace)
  }

  kinds(): string[] {
    return [...this.#kinds.keys()]
  }

  /** Stores an object with the next version. */
  write({ kind, object, remove = false }: KubeWrite): SandboxObject {
    const table = this.#table(kind)
    const key = kubeObjectKey(object)
    const previous = table.objects.get(key)
    this.#revision++
    const stored: SandboxObject = {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(this.#revision) },
    }
    this.#journal.append({ revision: this.#revision, kind, object: stored, remove })
    if (remove) table.delete(key)
    else table.set(key, stored)
    const type = remove ? 'DELETED' : previous ? 'MODIFIED' : 'ADDED'
    const change: KubeChange = { revision: this.#revision, type, kind, key, object: stored, previous }
    this.#history.push(change)
    // Trimmed in steps, because removing one change each time would move all the others each time.
    if (this.#history.length > this.#limit * 2) this.#history = this.#history.slice(-this.#limit)
    for (const listener of this.#listeners) listener(change)
    return stored
  }

  /** Drops all changes, so that every earlier version is Expired. */
  compact(): void {
    this.#history = []
  }

  subscribe(listener: (change: KubeChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The version after which all changes are remembered. */
  get oldest(): number {
    const [first] = this.#remembered()
    return first === undefined ? this.#revision : first.revision - 1
  }

  /** @throws ApiError Expired if some of the changes were dropped */
  changesSince(revision: number, kind: string): KubeChange[] {
    if (revision < this.oldest) throw kubeErrors.expired(`too old resource version: ${revision} (${this.oldest})`)
    return this.#remembered().filter((change) => change.kind === kind && change.revision > revision)
  }

  /** Returns the list as of a version. @throws ApiError Expired if that was dropped */
  listAt(revision: number, kind: string, namespace?: string): SandboxObject[] {
    if (revision === this.#revision) return this.list(kind, namespace)
    const objects = new Map(this.list(kind).map((object) => [kubeObjectKey(object), object]))
    for (const { key, previous } of this.changesSince(revision, kind).reverse())
      if (previous) objects.set(key, previous)
      else objects.delete(key)
    const all = [...objects.entries()].sort(byKey).map(([, object]) => object)
    return namespace === undefined ? all : all.filter(({ metadata }) => metadata.namespace === namespace)
  }

  close(): void {
    this.#listeners.clear()
    this.#journal.close(this.#revision, this.#all())
  }

  *#all(): Iterable<{ kind: string; object: SandboxObject }> {
    for (const [kind, table] of this.#kinds) for (const object of table.objects.values()) yield { kind, object }
  }

  #remembered(): readonly KubeChange[] {
    return this.#history.length > this.#limit ? this.#history.slice(-this.#limit) : this.#history
  }

  #table(kind: string): KindTable {
    let table = this.#kinds.get(kind)
    if (!table) {
      table = new KindTable()
      this.#kinds.set(kind, table)
    }
    return table
  }
}

/** The objects of one kind; sorted on demand. */
class KindTable {
  readonly objects = new Map<string, SandboxObject>()
  #sorted: SandboxObject[] | undefined

  set(key: string, object: SandboxObject): void {
    this.objects.set(key, object)
    this.#sorted = undefined
  }

  delete(key: string): void {
    this.objects.delete(key)
    this.#sorted = undefined
  }

  sorted(): SandboxObject[] {
    this.#sorted ??= [...this.objects.entries()].sort(byKey).map(([, object]) => object)
    return this.#sorted
  }
}

function byKey([a]: [string, SandboxObject], [b]: [string, SandboxObject]): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Joins the parts with a character that sorts before all characters of names: `/` sorts after `-` and `.`. */
const joinKey = (namespace: string | undefined, name: string) => `${namespace ?? ''}\0${name}`

export function kubeObjectKey({ metadata }: SandboxObject): string {
  return joinKey(metadata.namespace, metadata.name)
}
