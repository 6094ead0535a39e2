import {
  type Distribution,
  defaultParity,
  distribute,
  type ErasureRow,
  erasureTable,
  type MemoryPlan,
  parities,
  planMemory,
} from '@stowage/contract/tenants/sizing'
import { type Draft, UNITS } from './draft.ts'
import type { Facts } from './facts.ts'

type Size = Draft['tenantSize']

/** Memory in the simple mode: as little as is allowed (GiB). */
export const LEAST_MEMORY = 2

/** Bytes of the whole tenant; NaN while there is no number. */
export const totalOf = ({ volumeSize, sizeFactor }: Size) =>
  volumeSize.trim() === '' ? Number.NaN : Number(volumeSize) * UNITS[sizeFactor]

/** What follows from servers, drives and size alone. */
export interface Plan {
  ecParityChoices: string[]
  /** The chosen parity while it fits, otherwise the default. */
  ecParity: string | undefined
  distribution: Distribution
  /** What the parity leaves of the raw capacity, and what it tolerates. */
  ecParityCalc: ErasureRow | undefined
}

export function planOf(size: Size): Plan {
  const [nodes, drives] = [Number(size.nodes), Number(size.drivesPerServer)]
  const choices = parities(nodes, drives)
  const parity = choices.includes(size.ecParity) ? size.ecParity : defaultParity(nodes, drives)
  const distribution = distribute(totalOf(size), nodes, drives)
  const rows = distribution.problem ? [] : erasureTable(nodes, drives, distribution.size)
  return {
    ecParityChoices: choices,
    ecParity: parity,
    distribution,
    ecParityCalc: rows.find((row) => row.parity === parity),
  }
}

/** The plan together with what the cluster has. */
export interface Sizing extends Plan {
  /** Bytes that the storage class has left; undefined: no limit is known. */
  limitSize: number | undefined
  /** Memory that so many nodes have at least, in bytes; undefined while it is asked. */
  maxAllocatableMemo: number | undefined
  memorySize: MemoryPlan
}

export function sizingOf({ tenantSize, nameTenant, advancedModeOn }: Draft, facts: Facts): Sizing {
  const memory = advancedModeOn ? tenantSize.memoryNode.trim() : String(LEAST_MEMORY)
  return {
    ...planOf(tenantSize),
    limitSize: facts.classes.find(({ name }) => name === nameTenant.selectedStorageClass)?.available,
    maxAllocatableMemo: facts.memory,
    memorySize: planMemory(memory === '' ? Number.NaN : Number(memory), facts.memory ?? 0, totalOf(tenantSize)),
  }
}
