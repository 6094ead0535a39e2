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

/** Memory in simple mode: the minimum (GiB). */
export const MIN_MEMORY = 2

/** Returns the size of the whole tenant (bytes); NaN without a number. */
export const totalOf = ({ volumeSize, sizeFactor }: Size) =>
  volumeSize.trim() === '' ? Number.NaN : Number(volumeSize) * UNITS[sizeFactor]

/** What results from servers, drives and size. */
export interface Plan {
  ecParityChoices: string[]
  /** The selected parity if it is possible, otherwise the default. */
  ecParity: string | undefined
  distribution: Distribution
  /** Usable capacity and fault tolerance with this parity. */
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

/** The plan with the resources of the cluster. */
export interface Sizing extends Plan {
  /** Bytes that the storage class has left; undefined if there is no known limit. */
  limitSize: number | undefined
  /** The allocatable memory that as many nodes as there are servers have at least (bytes); undefined while loading. */
  maxAllocatableMemo: number | undefined
  memorySize: MemoryPlan
}

export function sizingOf({ tenantSize, nameTenant, advancedModeOn }: Draft, facts: Facts): Sizing {
  const memory = advancedModeOn ? tenantSize.memoryNode.trim() : String(MIN_MEMORY)
  return {
    ...planOf(tenantSize),
    limitSize: facts.classes.find(({ name }) => name === nameTenant.selectedStorageClass)?.available,
    maxAllocatableMemo: facts.memory,
    memorySize: planMemory(memory === '' ? Number.NaN : Number(memory), facts.memory ?? 0, totalOf(tenantSize)),
  }
}
