import { asFlag, asList, asNumber, asObject, asText, pickMember } from '../transport/json-values.ts'

export interface DriveInfo {
  readonly endpoint: string
  readonly path: string
  readonly uuid: string
  /** `ok` when healthy; else `offline`, `corrupt`, `missing`, `permission-denied`, `faulty`, `unformatted`, … */
  readonly state: string
  readonly model: string
  readonly rootDisk: boolean
  readonly healing: boolean
  /** Bytes. */
  readonly totalspace: number
  /** Bytes. */
  readonly usedspace: number
  /** Bytes. */
  readonly availspace: number
  /** The file system, as `major:minor`: drives on the same one share its bytes. Undefined if the server does not report it. */
  readonly device: string | undefined
  /** Position in pool and erasure set; undefined for a drive that belongs to neither. */
  readonly pool: number | undefined
  readonly set: number | undefined
  readonly index: number | undefined
  /** How much of a drive that is being healed is done, 0 to 1; absent if the server does not report it. */
  readonly healed?: number
  /** Errors since the server's start; absent if the server does not report them. */
  readonly errors?: number
  /** Average duration of an operation in the last minute (ms); absent if the server does not report it. */
  readonly latencyMs?: number
}

export function readDrives(value: unknown): DriveInfo[] {
  return asList(value).map((drive) => ({
    endpoint: asText(pickMember(drive, 'endpoint')),
    path: asText(pickMember(drive, 'path')),
    uuid: asText(pickMember(drive, 'uuid')),
    state: asText(pickMember(drive, 'state')),
    model: asText(pickMember(drive, 'model')),
    rootDisk: asFlag(pickMember(drive, 'rootDisk')),
    healing: asFlag(pickMember(drive, 'healing')),
    totalspace: readByteCount(drive, 'totalspace'),
    usedspace: readByteCount(drive, 'usedspace'),
    availspace: readByteCount(drive, 'availspace'),
    device: formatDevice(pickMember(drive, 'major'), pickMember(drive, 'minor')),
    pool: readIndex(drive, 'pool_index'),
    set: readIndex(drive, 'set_index'),
    index: readIndex(drive, 'disk_index'),
    ...optionalMember('healed', readHealedShare(pickMember(drive, 'heal_info'))),
    ...readDriveMeasures(pickMember(drive, 'metrics')),
  }))
}

/** 0:0 is not a valid device number; it means unknown. */
function formatDevice(major: unknown, minor: unknown): string | undefined {
  const numbers = [asNumber(major) ?? 0, asNumber(minor) ?? 0]
  return numbers.some((n) => n > 0) ? numbers.join(':') : undefined
}

function readByteCount(drive: unknown, name: string): number {
  return asNumber(asObject(drive)[name]) ?? 0
}

function readIndex(drive: unknown, name: string): number | undefined {
  const index = asNumber(asObject(drive)[name])
  return index === undefined || index < 0 ? undefined : index
}

const optionalMember = <K extends string>(name: K, value: number | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [N in K]?: number }

/** By bytes, or by objects if their size is unknown. */
function readHealedShare(info: unknown): number | undefined {
  const number = (name: string) => asNumber(pickMember(info, name)) ?? 0
  const shares = [
    [number('bytes_done') + number('bytes_failed') + number('bytes_skipped'), number('objects_total_size')],
    [number('items_healed') + number('items_failed') + number('items_skipped'), number('objects_total_count')],
  ] as const
  const known = shares.find(([, total]) => total > 0)
  return known && Math.min(1, known[0] / known[1])
}

function readDriveMeasures(metrics: unknown): Pick<DriveInfo, 'errors' | 'latencyMs'> {
  if (metrics === undefined) return {}
  const counts = ['totalErrsAvailability', 'totalErrsTimeout'].map((name) => asNumber(pickMember(metrics, name)) ?? 0)
  const actions = Object.values(asObject(pickMember(metrics, 'lastMinute')))
  const sum = (name: string) => actions.reduce((all: number, each) => all + (asNumber(pickMember(each, name)) ?? 0), 0)
  const count = sum('count')
  return {
    errors: counts.reduce((a, b) => a + b, 0),
    ...optionalMember('latencyMs', count > 0 ? sum('acc_time_ns') / count / 1e6 : undefined),
  }
}
