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
