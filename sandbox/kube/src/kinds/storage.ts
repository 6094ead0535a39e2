import { isDeepStrictEqual } from 'node:util'
import { compareQuantities, parseQuantity } from '@stowage/contract/values/quantity'
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1'
import type { StorageClass } from 'kubernetes-types/storage/v1'
import { type FieldError, fieldErrors } from '../object/kube-api-error.ts'
import type { KindRules, Writable } from './kind.ts'

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

export const claimRules: KindRules<PersistentVolumeClaim> = {
  returnsDeleted: true,
  defaults: defaultClaim,
  prepareCreate(claim) {
    claim.status = { phase: 'Pending' }
  },
  problems: ({ spec }) => claimProblems(spec ?? {}, 'spec'),
  updateProblems(next, previous) {
    const [is, was] = [next.spec ?? {}, previous.spec ?? {}]
    const problems: FieldError[] = []
    const bound = was.volumeName !== undefined && previous.status?.phase === 'Bound'
    const { resources: asked, volumeName, ...rest } = is
    const { resources: had, volumeName: before, ...restBefore } = was
    const sized = bound || isDeepStrictEqual(asked, had)
    if (!sized || !isDeepStrictEqual(rest, restBefore) || (before !== undefined && volumeName !== before)) {
      const detail =
        'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
      problems.push(fieldErrors.forbidden('spec', detail))
    }
    const [larger, than] = [size(asked), size(had)]
    const given = size(previous.status?.capacity ? { requests: previous.status.capacity } : undefined)
    if (larger && than && compareQuantities(larger, than) < 0 && (!given || compareQuantities(larger, given) <= 0))
      problems.push(
        fieldErrors.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'),
      )
    return problems
  },
}

export function defaultClaim(claim: Writable<PersistentVolumeClaim>): void {
  claim.spec ??= {}
  claim.spec.volumeMode ??= 'Filesystem'
  claim.status ??= {}
  claim.status.phase ??= 'Pending'
}

export function claimProblems(spec: NonNullable<PersistentVolumeClaim['spec']>, path: string): FieldError[] {
  const problems: FieldError[] = []
  if (!spec.accessModes?.length)
    problems.push(fieldErrors.required(`${path}.accessModes`, 'at least 1 access mode is required'))
  for (const mode of spec.accessModes ?? [])
    if (!ACCESS_MODES.includes(mode))
      problems.push(fieldErrors.notSupported(`${path}.accessModes`, JSON.stringify(mode), ACCESS_MODES))
  const storage = spec.resources?.requests?.storage
  const quantity = storage === undefined ? undefined : parseQuantity(storage)
  if (!quantity) problems.push(fieldErrors.required(`${path}.resources[storage]`))
  else if (quantity.digits <= 0n)
    problems.push(fieldErrors.invalid(`${path}.resources[storage]`, storage, 'must be greater than zero'))
  return problems
}

function size(resources: { requests?: Record<string, string> } | undefined) {
  const storage = resources?.requests?.storage
  return storage === undefined ? undefined : parseQuantity(storage)
}

export const volumeRules: KindRules<PersistentVolume> = {
  returnsDeleted: true,
  defaults(volume) {
    volume.spec ??= {}
    volume.spec.persistentVolumeReclaimPolicy ??= 'Retain'
    volume.spec.volumeMode ??= 'Filesystem'
    if (volume.spec.hostPath) volume.spec.hostPath.type ??= ''
    volume.status ??= {}
    volume.status.phase ??= 'Pending'
  },
  prepareCreate(volume) {
    volume.status = { phase: 'Pending' }
  },
  problems({ spec = {} }) {
    const problems: FieldError[] = []
    if (!spec.accessModes?.length) problems.push(fieldErrors.required('spec.accessModes'))
    if (!spec.capacity?.storage) problems.push(fieldErrors.required('spec.capacity'))
    return problems
  },
}

const FIXED = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const

export const storageClassRules: KindRules<StorageClass> = {
  returnsDeleted: true,
  defaults(each) {
    each.reclaimPolicy ??= 'Delete'
    each.volumeBindingMode ??= 'Immediate'
  },
  problems: ({ provisioner }) => (provisioner ? [] : [fieldErrors.required('provisioner')]),
  updateProblems: (next, previous) =>
    FIXED.filter((name) => !isDeepStrictEqual(next[name], previous[name])).map((name) =>
      fieldErrors.forbidden(name, `updates to ${name} are forbidden.`),
    ),
}
