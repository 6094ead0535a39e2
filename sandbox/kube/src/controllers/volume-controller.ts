import type { PersistentVolume, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import type { SandboxObject } from '../object/stored-object.ts'
import {
  type Controller,
  type ControllerContext,
  joinTaskName,
  putAsController,
  setStatusAsController,
  splitTaskName,
  withoutFinalizer,
} from './controller.ts'

const CLAIMS = 'persistentvolumeclaims'
const VOLUMES = 'persistentvolumes'

/** Binds claims to the volumes that were created for them, and keeps both while they are used. */
export function volumeController(context: ControllerContext): Controller {
  const { store } = context
  const findClaim = (volume: SandboxObject) => {
    const { claimRef } = (volume as PersistentVolume).spec ?? {}
    const claim = claimRef?.name ? store.get(CLAIMS, claimRef.namespace, claimRef.name) : undefined
    return { claimRef, claim: claim && (!claimRef?.uid || claimRef.uid === claim.metadata.uid) ? claim : undefined }
  }
  return {
    name: 'volumes',
    all: () =>
      [...store.list(CLAIMS), ...store.list(VOLUMES)].map(({ metadata }) =>
        joinTaskName(metadata.namespace, metadata.name),
      ),
    affected({ kind, object }) {
      const { namespace, name } = object.metadata
      if (kind === CLAIMS) {
        const { volumeName } = (object as PersistentVolumeClaim).spec ?? {}
        return [joinTaskName(namespace, name), ...(volumeName ? [joinTaskName(undefined, volumeName)] : [])]
      }
      if (kind === VOLUMES) {
        const { claimRef } = (object as PersistentVolume).spec ?? {}
        return [
          joinTaskName(undefined, name),
          ...(claimRef?.name ? [joinTaskName(claimRef.namespace, claimRef.name)] : []),
        ]
      }
      return kind === 'pods' ? podClaimNames(object).map((claim) => joinTaskName(namespace, claim)) : []
    },
    reconcile(joined) {
      const { namespace, name } = splitTaskName(joined)
      if (namespace === undefined) reconcileVolume(name)
      else reconcileClaim(namespace, name)
    },
  }

  function reconcileClaim(namespace: string, name: string): void {
    const claim = store.get(CLAIMS, namespace, name)
    if (!claim) return
    if (claim.metadata.deletionTimestamp) {
      const used = store.list('pods', namespace).some((pod) => podClaimNames(pod).includes(name))
      if (!used) putAsController(context, CLAIMS, withoutFinalizer(claim, 'kubernetes.io/pvc-protection'))
      return
    }
    const { spec, status } = claim as PersistentVolumeClaim
    if (status?.phase === 'Bound') return
    const volume = store.list(VOLUMES).find((each) => findClaim(each).claim?.metadata.uid === claim.metadata.uid)
    const storageClass = store.get('storageclasses.storage.k8s.io', undefined, spec?.storageClassName ?? '')
    const provisioner = storageClass?.provisioner as string | undefined
    const asks = provisioner !== undefined && (storageClass?.volumeBindingMode === 'Immediate' || volume)
    const annotations = {
      ...claim.metadata.annotations,
      ...(asks
        ? {
            'volume.beta.kubernetes.io/storage-provisioner': provisioner,
            'volume.kubernetes.io/storage-provisioner': provisioner,
          }
        : {}),
    }
    const named = Object.keys(annotations).length > 0 ? { ...claim.metadata, annotations } : claim.metadata
    if (!volume) {
      putAsController(context, CLAIMS, { ...claim, metadata: named })
      return
    }
    const given = (volume as PersistentVolume).spec
    putAsController(context, CLAIMS, {
      ...claim,
      metadata: {
        ...named,
        annotations: {
          ...annotations,
          'pv.kubernetes.io/bind-completed': 'yes',
          'pv.kubernetes.io/bound-by-controller': 'yes',
        },
      },
      spec: { ...spec, volumeName: volume.metadata.name },
      status: { ...status, phase: 'Bound', accessModes: given?.accessModes, capacity: given?.capacity },
    })
  }

  function reconcileVolume(name: string): void {
    const volume = store.get(VOLUMES, undefined, name)
    if (!volume) return
    const { claimRef, claim } = findClaim(volume)
    const { status } = volume as PersistentVolume
    const bound = (claim as PersistentVolumeClaim | undefined)?.spec?.volumeName === name
    const waits = status?.phase === 'Pending' || status?.phase === 'Available'
    const phase = !claimRef ? 'Available' : bound ? 'Bound' : claim || waits ? (status?.phase ?? 'Pending') : 'Released'
    if (volume.metadata.deletionTimestamp && phase !== 'Bound')
      putAsController(context, VOLUMES, withoutFinalizer(volume, 'kubernetes.io/pv-protection'))
    else
      setStatusAsController(context, VOLUMES, volume, { ...status, phase: phase === 'Pending' ? 'Available' : phase })
  }
}

function podClaimNames(pod: SandboxObject): string[] {
  return ((pod as Pod).spec?.volumes ?? []).flatMap(
    ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [],
  )
}
