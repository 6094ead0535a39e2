import type { KubeObject } from '@stowage/kube'
import type { FieldError, Named } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type { StoredObject } from '../object.ts'
import type { Fields } from '../selectors.ts'
import type { Decoded } from '../types/go-types.ts'
import type { NameRule } from '../validation/labels.ts'

/** The caller, as the API server identifies them. */
export interface Caller {
  readonly username: string
  readonly uid?: string | undefined
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, string[]>> | undefined
}

/** What a kind's rules may look at beside the object. */
export interface RuleContext {
  readonly caller: Caller
  /** Objects of another kind, by its key in the store. */
  list(kind: string, namespace?: string): StoredObject[]
  get(kind: string, namespace: string | undefined, name: string): StoredObject | undefined
  readonly now: Date
}

/** The types of the API mark the status read-only, which it is for clients. */
export type Writable<T> = { -readonly [Part in keyof T]: T[Part] }

/** How objects of one kind behave. All functions may change the object that they are given first, and no other. */
export interface Rules<T extends KubeObject = KubeObject> {
  /** Fills in what was left out, of new objects and of changed ones. */
  defaults?(object: Writable<T>): void
  prepareCreate?(object: Writable<T>, context: RuleContext): void
  /** Puts back what an update may not touch. Default: the status. */
  prepareUpdate?(next: Writable<T>, previous: T, context: RuleContext): void
  problems?(object: Writable<T>, context: RuleContext): FieldError[]
  updateProblems?(next: Writable<T>, previous: T, context: RuleContext): FieldError[]
  /** By subresource; puts back what its path may not touch. Default for `status`: the specification. */
  prepareSubresource?: Readonly<Record<string, (next: Writable<T>, previous: T, context: RuleContext) => void>>
  subresourceProblems?(next: Writable<T>, previous: T, subresource: string): FieldError[]
  warnings?(object: Writable<T>): string[]
  /** What field selectors know beside name and namespace. */
  fields?(object: Writable<T>): Fields
  /** Seconds that an object stays for its node to end it; 0 to go at once. */
  graceSeconds?(object: Writable<T>): number
  /** Changes of the specification are counted in `metadata.generation`. */
  readonly counted?: boolean
  /** An update must name the version that it changes. */
  readonly versionRequired?: boolean
  /** A deletion is answered with the object. */
  readonly returnsDeleted?: boolean
}

export interface Subresource {
  readonly name: string
  readonly kind: string
  readonly verbs: readonly string[]
  /** Where the kind is of another group than its parent. */
  readonly group?: string
  readonly version?: string
}

export interface Kind extends Named {
  /** In the store, and in counts of quotas: `pods`, `statefulsets.apps`. */
  readonly key: string
  readonly version: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly namespaced: boolean
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources: readonly Subresource[]
  readonly nameRule: NameRule
  readonly rules: Rules
  /** Kinds that a definition added: their bodies must say what they are. */
  readonly custom: boolean
  /** What of a body is kept. @throws DecodeError, ApiError */
  read(body: JsonObject): Decoded
  /** A stored object as this version shows it. */
  show(object: StoredObject): StoredObject
}

export const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
export const STATUS_VERBS = ['get', 'patch', 'update']

export function apiVersion({ group, version }: { group: string; version: string }): string {
  return group === '' ? version : `${group}/${version}`
}
