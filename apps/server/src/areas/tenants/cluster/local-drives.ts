import { randomUUID } from 'node:crypto'
import { type DirectDrive, type FormatIssue, reason } from '@stowage/contract'
import { quantityAmount } from '@stowage/contract/values/quantity'
import { defineResource, type Kube, type KubeObject, type KubeResource } from '@stowage/kube'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { refusalMessage } from '../../../lib/kube/refusal-message.ts'

/** A drive of direct-csi. The fields used here are the same in all versions from 2021 to 2022. */
interface DirectCsiDrive extends KubeObject {
  spec?: { directCSIOwned?: boolean; requestedFormat?: { filesystem?: string; force?: boolean } }
  status?: {
    path?: string
    nodeName?: string
    driveStatus?: string
    filesystem?: string
    totalCapacity?: number | string
    allocatedCapacity?: number | string
    conditions?: { type: string; status: string; message?: string }[]
  }
}

interface DirectCsiVolume extends KubeObject {
  status?: { drive?: string; nodeName?: string; totalCapacity?: number | string }
}

interface DirectPvDrive extends KubeObject {
  status?: {
    totalCapacity?: number | string
    allocatedCapacity?: number | string
    status?: string
    conditions?: { type: string; status: string; message?: string }[]
  }
}

interface DirectPvNode extends KubeObject {
  status?: {
    devices?: { name: string; id: string; size?: number | string; deniedReason?: string; fsType?: string }[]
  }
}

interface DirectPvVolume extends KubeObject {
  status?: { totalCapacity?: number | string }
}

interface DirectPvInitRequest extends KubeObject {
  spec?: { devices: { id: string; name: string; force: boolean }[] }
}

const PV = 'directpv.min.io'
const CSI = 'direct.csi.min.io'

const directPvResource = <T extends KubeObject>(plural: string, kind: string): KubeResource<T> =>
  defineResource<T>({ group: PV, version: 'v1beta1', plural, kind, namespaced: false })

const pvDrives = directPvResource<DirectPvDrive>('directpvdrives', 'DirectPVDrive')
const pvNodes = directPvResource<DirectPvNode>('directpvnodes', 'DirectPVNode')
const pvVolumes = directPvResource<DirectPvVolume>('directpvvolumes', 'DirectPVVolume')
const pvInitRequests = directPvResource<DirectPvInitRequest>('directpvinitrequests', 'DirectPVInitRequest')

/** Versions of direct-csi, which do not differ in the fields used here. */
const CSI_VERSIONS = ['v1beta5', 'v1beta4', 'v1beta3', 'v1beta2', 'v1beta1']
const OLDEST = 'v1beta1'

type DriveManager = { kind: 'directpv' } | { kind: 'direct-csi'; version: string }

/**
 * Returns what manages local drives in this cluster. If neither is installed, the message names the older one, as in the
 * original.
 */
async function findManager(kube: Kube, signal: AbortSignal): Promise<DriveManager> {
  const groups = await kube.groups({ signal })
  if (groups.some(({ name }) => name === PV)) return { kind: 'directpv' }
  return { kind: 'direct-csi', version: csiVersion(groups) }
}

function csiVersion(groups: Awaited<ReturnType<Kube['groups']>>): string {
  const versions = groups.find(({ name }) => name === CSI)?.versions ?? []
  return CSI_VERSIONS.find((version) => versions.includes(version)) ?? OLDEST
}

function directCsiResources(version: string) {
  return {
    drives: defineResource<DirectCsiDrive>({
      group: CSI,
      version,
      plural: 'directcsidrives',
      kind: 'DirectCSIDrive',
      namespaced: false,
    }),
    volumes: defineResource<DirectCsiVolume>({
      group: CSI,
      version,
      plural: 'directcsivolumes',
      kind: 'DirectCSIVolume',
      namespaced: false,
    }),
  }
}

/** The kinds whose objects `listDrives` reads. */
export const DRIVE_KINDS = ['directcsidrives', 'directcsivolumes', 'directpvdrives', 'directpvnodes'] as const
export type DriveKind = (typeof DRIVE_KINDS)[number]

/** Returns the resource of a kind of drives; for direct-csi in the version that the cluster has. */
export async function driveResource(
  kind: DriveKind,
  kube: Kube,
  signal: AbortSignal,
): Promise<KubeResource<KubeObject>> {
  if (kind === 'directpvdrives') return pvDrives as KubeResource<KubeObject>
  if (kind === 'directpvnodes') return pvNodes as KubeResource<KubeObject>
  const { drives, volumes } = directCsiResources(csiVersion(await kube.groups({ signal })))
  return (kind === 'directcsidrives' ? drives : volumes) as KubeResource<KubeObject>
}

/** Returns the device of a direct-csi path, such as `/dev/sdb`. */
function devicePath(path = ''): string {
  return `/dev/${path.replace('/var/lib/direct-csi/devices/', '').replace('/dev/', '').replace('-part-', '')}`
}

function conditionMessage(conditions: { type: string; status: string; message?: string }[] = []): string {
  const found = conditions.find(({ type, status }) => (type === 'Initialized' || type === 'Owned') && status !== 'True')
  return found?.message?.split('\n', 1)[0] ?? ''
}

/** @throws KubeError NotFound if nothing manages local drives */
export async function listDrives(
  kube: Kube,
  signal: AbortSignal,
): Promise<{ manager: DriveManager['kind']; drives: DirectDrive[] }> {
  const manager = await findManager(kube, signal)
  const drives =
    manager.kind === 'directpv'
      ? await listDirectPvDrives(kube, signal)
      : await listDirectCsiDrives(kube, manager.version, signal)
  const key = ({ node, drive, status }: DirectDrive) => `${node}\0${drive}\0${status}`
  return { manager: manager.kind, drives: drives.sort((a, b) => (key(a) < key(b) ? -1 : 1)) }
}

async function listDirectCsiDrives(kube: Kube, version: string, signal: AbortSignal): Promise<DirectDrive[]> {
  const kinds = directCsiResources(version)
  const [drives, volumes] = await Promise.all([
    kube.list(kinds.drives, { signal }),
    kube.list(kinds.volumes, { signal }),
  ])
  return drives.objects.map(({ metadata, status = {} }) => {
    const message = conditionMessage(status.conditions)
    return {
      node: status.nodeName ?? '',
      drive: devicePath(status.path),
      capacity: quantityAmount(status.totalCapacity),
      allocated: quantityAmount(status.allocatedCapacity),
      volumes: volumes.objects.filter((volume) => volume.status?.drive === metadata.name).length,
      status: `${status.driveStatus ?? ''}${message ? '*' : ''}`,
      message,
    }
  })
}

/** Lists drives in use, and devices that can become drives: the older version treated both as drives. */
async function listDirectPvDrives(kube: Kube, signal: AbortSignal): Promise<DirectDrive[]> {
  const [drives, nodes] = await Promise.all([kube.list(pvDrives, { signal }), kube.list(pvNodes, { signal })])
  const used = drives.objects.map(({ metadata, status = {} }) => ({
    node: metadata.labels?.[`${PV}/node`] ?? '',
    drive: `/dev/${metadata.labels?.[`${PV}/drive-name`] ?? metadata.name}`,
    capacity: quantityAmount(status.totalCapacity),
    allocated: quantityAmount(status.allocatedCapacity),
    volumes: (metadata.finalizers ?? []).filter((each) => each.startsWith(`${PV}.volume/`)).length,
    status: status.status ?? '',
    message: conditionMessage(status.conditions),
  }))
  const free = nodes.objects.flatMap(({ metadata, status }) =>
    (status?.devices ?? []).map(({ name, size, deniedReason }) => ({
      node: metadata.name,
      drive: `/dev/${name}`,
      capacity: quantityAmount(size),
      allocated: 0,
      volumes: 0,
      status: deniedReason ? 'Unavailable*' : 'Available',
      message: deniedReason ?? '',
    })),
  )
  return [...used, ...free]
}

export async function listDriveVolumes(kube: Kube, signal: AbortSignal) {
  const manager = await findManager(kube, signal)
  if (manager.kind === 'directpv') {
    const { objects } = await kube.list(pvVolumes, { signal })
    return objects.map(({ metadata, status }) => ({
      volume: metadata.name,
      capacity: quantityAmount(status?.totalCapacity),
      node: metadata.labels?.[`${PV}/node`] ?? '',
      drive: `/dev/${metadata.labels?.[`${PV}/drive-name`] ?? ''}`,
    }))
  }
  const kinds = directCsiResources(manager.version)
  const [drives, volumes] = await Promise.all([
    kube.list(kinds.drives, { signal }),
    kube.list(kinds.volumes, { signal }),
  ])
  return volumes.objects.map(({ metadata, status }) => ({
    volume: metadata.name,
    capacity: quantityAmount(status?.totalCapacity),
    node: status?.nodeName ?? '',
    drive: devicePath(drives.objects.find((each) => each.metadata.name === status?.drive)?.status?.path),
  }))
}

interface FormatRequest {
  drives: readonly string[]
  force: boolean
}

/** @throws HttpError 400, 404 if there are no drives at all; KubeError. Failures of single drives are returned as issues */
export async function formatDrives(
  kube: Kube,
  { drives, force }: FormatRequest,
  signal: AbortSignal,
): Promise<FormatIssue[]> {
  const wanted = drives.map((text) => {
    const [, node, drive] = /^([^:]+):(\/dev\/.+)$/.exec(text) ?? []
    if (node === undefined || drive === undefined)
      throw new HttpError(400, reason('drive-invalid', { drive: text }), { field: 'drives' })
    return { node, drive }
  })
  const manager = await findManager(kube, signal)
  return manager.kind === 'directpv'
    ? await formatDirectPv(kube, wanted, force, signal)
    : await formatDirectCsi(kube, manager.version, wanted, force, signal)
}

type NodeDrive = { node: string; drive: string }

async function formatDirectCsi(kube: Kube, version: string, wanted: NodeDrive[], force: boolean, signal: AbortSignal) {
  const kinds = directCsiResources(version)
  const { objects } = await kube.list(kinds.drives, { signal })
  if (objects.length === 0) throw new HttpError(404, reason('drives-none'))
  const issues: FormatIssue[] = []
  for (const place of wanted) {
    const found = objects.find(
      ({ status }) => status?.nodeName === place.node && devicePath(status?.path) === place.drive,
    )
    const problem = found ? csiProblem(found, force) : 'The drive does not exist'
    if (problem || !found) {
      issues.push({ ...place, error: problem })
      continue
    }
    const spec = { ...found.spec, directCSIOwned: true, requestedFormat: { filesystem: 'xfs', force } }
    const error = await refusalMessage(() => kube.update(kinds.drives, { ...found, spec }, { signal }))
    if (error) issues.push({ ...place, error })
  }
  return issues
}

function csiProblem({ status = {} }: DirectCsiDrive, force: boolean): string {
  if (status.driveStatus === 'Unavailable') return 'Status is unavailable'
  if (status.driveStatus === 'InUse') return 'Drive in use. Cannot be formatted'
  if (!force && status.driveStatus === 'Ready') return 'Drive already owned and managed. Use force to overwrite'
  if (!force && status.filesystem) return 'Drive already has a fs. Use force to overwrite'
  return ''
}

async function formatDirectPv(kube: Kube, wanted: NodeDrive[], force: boolean, signal: AbortSignal) {
  const { objects } = await kube.list(pvNodes, { signal })
  const issues: FormatIssue[] = []
  const byNode = new Map<string, { id: string; name: string; force: boolean }[]>()
  for (const place of wanted) {
    const node = objects.find(({ metadata }) => metadata.name === place.node)
    const device = node?.status?.devices?.find(({ name }) => `/dev/${name}` === place.drive)
    const problem = !device
      ? 'The drive does not exist, or is in use'
      : device.deniedReason || (!force && device.fsType ? 'Drive already has a fs. Use force to overwrite' : '')
    if (problem || !device) issues.push({ ...place, error: problem })
    else byNode.set(place.node, [...(byNode.get(place.node) ?? []), { id: device.id, name: device.name, force }])
  }
  const request = randomUUID()
  for (const [node, devices] of byNode) {
    const labels = {
      [`${PV}/node`]: node,
      [`${PV}/request-id`]: request,
      [`${PV}/version`]: 'v1beta1',
      [`${PV}/created-by`]: 'stowage',
    }
    const object = { metadata: { name: randomUUID(), labels }, spec: { devices } }
    const error = await refusalMessage(() => kube.create(pvInitRequests, object, { signal }))
    if (error) for (const { name } of devices) issues.push({ node, drive: `/dev/${name}`, error })
  }
  return issues
}
