import { asNumber, asNumbers, pickMember } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'
import { type DriveInfo, readDrives } from './drive.ts'

export interface StorageInfo {
  readonly drives: readonly DriveInfo[]
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
export async function storageInfo(t: Transport, options?: AdminCallOptions): Promise<StorageInfo> {
  return readStorageInfo(await t.call({ method: 'GET', path: 'storageinfo', ...options }))
}

/** Reads the answer of MinIO (upper-case members), and of RustFS, which wraps it. */
export function readStorageInfo(answer: unknown): StorageInfo {
  const info = pickMember(answer, 'info') ?? answer
  const backend = pickMember(info, 'Backend', 'backend')
  const drives = readDrives(pickMember(info, 'Disks', 'disks'))
  const rawCapacity = drives.reduce((sum, drive) => sum + drive.totalspace, 0)
  const parity = asNumber(pickMember(backend, 'StandardSCParity', 'standardSCParity'))
  const [setSize] = asNumbers(pickMember(backend, 'DrivesPerSet', 'drivesPerSet'))
  const size = setSize ?? drives.length
  return {
    drives,
    rawCapacity,
    usableCapacity: parity !== undefined && size > parity ? (rawCapacity * (size - parity)) / size : rawCapacity,
    rawUsage: drives.reduce((sum, drive) => sum + drive.usedspace, 0),
    standardParity: parity,
  }
}
