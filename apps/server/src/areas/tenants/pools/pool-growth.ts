import { reason } from '@stowage/contract'
import type { PoolInput } from '@stowage/contract/tenants/pools'
import { type Kube, KubeError, resources, type TenantPool } from '@stowage/kube'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { wirePool } from './pool-object.ts'

/**
 * Checks that the volumes of pools that grow can grow. The API server refuses the larger claims otherwise, and the operator stops
 * working on the tenant (operator 7.1.1).
 * @throws HttpError 422
 */
export async function checkGrowth(
  kube: Kube,
  pools: readonly TenantPool[],
  inputs: readonly PoolInput[],
  signal: AbortSignal,
): Promise<void> {
  const growing = pools.map(wirePool).filter((pool) => {
    const input = inputs.find(({ name }) => name === pool.name)
    return input && input.volume_configuration.size > pool.volume_configuration.size
  })
  const classes = new Set(growing.map((pool) => pool.volume_configuration.storage_class_name).filter(Boolean))
  for (const name of classes)
    if (!(await canGrow(kube, name, signal)))
      throw new HttpError(422, reason('storage-class-fixed', { class: name }), { field: 'volume_configuration' })
}

async function canGrow(kube: Kube, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await kube.get(resources.storageClasses, { name }, { signal })).allowVolumeExpansion === true
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    // Not every caller may read storage classes.
    if (error.code === 'Forbidden') return true
    if (error.code === 'NotFound') return false
    throw error
  }
}
