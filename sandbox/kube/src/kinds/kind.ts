import type { KubeObject } from '@stowage/kube'
import type { KubeJsonObject } from '../object/json.ts'
import type { FieldError, NamedKind } from '../object/kube-api-error.ts'
import type { KubeNameRule } from '../object/name-rules.ts'
import type { SelectableFields } from '../object/selectors.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import type { DecodedStruct } from '../types/go-types.ts'

/** The caller, as the API server identifies them. */
export interface KubeCaller {
  readonly username: string
  readonly uid?: string | undefined
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, string[]>> | undefined
}

/** What the rules of a kind can use in addition to the object. */
export interface RuleContext {
  readonly caller: KubeCaller
  /** Lists objects of another kind, by its key in the store. */
  list(kind: string, namespace?: string): SandboxObject[]
  get(kind: string, namespace: string | undefined, name: string): SandboxObject | undefined
  readonly now: Date
}

/** The types of the API mark the status as read-only, which applies to clients. */
export type Writable<T> = { -readonly [Part in keyof T]: T[Part] }

/** The behaviour of objects of one kind. Functions may modify their first argument, and nothing else. */
export interface KindRules<T extends KubeObject = KubeObject> {
  /** Fills in defaults, for new and changed objects. */
  defaults?(object: Writable<T>): void
  prepareCreate?(object: Writable<T>, context: RuleContext): void
  /** Restores what an update must not change. Default: the status. */
  prepareUpdate?(next: Writable<T>, previous: T, context: RuleContext): void
  problems?(object: Writable<T>, context: RuleContext): FieldError[]
  updateProblems?(next: Writable<T>, previous: T, context: RuleContext): FieldError[]
  /** By subresource; restores what its path must not change. Default for `status`: the specification. */
  prepareSubresource?: Readonly<Record<string, (next: Writable<T>, previous: T, context: RuleContext) => void>>
  subresourceProblems?(next: Writable<T>, previous: T, subresource: string): FieldError[]
  warnings?(object: Writable<T>): string[]
  /** Fields for field selectors, in addition to name and namespace. */
  fields?(object: Writable<T>): SelectableFields
  /** Seconds that a deleted object remains until its node has stopped it; 0 to delete it immediately. */
  graceSeconds?(object: Writable<T>): number
  /** Changes of the specification increment `metadata.generation`. */
  readonly counted?: boolean
  /** An update must contain the version that it changes. */
  readonly versionRequired?: boolean
  /** A deletion is answered with the object. */
  readonly returnsDeleted?: boolean
}

export interface KindSubresource {
  readonly name: string
  readonly kind: string
  readonly verbs: readonly string[]
  /** Set if the group differs from that of the parent. */
  readonly group?: string
  readonly version?: string
}

export interface KubeKind extends NamedKind {
  /** Key in the store, and in quotas that count objects: `pods`, `statefulsets.apps`. */
  readonly key: string
  readonly version: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly namespaced: boolean
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources: readonly KindSubresource[]
  readonly nameRule: KubeNameRule
  readonly rules: KindRules
  /** Whether a definition added the kind; bodies must then contain their kind. */
  readonly custom: boolean
  /** Returns what is kept of a body. @throws DecodeError, ApiError */
  read(body: KubeJsonObject): DecodedStruct
  /** Returns a stored object in the form of this version. */
  show(object: SandboxObject): SandboxObject
}

export const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
export const STATUS_VERBS = ['get', 'patch', 'update']

export function apiVersion({ group, version }: { group: string; version: string }): string {
  return group === '' ? version : `${group}/${version}`
}
