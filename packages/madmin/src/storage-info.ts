import { type Drive, drivesOf } from './drive.ts'
import { at, numberOf, numbersOf } from './json.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface StorageInfo {
  readonly drives: readonly Drive[]
  /** Sum over all drives, bytes. */
  readonly rawCapacity: number
  /** Bytes that objects can use, without parity; equal to the raw capacity if the server does not report parity. */
  readonly usableCapacity: number
  /** Sum over all drives, including parity, in bytes. */
  readonly rawUsage: number
  /** Drives per set that may fail, for the standard storage class. */
  readonly standardParity: number | undefined
}

/**
 * Returns drives and capacity. Needs `admin:StorageInfo`.
 * @throws MadminError AccessDenied
 */
export async function storageInfo(t: Transport, options?: CallOptions): Promise<StorageInfo> {
  return readStorageInfo(await t.call({ method: 'GET', path: 'storageinfo', ...options }))
}

/** Reads the answer of MinIO (upper-case members), and of RustFS, which wraps it. */
export function readStorageInfo(answer: unknown): StorageInfo {
  const info = at(answer, 'info') ?? answer
  const backend = at(info, 'Backend', 'backend')
  const drives = drivesOf(at(info, 'Disks', 'disks'))
  const rawCapacity = drives.reduce((sum, drive) => sum + drive.totalspace, 0)
  const parity = numberOf(at(backend, 'StandardSCParity', 'standardSCParity'))
  const [setSize] = numbersOf(at(backend, 'DrivesPerSet', 'drivesPerSet'))
  const size = setSize ?? drives.length
  return {
    drives,
    rawCapacity,
    usableCapacity: parity !== undefined && size > parity ? (rawCapacity * (size - parity)) / size : rawCapacity,
    rawUsage: drives.reduce((sum, drive) => sum + drive.usedspace, 0),
    standardParity: parity,
  }
}
