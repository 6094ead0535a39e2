import type { PersistentVolume, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import type { StoredObject } from '../object.ts'
import {
  type Controller,
  type ControllerContext,
  joinName,
  put,
  setStatus,
  splitName,
  withoutFinalizer,
} from './controller.ts'

const CLAIMS = 'persistentvolumeclaims'
const VOLUMES = 'persistentvolumes'

/** Binds claims to the volumes that were created for them, and keeps both while they are used. */
export function volumeController(context: ControllerContext): Controller {
  const { store } = context
  const claimOf = (volume: StoredObject) => {
    const { claimRef } = (volume as PersistentVolume).spec ?? {}
    const claim = claimRef?.name ? store.get(CLAIMS, claimRef.namespace, claimRef.name) : undefined
    return { claimRef, claim: claim && (!claimRef?.uid || claimRef.uid === claim.metadata.uid) ? claim : undefined }
  }
  return {
    name: 'volumes',
    all: () =>
      [...store.list(CLAIMS), ...store.list(VOLUMES)].map(({ metadata }) =>
        joinName(metadata.namespace, metadata.name),
      ),
    affected({ kind, object }) {
      const { namespace, name } = object.metadata
      if (kind === CLAIMS) {
        const { volumeName } = (object as PersistentVolumeClaim).spec ?? {}
        return [joinName(namespace, name), ...(volumeName ? [joinName(undefined, volumeName)] : [])]
      }
      if (kind === VOLUMES) {
        const { claimRef } = (object as PersistentVolume).spec ?? {}
        return [joinName(undefined, name), ...(claimRef?.name ? [joinName(claimRef.namespace, claimRef.name)] : [])]
      }
      return kind === 'pods' ? claimsOf(object).map((claim) => joinName(namespace, claim)) : []
    },
    reconcile(joined) {
      const { namespace, name } = splitName(joined)
      if (namespace === undefined) reconcileVolume(name)
      else reconcileClaim(namespace, name)
    },
  }

  function reconcileClaim(namespace: string, name: string): void {
    const claim = store.get(CLAIMS, namespace, name)
    if (!claim) return
    if (claim.metadata.deletionTimestamp) {
      const used = store.list('pods', namespace).some((pod) => claimsOf(pod).includes(name))
      if (!used) put(context, CLAIMS, withoutFinalizer(claim, 'kubernetes.io/pvc-protection'))
      return
    }
    const { spec, status } = claim as PersistentVolumeClaim
    if (status?.phase === 'Bound') return
    const volume = store.list(VOLUMES).find((each) => claimOf(each).claim?.metadata.uid === claim.metadata.uid)
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
      put(context, CLAIMS, { ...claim, metadata: named })
      return
    }
    const given = (volume as PersistentVolume).spec
    put(context, CLAIMS, {
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
    const { claimRef, claim } = claimOf(volume)
    const { status } = volume as PersistentVolume
    const bound = (claim as PersistentVolumeClaim | undefined)?.spec?.volumeName === name
    const waits = status?.phase === 'Pending' || status?.phase === 'Available'
    const phase = !claimRef ? 'Available' : bound ? 'Bound' : claim || waits ? (status?.phase ?? 'Pending') : 'Released'
    if (volume.metadata.deletionTimestamp && phase !== 'Bound')
      put(context, VOLUMES, withoutFinalizer(volume, 'kubernetes.io/pv-protection'))
    else setStatus(context, VOLUMES, volume, { ...status, phase: phase === 'Pending' ? 'Available' : phase })
  }
}

function claimsOf(pod: StoredObject): string[] {
  return ((pod as Pod).spec?.volumes ?? []).flatMap(
    ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [],
  )
}
