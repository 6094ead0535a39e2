import type { Pod } from 'kubernetes-types/core/v1'
import { ISSUER } from '../auth/issuer.ts'
import type { ServiceAccountTokens } from '../auth/tokens.ts'
import type { KubeKind } from '../kinds/kind.ts'
import { isJsonObject, type KubeJsonObject } from '../object/json.ts'
import { type FieldError, fieldErrors, kubeErrors } from '../object/kube-api-error.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import type { KubeObjectStore } from '../store/store.ts'

/** Assigns a pod to a node. @throws ApiError Conflict */
export function bindPod(
  kind: KubeKind,
  object: SandboxObject,
  binding: KubeJsonObject,
  store: KubeObjectStore,
  now: Date,
  dryRun: boolean,
): object {
  const { name } = object.metadata
  const pod = object as Pod
  const target = isJsonObject(binding.target) ? binding.target.name : undefined
  if (typeof target !== 'string' || target === '')
    throw kubeErrors.invalid({ kind: 'Binding', group: '' }, name, [fieldErrors.required('target.name')])
  const conflict = (why: string) => kubeErrors.conflict({ group: '', plural: 'pods/binding' }, name, why)
  if (object.metadata.deletionTimestamp) throw conflict(`pod ${name} is being deleted, cannot be assigned to a host`)
  if (pod.spec?.nodeName) throw conflict(`pod ${name} is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`)
  const time = now.toISOString().replace(/\.\d+Z$/, 'Z')
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: time }
  const conditions = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled')
  const bound: SandboxObject = {
    ...object,
    metadata: { ...object.metadata, generation: (object.metadata.generation ?? 0) + 1 },
    spec: { ...pod.spec, nodeName: target },
    status: { ...pod.status, conditions: [...conditions, scheduled] },
  }
  if (!dryRun) store.write({ kind: kind.key, object: bound })
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }
}

const SECONDS = { default: 3600, least: 600, most: 2 ** 32 }

/** Issues a token of a service account. @throws ApiError Invalid */
export async function issueServiceAccountToken(
  account: SandboxObject,
  request: KubeJsonObject,
  tokens: ServiceAccountTokens,
  store: KubeObjectStore,
): Promise<object> {
  const spec = isJsonObject(request.spec) ? request.spec : {}
  const { name, namespace = '', uid } = account.metadata
  const seconds = typeof spec.expirationSeconds === 'number' ? spec.expirationSeconds : SECONDS.default
  const invalid = (cause: FieldError) =>
    kubeErrors.invalid({ kind: 'TokenRequest', group: 'authentication.k8s.io' }, '', [cause])
  if (seconds < SECONDS.least)
    throw invalid(
      fieldErrors.invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 10 minutes'),
    )
  if (seconds > SECONDS.most)
    throw invalid(
      fieldErrors.invalid('spec.expirationSeconds', seconds, 'may not specify a duration larger than 2^32 seconds'),
    )
  const given = Array.isArray(spec.audiences) ? spec.audiences.filter((each) => typeof each === 'string') : []
  const audiences = given.length > 0 ? given : [ISSUER]
  const bound = boundObject(spec.boundObjectRef, namespace, store)
  const token = await tokens.issue({ namespace, name, uid, audiences, seconds, ...(bound ? { bound } : {}) })
  const now = Math.floor(tokens.now().getTime() / 1000) * 1000
  const time = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: time(now) },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: bound ? spec.boundObjectRef : null },
    status: { token, expirationTimestamp: time(now + seconds * 1000) },
  }
}

function boundObject(reference: unknown, namespace: string, store: KubeObjectStore) {
  if (!isJsonObject(reference)) return undefined
  const { kind, name } = reference
  if (typeof kind !== 'string' || typeof name !== 'string' || !['Pod', 'Secret'].includes(kind))
    throw kubeErrors.badRequest(`cannot bind token for serviceaccount to object ${JSON.stringify(reference)}`)
  const plural = `${kind.toLowerCase()}s`
  const object = store.get(plural, namespace, name)
  if (!object) throw kubeErrors.notFound({ group: '', plural }, name)
  return { kind, name, uid: object.metadata.uid }
}
