import { type FieldError, fieldErrors } from './kube-api-error.ts'
import { type KubeNameRule, labelValueProblems, objectNameProblems, qualifiedNameProblems } from './name-rules.ts'
import type { ObjectMetadata, SandboxObject } from './stored-object.ts'

const MAX_ANNOTATIONS = 256 * 1024
/** Standard finalizers without a domain. */
const STANDARD_FINALIZERS = new Set(['orphan', 'foregroundDeletion', 'kubernetes'])

/** Returns the errors in the metadata of a new or changed object. */
export function metadataProblems(meta: Partial<ObjectMetadata>, rule: KubeNameRule, namespaced: boolean): FieldError[] {
  const problems: FieldError[] = []
  const { name = '', generateName, namespace } = meta
  if (generateName !== undefined && generateName !== '')
    // A suffix is added, so it may end with a dash.
    for (const problem of objectNameProblems(rule, generateName.replace(/-$/, 'a')))
      problems.push(fieldErrors.invalid('metadata.generateName', generateName, problem))
  if (name === '') problems.push(fieldErrors.required('metadata.name', 'name or generateName is required'))
  else
    for (const problem of objectNameProblems(rule, name))
      problems.push(fieldErrors.invalid('metadata.name', name, problem))
  if (namespaced && !namespace) problems.push(fieldErrors.required('metadata.namespace'))
  problems.push(...labelProblems(meta.labels ?? {}, 'metadata.labels'))
  problems.push(...annotationProblems(meta.annotations ?? {}))
  problems.push(...ownerProblems(meta))
  for (const [n, finalizer] of (meta.finalizers ?? []).entries()) problems.push(...finalizerProblems(finalizer, n))
  return problems
}

export function labelProblems(labels: Record<string, string>, path: string): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => fieldErrors.invalid(path, key, problem)),
    ...labelValueProblems(value).map((problem) => fieldErrors.invalid(path, value, problem)),
  ])
}

function annotationProblems(annotations: Record<string, string>): FieldError[] {
  const problems = Object.keys(annotations).flatMap((key) =>
    qualifiedNameProblems(key.toLowerCase()).map((problem) =>
      fieldErrors.invalid('metadata.annotations', key, problem),
    ),
  )
  const size = Object.entries(annotations).reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  if (size > MAX_ANNOTATIONS) problems.push(fieldErrors.tooLong('metadata.annotations', MAX_ANNOTATIONS))
  return problems
}

function ownerProblems({ ownerReferences = [] }: Partial<ObjectMetadata>): FieldError[] {
  const problems: FieldError[] = []
  const path = 'metadata.ownerReferences'
  for (const { apiVersion, kind, name, uid } of ownerReferences) {
    if (!apiVersion) problems.push(fieldErrors.invalid(`${path}.version`, apiVersion, 'version must not be empty'))
    if (!kind) problems.push(fieldErrors.invalid(`${path}.kind`, '', 'kind must not be empty'))
    if (!name) problems.push(fieldErrors.invalid(`${path}.name`, '', 'name must not be empty'))
    if (!uid) problems.push(fieldErrors.invalid(`${path}.uid`, '', 'uid must not be empty'))
  }
  const [first, second] = ownerReferences.filter(({ controller }) => controller)
  if (first && second) {
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first.kind}/${first.name} and ${second.kind}/${second.name}`
    const message = `Invalid value: ${goReferences(ownerReferences)}: ${detail}`
    problems.push({ reason: 'FieldValueInvalid', message, field: path })
  }
  return problems
}

/** Formats the list like Go. */
function goReferences(references: NonNullable<ObjectMetadata['ownerReferences']>): string {
  const pointer = (value: boolean | undefined) => (value === undefined ? '(*bool)(nil)' : '(*bool)(0x0)')
  const all = references.map(
    ({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }) =>
      `v1.OwnerReference{APIVersion:"${apiVersion}", Kind:"${kind}", Name:"${name}", UID:"${uid}", Controller:${pointer(controller)}, BlockOwnerDeletion:${pointer(blockOwnerDeletion)}}`,
  )
  return `[]v1.OwnerReference{${all.join(', ')}}`
}

function finalizerProblems(finalizer: string, n: number): FieldError[] {
  const path = `metadata.finalizers[${n}]`
  const problems = qualifiedNameProblems(finalizer).map((problem) =>
    fieldErrors.invalid('metadata.finalizers', finalizer, problem),
  )
  if (!finalizer.includes('/') && !STANDARD_FINALIZERS.has(finalizer))
    problems.push(
      fieldErrors.invalid(path, finalizer, 'name is neither a standard finalizer name nor is it fully qualified'),
    )
  return problems
}

/** Returns the errors of a change of metadata. */
export function metadataUpdateProblems(next: SandboxObject, previous: SandboxObject): FieldError[] {
  const problems: FieldError[] = []
  const [is, was] = [next.metadata, previous.metadata]
  if (was.deletionTimestamp !== undefined) {
    const added = (is.finalizers ?? []).filter((each) => !was.finalizers?.includes(each))
    if (added.length > 0) {
      const list = `[]string{${added.map((each) => JSON.stringify(each)).join(', ')}}`
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`
      problems.push(fieldErrors.forbidden('metadata.finalizers', detail))
    }
  }
  if (is.name !== was.name) problems.push(fieldErrors.invalid('metadata.name', is.name, 'field is immutable'))
  if (is.uid !== was.uid) problems.push(fieldErrors.invalid('metadata.uid', is.uid, 'field is immutable'))
  return problems
}
