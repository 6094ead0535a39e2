import { reason } from '@stowage/contract'
import { tenantSecurityCalls } from '@stowage/contract/tenants/tenant-security'
import { type Madmin, MadminError, type PolicyEntity } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { serveOperator } from '../../../lib/http/serve.ts'
import type { TenantLinks } from '../../../lib/kube/tenant-links.ts'
import { askTenant, errorMessage, tenantAdmin } from '../details/tenant-admin.ts'
import { readTenant } from '../kube-objects/change-tenant.ts'

const POLICY = 'consoleAdmin'
const NO_DIRECTORY = 'XMinioLDAPNotEnabled'
/** Timeout of a tenant's answer (ms). */
const ANSWER_MS = 10_000

export function tenantAdministratorRoutes(app: FastifyInstance, links: TenantLinks): void {
  serveOperator(app, tenantSecurityCalls.setTenantAdministrators, async ({ params, body }, { kube, signal }) => {
    const entities: PolicyEntity[] = [
      ...(body.user_dns ?? []).map((user) => ({ user })),
      ...(body.group_dns ?? []).map((group) => ({ group })),
    ]
    const tenant = await readTenant(kube, params, signal)
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)])
    const admin = await askTenant(() => tenantAdmin(kube, tenant, links, limit))
    for (const entity of entities) await askTenant(() => makeAdministrator(admin, entity))
  })
}

/** @throws HttpError 409 with the message of the tenant if it refuses */
async function makeAdministrator(admin: Madmin, entity: PolicyEntity): Promise<void> {
  try {
    await attach(admin, entity)
  } catch (error) {
    if (!(error instanceof MadminError) || (error.status >= 500 && error.rawCode !== NO_DIRECTORY)) throw error
    if (error.code === 'XMinioAdminPolicyChangeAlreadyApplied') return
    throw new HttpError(409, reason('administrators-refused'), { detail: errorMessage(error), cause: error })
  }
}

async function attach(admin: Madmin, entity: PolicyEntity): Promise<void> {
  try {
    await admin.attachPolicies({ ...entity, policies: [POLICY], provider: 'ldap' })
  } catch (error) {
    const isOld = error instanceof MadminError && error.unsupported && error.rawCode !== NO_DIRECTORY
    if (!isOld) throw error
    // Releases before June 2023 have only this call.
    await admin.setPolicyMapping({ ...entity, policies: [POLICY] })
  }
}
