import {
  type Distribution,
  defaultParity,
  distributeDrives,
  type ErasureRow,
  erasureTable,
  type MemoryPlan,
  planMemory,
  possibleParities,
} from '@stowage/contract/tenants/sizing'
import type { ClusterFacts } from './cluster-facts.ts'
import { type TenantDraft, UNIT_BYTES } from './tenant-draft.ts'

type Size = TenantDraft['tenantSize']

/** Memory in simple mode: the minimum (GiB). */
export const MIN_MEMORY_GIB = 2

/** Returns the size of the whole tenant (bytes); NaN without a number. */
export const totalBytes = ({ volumeSize, sizeFactor }: Size) =>
  volumeSize.trim() === '' ? Number.NaN : Number(volumeSize) * UNIT_BYTES[sizeFactor]

/** What results from servers, drives and size. */
export interface SizePlan {
  ecParityChoices: string[]
  /** The selected parity if it is possible, otherwise the default. */
  ecParity: string | undefined
  distribution: Distribution
  /** Usable capacity and fault tolerance with this parity. */
  ecParityCalc: ErasureRow | undefined
}

export function sizePlan(size: Size): SizePlan {
  const [nodes, drives] = [Number(size.nodes), Number(size.drivesPerServer)]
  const choices = possibleParities(nodes, drives)
  const parity = choices.includes(size.ecParity) ? size.ecParity : defaultParity(nodes, drives)
  const distribution = distributeDrives(totalBytes(size), nodes, drives)
  const rows = distribution.problem ? [] : erasureTable(nodes, drives, distribution.size)
  return {
    ecParityChoices: choices,
    ecParity: parity,
    distribution,
    ecParityCalc: rows.find((row) => row.parity === parity),
  }
}

/** The plan with the resources of the cluster. */
export interface DraftSizing extends SizePlan {
  /** Bytes that the storage class has left; undefined if there is no known limit. */
  limitSize: number | undefined
  /** The allocatable memory that as many nodes as there are servers have at least (bytes); undefined while loading. */
  maxAllocatableMemo: number | undefined
  memorySize: MemoryPlan
}

export function draftSizing({ tenantSize, nameTenant, advancedModeOn }: TenantDraft, facts: ClusterFacts): DraftSizing {
  const memory = advancedModeOn ? tenantSize.memoryNode.trim() : String(MIN_MEMORY_GIB)
  return {
    ...sizePlan(tenantSize),
    limitSize: facts.classes.find(({ name }) => name === nameTenant.selectedStorageClass)?.available,
    maxAllocatableMemo: facts.memory,
    memorySize: planMemory(memory === '' ? Number.NaN : Number(memory), facts.memory ?? 0, totalBytes(tenantSize)),
  }
}
