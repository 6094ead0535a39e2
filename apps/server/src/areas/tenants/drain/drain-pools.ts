import { type Reason, reason } from '@stowage/contract'
import { decommissionCalls } from '@stowage/contract/tenants/decommission'
import type { Kube, SavedKubeObject, TenantObject } from '@stowage/kube'
import { type Madmin, MadminError, type ServerPool } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { serveOperator } from '../../../lib/http/serve.ts'
import type { TenantLinks } from '../../../lib/kube/tenant-links.ts'
import { askTenant, errorMessage, tenantAdmin } from '../details/tenant-admin.ts'
import { changeTenant, readTenant, type TenantReference } from '../kube-objects/change-tenant.ts'
import { describePoolState, findServerPool, tenantPoolName } from './pool-states.ts'

/** Timeout of a tenant's answer (ms). */
const ANSWER_MS = 10_000

interface TenantPools {
  tenant: SavedKubeObject<TenantObject>
  admin: Madmin
  /** Undefined if the server has no pools to drain. */
  pools: ServerPool[] | undefined
}

/** Drains pools. The tenant itself does this; the cluster is changed only when the pool is removed. */
export function drainPoolRoutes(app: FastifyInstance, links: TenantLinks): void {
  const readTenantPools = async (kube: Kube, at: TenantReference, signal: AbortSignal): Promise<TenantPools> => {
    const tenant = await readTenant(kube, at, signal)
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)])
    const admin = await askTenant(() => tenantAdmin(kube, tenant, links, limit))
    return { tenant, admin, pools: await askTenant(() => listServerPools(admin)) }
  }

  serveOperator(app, decommissionCalls.listPoolStates, async ({ params }, { kube, signal }) => {
    const { tenant, pools } = await readTenantPools(kube, params, signal)
    const names = (tenant.spec?.pools ?? []).map(tenantPoolName)
    return {
      supported: pools !== undefined,
      pools: names.map((name) => describePoolState(name, findServerPool(tenant, name, pools ?? []))),
    }
  })

  serveOperator(app, decommissionCalls.drainPool, async ({ params }, { kube, signal }) => {
    const asked = await readTenantPools(kube, params, signal)
    const { cmdline } = requireServerPool(asked, params.pool)
    const others = (asked.tenant.spec?.pools ?? []).map(tenantPoolName).filter((name) => name !== params.pool)
    const canTake = others.some((name) => {
      const { state } = describePoolState(name, findServerPool(asked.tenant, name, asked.pools ?? []))
      return state === 'active' || state === 'canceled'
    })
    if (!canTake) throw new HttpError(409, reason('pool-last'))
    await tryPool(() => asked.admin.decommissionPool(cmdline))
  })

  serveOperator(app, decommissionCalls.cancelPoolDrain, async ({ params }, { kube, signal }) => {
    const asked = await readTenantPools(kube, params, signal)
    const { cmdline } = requireServerPool(asked, params.pool)
    await tryPool(() => asked.admin.cancelDecommission(cmdline))
  })

  serveOperator(app, decommissionCalls.removeTenantPool, async ({ params }, { kube, signal }) => {
    const asked = await readTenantPools(kube, params, signal)
    const { state } = describePoolState(params.pool, requireServerPool(asked, params.pool))
    if (state !== 'drained') throw new HttpError(409, reason('pool-not-drained', { pool: params.pool }))
    const remove = ({ spec }: TenantObject) => {
      if (!spec) return
      // Operators number pools without a name, so the other pools would get new numbers, and therefore new volumes.
      if (spec.pools.some(({ name }) => !name)) throw new HttpError(409, reason('pools-unnamed'))
      const kept = spec.pools.filter(({ name }) => name !== params.pool)
      if (kept.length === 0) throw new HttpError(409, reason('pool-last'))
      spec.pools = kept
    }
    await changeTenant(kube, params, remove, signal)
  })
}

/** Servers with one pool, and older servers, do not have this call. */
async function listServerPools(admin: Madmin): Promise<ServerPool[] | undefined> {
  try {
    return await admin.listPools()
  } catch (error) {
    if (error instanceof MadminError && error.unsupported) return undefined
    throw error
  }
}

function requireServerPool({ tenant, pools }: TenantPools, name: string): ServerPool {
  if (!(tenant.spec?.pools ?? []).some((pool, index) => tenantPoolName(pool, index) === name))
    throw new HttpError(404, reason('pool-not-found', { pool: name }))
  if (!pools) throw new HttpError(409, reason('pools-not-drained-here'))
  const pool = findServerPool(tenant, name, pools)
  if (!pool) throw new HttpError(409, reason('pool-not-named', { pool: name }))
  return pool
}

/** Passes on the tenant's error message, for instance that another pool is being drained, or that the others lack space. */
async function tryPool(run: () => Promise<void>): Promise<void> {
  await askTenant(async () => {
    try {
      await run()
    } catch (error) {
      if (!(error instanceof MadminError) || error.status >= 500) throw error
      const why: Reason = reason('pool-refused')
      throw new HttpError(409, why, { detail: errorMessage(error), cause: error })
    }
  })
}
