import { at, flagOf, listOf, numberOf, objectOf, textOf } from './json.ts'

export interface Drive {
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

export function drivesOf(value: unknown): Drive[] {
  return listOf(value).map((drive) => ({
    endpoint: textOf(at(drive, 'endpoint')),
    path: textOf(at(drive, 'path')),
    uuid: textOf(at(drive, 'uuid')),
    state: textOf(at(drive, 'state')),
    model: textOf(at(drive, 'model')),
    rootDisk: flagOf(at(drive, 'rootDisk')),
    healing: flagOf(at(drive, 'healing')),
    totalspace: bytes(drive, 'totalspace'),
    usedspace: bytes(drive, 'usedspace'),
    availspace: bytes(drive, 'availspace'),
    device: deviceOf(at(drive, 'major'), at(drive, 'minor')),
    pool: place(drive, 'pool_index'),
    set: place(drive, 'set_index'),
    index: place(drive, 'disk_index'),
    ...given('healed', healedOf(at(drive, 'heal_info'))),
    ...measuresOf(at(drive, 'metrics')),
  }))
}

/** 0:0 is not a valid device number; it means unknown. */
function deviceOf(major: unknown, minor: unknown): string | undefined {
  const numbers = [numberOf(major) ?? 0, numberOf(minor) ?? 0]
  return numbers.some((n) => n > 0) ? numbers.join(':') : undefined
}

function bytes(drive: unknown, name: string): number {
  return numberOf(objectOf(drive)[name]) ?? 0
}

function place(drive: unknown, name: string): number | undefined {
  const index = numberOf(objectOf(drive)[name])
  return index === undefined || index < 0 ? undefined : index
}

const given = <K extends string>(name: K, value: number | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [N in K]?: number }

/** By bytes, or by objects if their size is unknown. */
function healedOf(info: unknown): number | undefined {
  const number = (name: string) => numberOf(at(info, name)) ?? 0
  const shares = [
    [number('bytes_done') + number('bytes_failed') + number('bytes_skipped'), number('objects_total_size')],
    [number('items_healed') + number('items_failed') + number('items_skipped'), number('objects_total_count')],
  ] as const
  const known = shares.find(([, total]) => total > 0)
  return known && Math.min(1, known[0] / known[1])
}

function measuresOf(metrics: unknown): Pick<Drive, 'errors' | 'latencyMs'> {
  if (metrics === undefined) return {}
  const counts = ['totalErrsAvailability', 'totalErrsTimeout'].map((name) => numberOf(at(metrics, name)) ?? 0)
  const actions = Object.values(objectOf(at(metrics, 'lastMinute')))
  const sum = (name: string) => actions.reduce((all: number, each) => all + (numberOf(at(each, name)) ?? 0), 0)
  const count = sum('count')
  return {
    errors: counts.reduce((a, b) => a + b, 0),
    ...given('latencyMs', count > 0 ? sum('acc_time_ns') / count / 1e6 : undefined),
  }
}
