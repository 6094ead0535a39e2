import type { Engine } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'

/** The drives described as an erasure set, as clients expect. */
export interface ErasureLayout {
  /** Whether there is more than one drive, so that everything is stored twice. */
  distributed: boolean
  drives: number
  /** The number of drives that hold redundant copies; clients subtract it to compute the usable space. */
  parity: number
}

/** Returns the layout. All data is stored twice, so half of the drives is usable, rounded down. */
export function erasureLayout(engine: Engine): ErasureLayout {
  const drives = engine.drives().length
  return { distributed: drives > 1, drives, parity: drives > 1 ? Math.ceil(drives / 2) : 0 }
}

/** Returns `Server` of accountinfo and `Backend` of storageinfo: one set in one pool. */
export function backendInfo(engine: Engine): Record<string, unknown> {
  const { distributed, drives, parity } = erasureLayout(engine)
  return {
    Type: distributed ? 2 : 1,
    GatewayOnline: false,
    OnlineDisks: null,
    OfflineDisks: null,
    StandardSCData: [drives - parity],
    StandardSCParities: [parity],
    StandardSCParity: parity,
    RRSCData: [drives - parity],
    RRSCParities: [parity],
    RRSCParity: parity,
    TotalSets: [1],
    DrivesPerSet: [drives],
  }
}

/** Returns the error for a feature that needs another number of drives; clients use it to detect a missing feature. */
export function unsupportedInMode(engine: Engine): S3Error {
  const mode = erasureLayout(engine).distributed ? 'mode-server-xl' : 'mode-server-fs'
  return new S3Error('XMinioAdminVersionMismatch', `This 'admin' API is not supported by server in '${mode}'`)
}
