import { isDeepStrictEqual } from 'node:util'
import { admitObject } from '../admission/admit.ts'
import { checkResourceQuota } from '../admission/resource-quota.ts'
import type { Authorizer } from '../auth/authorizer.ts'
import type { KubeCaller, KubeKind, RuleContext } from '../kinds/kind.ts'
import { type KubeJsonObject, quoteLikeGo } from '../object/json.ts'
import { type FieldError, KubeApiError, kubeErrors } from '../object/kube-api-error.ts'
import { metadataProblems, metadataUpdateProblems } from '../object/metadata-rules.ts'
import type { ObjectMetadata, SandboxObject } from '../object/stored-object.ts'
import type { KubeObjectStore } from '../store/store.ts'
import { DecodeError } from '../types/go-types.ts'
import { checkGrants } from './check-grants.ts'
import { changesContent, normalizeObject, restorePart, withoutVersion } from './compare-objects.ts'
import { checkDeletePreconditions, deletionFinalizers, hasNamespaceFinalizers } from './deletion.ts'
import { newMetadata, updatedMetadata } from './new-metadata.ts'
import { checkNamespace, decodeObject, readObject, strictMessage } from './read-object.ts'
import type { DeletionResult, ObjectDeleteOptions, ObjectWriteOptions, OperationTarget } from './types.ts'

/** Creates, changes and deletes objects by the rules of their kinds. Callers must already be authorized. */
export class KubeOperations {
  constructor(
    readonly store: KubeObjectStore,
    readonly authorizer: Authorizer,
    readonly now: () => Date,
  ) {}

  get(kind: KubeKind, namespace: string | undefined, name: string): SandboxObject {
    const found = this.store.get(kind.key, kind.namespaced ? namespace : undefined, name)
    if (!found) throw kubeErrors.notFound(kind, name)
    return found
  }

  /** @throws ApiError */
  create(target: Omit<OperationTarget, 'name'>, body: KubeJsonObject, options: ObjectWriteOptions): SandboxObject {
    const { kind, namespace, caller } = target
    const object = readObject(kind, body, options)
    checkNamespace(object, namespace)
    if (object.metadata.resourceVersion)
      throw new KubeApiError(500, undefined, 'resourceVersion should not be set on objects to be created')
    const metadata = newMetadata(object.metadata, namespace, this.#time())
    object.metadata = metadata
    const { name } = metadata
    const context = this.#context(caller)
    kind.rules.defaults?.(object)
    admitObject(
      { operation: 'create', kind, namespace, name, subresource: undefined, object, previous: undefined, caller },
      this.store,
    )
    kind.rules.prepareCreate?.(object, context)
    const counted: SandboxObject = kind.rules.counted
      ? { ...object, metadata: { ...object.metadata, generation: 1 } }
      : object
    const problems = [
      ...metadataProblems(counted.metadata, kind.nameRule, kind.namespaced),
      ...(kind.rules.problems?.(counted, context) ?? []),
    ]
    if (problems.length > 0) throw kubeErrors.invalid(kind, name, problems)
    for (const warning of kind.rules.warnings?.(counted) ?? []) options.warn(warning)
    checkGrants(this.authorizer, target, name, counted)
    const existing = this.store.get(kind.key, namespace, name)
    if (existing)
      throw kubeErrors.alreadyExists(kind, name, existing.metadata.deletionTimestamp ? 'object is being deleted: ' : '')
    checkResourceQuota(kind, counted, undefined, this.store)
    const stored = normalizeObject(kind, counted)
    return options.dryRun ? stored : this.store.write({ kind: kind.key, object: stored })
  }

  /** Replaces an object, or the part of it that a subresource covers. */
  update(target: OperationTarget, body: KubeJsonObject, options: ObjectWriteOptions): SandboxObject {
    const { kind, namespace, name } = target
    const object = readObject(kind, body, options)
    checkNamespace(object, namespace)
    if (object.metadata.name === undefined || object.metadata.name === '') object.metadata.name = name
    if (object.metadata.name !== name)
      throw kubeErrors.badRequest(
        `the name of the object (${object.metadata.name}) does not match the name on the URL (${name})`,
      )
    const previous = this.get(kind, namespace, name)
    const { uid } = object.metadata
    if (uid && uid !== previous.metadata.uid) {
      const path = `/registry/${kind.plural}${namespace === undefined ? '' : `/${namespace}`}/${name}`
      const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${previous.metadata.uid}`
      throw kubeErrors.conflict(
        kind,
        name,
        `StorageError: invalid object, Code: 4, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
      )
    }
    if (!object.metadata.resourceVersion && kind.rules.versionRequired) {
      const message = 'Invalid value: 0x0: must be specified for an update'
      const cause = { reason: 'FieldValueInvalid', message, field: 'metadata.resourceVersion' }
      throw kubeErrors.invalid({ kind: kind.plural, group: kind.group }, name, [cause])
    }
    return this.#replace(target, object, previous, options)
  }

  /** Patches an object. */
  patch(
    target: OperationTarget,
    apply: (object: KubeJsonObject) => KubeJsonObject,
    options: ObjectWriteOptions,
  ): SandboxObject {
    const { kind, namespace, name } = target
    const previous = this.get(kind, namespace, name)
    const shown = kind.show(previous)
    const patched = apply(shown as unknown as KubeJsonObject)
    let object: SandboxObject
    try {
      if (patched.kind !== shown.kind || patched.apiVersion !== shown.apiVersion)
        throw new DecodeError(`unable to decode: the patch changes the kind`)
      object = decodeObject(kind, patched, options, (unknown) => new DecodeError(strictMessage(unknown)))
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error
      const message = `Invalid value: ${quoteLikeGo(JSON.stringify(patched))}: ${error.message}`
      throw kubeErrors.invalid({ kind: '', group: '' }, '', [{ reason: 'FieldValueInvalid', message, field: 'patch' }])
    }
    if (object.metadata.name !== name)
      throw kubeErrors.badRequest(
        `the name of the object (${object.metadata.name}) does not match the name on the URL (${name})`,
      )
    return this.#replace(target, object, previous, options)
  }

  #replace(
    target: OperationTarget,
    object: SandboxObject,
    previous: SandboxObject,
    options: ObjectWriteOptions,
  ): SandboxObject {
    const { kind, namespace, name, subresource, caller } = target
    const given = object.metadata.resourceVersion
    if (given && given !== previous.metadata.resourceVersion) throw kubeErrors.conflict(kind, name)
    const context = this.#context(caller)
    let next: SandboxObject = { ...object, metadata: updatedMetadata(object.metadata, previous.metadata) }
    kind.rules.defaults?.(next)
    admitObject({ operation: 'update', kind, namespace, name, subresource, object: next, previous, caller }, this.store)
    const before = structuredClone(previous)
    if (subresource === undefined) {
      if (kind.rules.prepareUpdate) kind.rules.prepareUpdate(next, before, context)
      else if (!kind.custom) restorePart(next, before, 'status')
    } else if (kind.rules.prepareSubresource?.[subresource])
      kind.rules.prepareSubresource[subresource](next, before, context)
    else restorePart(next, before, 'spec')
    next = normalizeObject(kind, next)
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
    if (problems.length > 0) throw kubeErrors.invalid(kind, name, problems)
    if (subresource === undefined) checkGrants(this.authorizer, target, name, next, previous)
    if (subresource === undefined) checkResourceQuota(kind, next, previous, this.store)
    if (kind.rules.counted && subresource === undefined && changesContent(next, previous))
      next = { ...next, metadata: { ...next.metadata, generation: (previous.metadata.generation ?? 0) + 1 } }
    if (isDeepStrictEqual(withoutVersion(next), withoutVersion(previous))) return previous
    return this.commit(kind, next, options.dryRun)
  }

  /** Stores a changed object; if it is being deleted and nothing holds it any more, deletes it instead. */
  commit(kind: KubeKind, object: SandboxObject, dryRun = false): SandboxObject {
    const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = object.metadata
    const held = !!finalizers?.length || (deletionGracePeriodSeconds ?? 0) > 0
    const gone = deletionTimestamp !== undefined && !held && !hasNamespaceFinalizers(object)
    if (dryRun) return object
    const stored = this.store.write({ kind: kind.key, object, remove: gone })
    return gone ? object : stored
  }

  /** @throws ApiError NotFound, Conflict, Forbidden */
  delete({ kind, namespace, name, caller }: OperationTarget, options: ObjectDeleteOptions): DeletionResult {
    const object = this.get(kind, namespace, name)
    checkDeletePreconditions(kind, object, options.preconditions)
    admitObject(
      { operation: 'delete', kind, namespace, name, subresource: undefined, object, previous: object, caller },
      this.store,
    )

    const finalizers = deletionFinalizers(object, options.propagation)
    const most = kind.rules.graceSeconds?.(object) ?? 0
    const grace = most === 0 ? 0 : Math.max(0, options.graceSeconds ?? most)
    const already = object.metadata.deletionTimestamp !== undefined
    const metadata: ObjectMetadata = { ...object.metadata }
    if (finalizers.length > 0) metadata.finalizers = finalizers
    else delete metadata.finalizers
    const waits = grace > 0 || finalizers.length > 0 || hasNamespaceFinalizers(object)
    if (!waits) {
      const last: SandboxObject = {
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
    const marked: SandboxObject = { ...object, metadata }
    if (kind.key === 'namespaces') marked.status = { ...(object.status as object), phase: 'Terminating' }
    if (kind.key === 'namespaces') delete metadata.deletionGracePeriodSeconds
    if (options.dryRun || isDeepStrictEqual(marked, object)) return { gone: false, object: marked }
    return { gone: false, object: this.commit(kind, marked) }
  }

  #context(caller: KubeCaller): RuleContext {
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
