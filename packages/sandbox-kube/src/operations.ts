import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { RoleBinding } from 'kubernetes-types/rbac/v1'
import { admit, randomName } from './admission/admission.ts'
import { checkQuota } from './admission/quota.ts'
import type { Authorizer } from './auth/rbac.ts'
import { ApiError, type FieldError, fail, field } from './errors.ts'
import { isObject, type JsonObject, quoted } from './json.ts'
import type { Caller, Kind, RuleContext } from './kinds/kind.ts'
import type { Meta, StoredObject } from './object.ts'
import type { ObjectStore } from './store/store.ts'
import { DecodeError } from './types/go-types.ts'
import { metadataProblems, metadataUpdateProblems } from './validation/metadata.ts'

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict'

/** The target of a call. */
export interface Target {
  readonly kind: Kind
  readonly namespace: string | undefined
  readonly name: string
  readonly subresource?: string | undefined
  readonly caller: Caller
}

export interface WriteOptions {
  readonly dryRun: boolean
  readonly fieldValidation: FieldValidation
  /** Sends a warning to the client with the answer. */
  warn(text: string): void
}

export interface DeleteOptions {
  readonly dryRun: boolean
  readonly propagation?: string | undefined
  readonly graceSeconds?: number | undefined
  readonly preconditions?: { uid?: string; resourceVersion?: string } | undefined
}

export type Deleted = { readonly gone: boolean; readonly object: StoredObject }

/** Maximum length of a name prefix, so that a generated suffix fits. */
const MAX_GENERATED = 58

/** Creates, changes and deletes objects by the rules of their kinds. Callers must already be authorized. */
export class Operations {
  constructor(
    readonly store: ObjectStore,
    readonly authorizer: Authorizer,
    readonly now: () => Date,
  ) {}

  get(kind: Kind, namespace: string | undefined, name: string): StoredObject {
    const found = this.store.get(kind.key, kind.namespaced ? namespace : undefined, name)
    if (!found) throw fail.notFound(kind, name)
    return found
  }

  /** @throws ApiError */
  create(target: Omit<Target, 'name'>, body: JsonObject, options: WriteOptions): StoredObject {
    const { kind, namespace, caller } = target
    const object = this.#read(kind, body, options)
    checkNamespace(object, namespace)
    if (object.metadata.resourceVersion)
      throw new ApiError(500, undefined, 'resourceVersion should not be set on objects to be created')
    const metadata = this.#newMetadata(object.metadata, namespace)
    object.metadata = metadata
    const { name } = metadata
    const context = this.#context(caller)
    kind.rules.defaults?.(object)
    admit(
      { operation: 'create', kind, namespace, name, subresource: undefined, object, previous: undefined, caller },
      this.store,
    )
    kind.rules.prepareCreate?.(object, context)
    const counted: StoredObject = kind.rules.counted
      ? { ...object, metadata: { ...object.metadata, generation: 1 } }
      : object
    const problems = [
      ...metadataProblems(counted.metadata, kind.nameRule, kind.namespaced),
      ...(kind.rules.problems?.(counted, context) ?? []),
    ]
    if (problems.length > 0) throw fail.invalid(kind, name, problems)
    for (const warning of kind.rules.warnings?.(counted) ?? []) options.warn(warning)
    this.#checkGrants(target, name, counted)
    const existing = this.store.get(kind.key, namespace, name)
    if (existing)
      throw fail.alreadyExists(kind, name, existing.metadata.deletionTimestamp ? 'object is being deleted: ' : '')
    checkQuota(kind, counted, undefined, this.store)
    const stored = normalized(kind, counted)
    return options.dryRun ? stored : this.store.write({ kind: kind.key, object: stored })
  }

  /** Replaces an object, or the part of it that a subresource covers. */
  update(target: Target, body: JsonObject, options: WriteOptions): StoredObject {
    const { kind, namespace, name } = target
    const object = this.#read(kind, body, options)
    checkNamespace(object, namespace)
    if (object.metadata.name === undefined || object.metadata.name === '') object.metadata.name = name
    if (object.metadata.name !== name)
      throw fail.badRequest(
        `the name of the object (${object.metadata.name}) does not match the name on the URL (${name})`,
      )
    const previous = this.get(kind, namespace, name)
    const { uid } = object.metadata
    if (uid && uid !== previous.metadata.uid) {
      const path = `/registry/${kind.plural}${namespace === undefined ? '' : `/${namespace}`}/${name}`
      const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${previous.metadata.uid}`
      throw fail.conflict(
        kind,
        name,
        `StorageError: invalid object, Code: 4, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
      )
    }
    if (!object.metadata.resourceVersion && kind.rules.versionRequired) {
      const message = 'Invalid value: 0x0: must be specified for an update'
      const cause = { reason: 'FieldValueInvalid', message, field: 'metadata.resourceVersion' }
      throw fail.invalid({ kind: kind.plural, group: kind.group }, name, [cause])
    }
    return this.#replace(target, object, previous, options)
  }

  /** Patches an object. */
  patch(target: Target, apply: (object: JsonObject) => JsonObject, options: WriteOptions): StoredObject {
    const { kind, namespace, name } = target
    const previous = this.get(kind, namespace, name)
    const shown = kind.show(previous)
    const patched = apply(shown as unknown as JsonObject)
    let object: StoredObject
    try {
      if (patched.kind !== shown.kind || patched.apiVersion !== shown.apiVersion)
        throw new DecodeError(`unable to decode: the patch changes the kind`)
      object = this.#decode(kind, patched, options, (unknown) => new DecodeError(strictMessage(unknown)))
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error
      const message = `Invalid value: ${quoted(JSON.stringify(patched))}: ${error.message}`
      throw fail.invalid({ kind: '', group: '' }, '', [{ reason: 'FieldValueInvalid', message, field: 'patch' }])
    }
    if (object.metadata.name !== name)
      throw fail.badRequest(
        `the name of the object (${object.metadata.name}) does not match the name on the URL (${name})`,
      )
    return this.#replace(target, object, previous, options)
  }

  #replace(target: Target, object: StoredObject, previous: StoredObject, options: WriteOptions): StoredObject {
    const { kind, namespace, name, subresource, caller } = target
    const given = object.metadata.resourceVersion
    if (given && given !== previous.metadata.resourceVersion) throw fail.conflict(kind, name)
    const context = this.#context(caller)
    let next: StoredObject = { ...object, metadata: kept(object.metadata, previous.metadata) }
    kind.rules.defaults?.(next)
    admit({ operation: 'update', kind, namespace, name, subresource, object: next, previous, caller }, this.store)
    const before = structuredClone(previous)
    if (subresource === undefined) {
      if (kind.rules.prepareUpdate) kind.rules.prepareUpdate(next, before, context)
      else if (!kind.custom) restore(next, before, 'status')
    } else if (kind.rules.prepareSubresource?.[subresource])
      kind.rules.prepareSubresource[subresource](next, before, context)
    else restore(next, before, 'spec')
    next = normalized(kind, next)
    const problems: FieldError[] = [
      // Servers check these twice, and report errors twice.
      ...metadataUpdateProblems(next, previous),
      ...metadataUpdateProblems(next, previous),
      ...metadataProblems(next.metadata, kind.nameRule, kind.namespaced),
      ...(subresource === undefined
        ? [
            ...(kind.rules.problems?.(next, context) ?? []),
            ...(kind.rules.updateProblems?.(next, before, context) ?? []),
          ]
        : (kind.rules.subresourceProblems?.(next, before, subresource) ?? [])),
    ]
    if (problems.length > 0) throw fail.invalid(kind, name, problems)
    if (subresource === undefined) this.#checkGrants(target, name, next, previous)
    if (subresource === undefined) checkQuota(kind, next, previous, this.store)
    if (kind.rules.counted && subresource === undefined && changesWhatCounts(next, previous))
      next = { ...next, metadata: { ...next.metadata, generation: (previous.metadata.generation ?? 0) + 1 } }
    if (isDeepStrictEqual(withoutVersion(next), withoutVersion(previous))) return previous
    return this.commit(kind, next, options.dryRun)
  }

  /** Stores a changed object; if it is being deleted and nothing holds it any more, deletes it instead. */
  commit(kind: Kind, object: StoredObject, dryRun = false): StoredObject {
    const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = object.metadata
    const held = !!finalizers?.length || (deletionGracePeriodSeconds ?? 0) > 0
    const gone = deletionTimestamp !== undefined && !held && !isHeldNamespace(object)
    if (dryRun) return object
    const stored = this.store.write({ kind: kind.key, object, remove: gone })
    return gone ? object : stored
  }

  /** @throws ApiError NotFound, Conflict, Forbidden */
  delete({ kind, namespace, name, caller }: Target, options: DeleteOptions): Deleted {
    const object = this.get(kind, namespace, name)
    const { uid, resourceVersion } = options.preconditions ?? {}
    const named = { group: kind.group, plural: kind.kind }
    if (uid !== undefined && uid !== object.metadata.uid)
      throw fail.conflict(
        named,
        name,
        `the UID in the precondition (${uid}) does not match the UID in record (${object.metadata.uid}). The object might have been deleted and then recreated`,
      )
    if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion)
      throw fail.conflict(
        named,
        name,
        `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${object.metadata.resourceVersion}). The object might have been modified`,
      )
    admit(
      { operation: 'delete', kind, namespace, name, subresource: undefined, object, previous: object, caller },
      this.store,
    )

    const finalizers = finalizersFor(object, options.propagation)
    const most = kind.rules.graceSeconds?.(object) ?? 0
    const grace = most === 0 ? 0 : Math.max(0, options.graceSeconds ?? most)
    const already = object.metadata.deletionTimestamp !== undefined
    const metadata: Meta = { ...object.metadata }
    if (finalizers.length > 0) metadata.finalizers = finalizers
    else delete metadata.finalizers
    const waits = grace > 0 || finalizers.length > 0 || isHeldNamespace(object)
    if (!waits) {
      const last: StoredObject = {
        ...object,
        metadata: { ...metadata, deletionGracePeriodSeconds: 0, deletionTimestamp: this.#time() },
      }
      // Kinds with a grace period are answered with their last state, other kinds with the deleted object.
      const final = kind.rules.graceSeconds ? last : object
      return {
        gone: true,
        object: options.dryRun ? final : this.store.write({ kind: kind.key, object: final, remove: true }),
      }
    }
    if (!already || grace < (metadata.deletionGracePeriodSeconds ?? 0)) {
      metadata.deletionTimestamp = this.#time(grace)
      metadata.deletionGracePeriodSeconds = grace
    }
    const marked: StoredObject = { ...object, metadata }
    if (kind.key === 'namespaces') marked.status = { ...(object.status as object), phase: 'Terminating' }
    if (kind.key === 'namespaces') delete metadata.deletionGracePeriodSeconds
    if (options.dryRun || isDeepStrictEqual(marked, object)) return { gone: false, object: marked }
    return { gone: false, object: this.commit(kind, marked) }
  }

  /** @throws ApiError BadRequest if the body is of another kind */
  #read(kind: Kind, body: JsonObject, options: WriteOptions): StoredObject {
    try {
      return this.#decode(kind, body, options, (unknown) => cannotBeHandled(kind, strictMessage(unknown)))
    } catch (error) {
      if (error instanceof DecodeError) throw cannotBeHandled(kind, error.message)
      throw error
    }
  }

  #decode(
    kind: Kind,
    body: JsonObject,
    { fieldValidation, warn }: WriteOptions,
    strict: (unknown: string[]) => Error,
  ): StoredObject {
    const { object, unknown, refusal } = kind.read(body)
    if (unknown.length > 0 && fieldValidation === 'Strict') throw strict(unknown)
    if (fieldValidation === 'Warn') for (const path of unknown) warn(`unknown field ${quoted(path)}`)
    if (refusal) throw refusal
    if (!isObject(object.metadata)) object.metadata = {}
    return object as unknown as StoredObject
  }

  #newMetadata(given: Partial<Meta>, namespace: string | undefined): Meta {
    const {
      selfLink: _,
      deletionTimestamp: __,
      deletionGracePeriodSeconds: ___,
      generation: ____,
      ...rest
    } = given as Meta & { selfLink?: string }
    const name = rest.name || (rest.generateName ? rest.generateName.slice(0, MAX_GENERATED) + randomName() : '')
    return {
      ...rest,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: randomUUID(),
      creationTimestamp: this.#time(),
    }
  }

  /** Refuses to grant rights that the caller does not have. */
  #checkGrants(
    { kind, namespace, caller }: Omit<Target, 'name'>,
    name: string,
    object: StoredObject,
    previous?: StoredObject,
  ): void {
    if (kind.group !== 'rbac.authorization.k8s.io') return
    const isRole = kind.kind === 'Role' || kind.kind === 'ClusterRole'
    const part = isRole ? 'rules' : 'subjects'
    if (previous && isDeepStrictEqual(object[part], previous[part])) return
    const rules = isRole
      ? ((object.rules as ReturnType<Authorizer['rules']> | null) ?? [])
      : this.authorizer.rulesOf((object as unknown as RoleBinding).roleRef, namespace)
    const verb = isRole ? 'escalate' : 'bind'
    const attributes = {
      verb,
      group: kind.group,
      resource: isRole ? kind.plural : rolePlural(object),
      namespace,
      name: isRole ? name : roleName(object),
    }
    if (this.authorizer.decide(caller, attributes).allowed) return
    if (rules.every((rule) => this.authorizer.holds(caller, namespace, rule))) return
    const why = `user ${quoted(caller.username)} (groups=[${caller.groups.map(quoted).join(' ')}]) is attempting to grant RBAC permissions not currently held`
    throw fail.forbidden(kind, name, why)
  }

  #context(caller: Caller): RuleContext {
    return {
      caller,
      now: this.now(),
      list: (kind, namespace) => this.store.list(kind, namespace),
      get: (kind, namespace, name) => this.store.get(kind, namespace, name),
    }
  }

  #time(secondsFromNow = 0): string {
    return new Date(this.now().getTime() + secondsFromNow * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
  }
}

function cannotBeHandled(kind: Kind, why: string): ApiError {
  return fail.badRequest(`${kind.kind} in version ${quoted(kind.version)} cannot be handled as a ${kind.kind}: ${why}`)
}

function strictMessage(unknown: string[]): string {
  return `strict decoding error: ${unknown.map((path) => `unknown field ${quoted(path)}`).join(', ')}`
}

function checkNamespace({ metadata }: StoredObject, namespace: string | undefined): void {
  if (metadata.namespace && metadata.namespace !== namespace)
    throw fail.badRequest('the namespace of the provided object does not match the namespace sent on the request')
  if (namespace !== undefined) metadata.namespace = namespace
}

/** Returns the metadata of a change; fields that the server owns are kept. */
function kept(given: Meta, previous: Meta): Meta {
  const { selfLink: _, ...rest } = given as Meta & { selfLink?: string }
  const { deletionTimestamp, deletionGracePeriodSeconds, generation, generateName } = previous
  const result: Meta = {
    ...rest,
    uid: given.uid || previous.uid,
    creationTimestamp: previous.creationTimestamp,
    resourceVersion: previous.resourceVersion,
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
    ...(generation === undefined ? {} : { generation }),
    ...(generateName === undefined ? {} : { generateName }),
  }
  if (deletionTimestamp === undefined) delete result.deletionTimestamp
  if (deletionGracePeriodSeconds === undefined) delete result.deletionGracePeriodSeconds
  if (generation === undefined) delete result.generation
  return result
}

function restore(next: StoredObject, previous: StoredObject, part: string): void {
  if (previous[part] === undefined) delete next[part]
  else next[part] = previous[part]
}

/** Normalizes an object as the server would read it back, so that equal objects compare as equal. */
function normalized(kind: Kind, object: StoredObject): StoredObject {
  if (kind.custom) return JSON.parse(JSON.stringify(object)) as StoredObject
  const { managedFields: _, ...metadata } = object.metadata as Meta & { managedFields?: unknown }
  const { object: result } = kind.read(JSON.parse(JSON.stringify({ ...object, metadata })) as JsonObject)
  return result as unknown as StoredObject
}

function withoutVersion(object: StoredObject): unknown {
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** Whether anything except metadata and status changes. */
function changesWhatCounts(next: StoredObject, previous: StoredObject): boolean {
  const rest = ({ metadata: _, status: __, ...others }: StoredObject) => others
  return !isDeepStrictEqual(rest(next), rest(previous))
}

/** Whether a namespace must remain until its controller has emptied it. */
function isHeldNamespace(object: StoredObject): boolean {
  if (object.kind !== 'Namespace' || object.apiVersion !== 'v1') return false
  return !!(object.spec as { finalizers?: string[] } | undefined)?.finalizers?.length
}

function finalizersFor({ metadata }: StoredObject, propagation: string | undefined): string[] {
  const current = metadata.finalizers ?? []
  if (propagation === undefined) return current
  const others = current.filter((each) => each !== 'orphan' && each !== 'foregroundDeletion')
  if (propagation === 'Orphan') return [...others, 'orphan']
  return propagation === 'Foreground' ? [...others, 'foregroundDeletion'] : others
}

const rolePlural = (binding: StoredObject) =>
  (binding as unknown as RoleBinding).roleRef.kind === 'ClusterRole' ? 'clusterroles' : 'roles'
const roleName = (binding: StoredObject) => (binding as unknown as RoleBinding).roleRef.name

/** @throws ApiError Invalid */
export function checkPropagation(propagation: string | undefined): void {
  if (propagation === undefined || ['Foreground', 'Background', 'Orphan'].includes(propagation)) return
  const cause = field.notSupported('propagationPolicy', quoted(propagation), [
    'Foreground',
    'Background',
    'Orphan',
    'nil',
  ])
  throw fail.invalid({ kind: 'DeleteOptions', group: 'meta.k8s.io' }, '', [cause])
}
