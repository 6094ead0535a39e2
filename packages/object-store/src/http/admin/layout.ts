import type { Engine } from '../../engine/types.ts'

/** How the drives appear to clients that think in erasure sets. */
export interface Layout {
  /** More than one drive: everything is kept twice. */
  distributed: boolean
  drives: number
  /** Drives' worth of copies: what a client subtracts to know the usable space. */
  parity: number
}

/** Every byte twice leaves half; with an odd number of drives the next less that can be said in whole drives. */
export function layoutOf(engine: Engine): Layout {
  const drives = engine.drives().length
  return { distributed: drives > 1, drives, parity: drives > 1 ? Math.ceil(drives / 2) : 0 }
}

/** `Server` of accountinfo and `Backend` of storageinfo: one set in one pool. */
export function backendInfo(engine: Engine): Record<string, unknown> {
  const { distributed, drives, parity } = layoutOf(engine)
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
