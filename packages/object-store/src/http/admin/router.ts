import { S3Error } from '../../errors.ts'
import { authenticateAdmin } from '../authenticate.ts'
import { isAllowed } from '../authorize.ts'
import type { Call } from '../call.ts'
import { accessKeyEndpoints } from './access-keys.ts'
import { accountInfo } from './account-info.ts'
import { quotaEndpoints } from './bucket-quota.ts'
import { dataUsageInfo } from './data-usage-info.ts'
import type { AdminEndpoint } from './endpoint.ts'
import { groupEndpoints } from './groups.ts'
import { layoutOf } from './layout.ts'
import { policyEndpoints } from './policies.ts'
import { policyEntities } from './policy-entities.ts'
import { policyMappingEndpoints } from './policy-mapping.ts'
import { revokeTokens } from './revoke-tokens.ts'
import { serverInfo } from './server-info.ts'
import { service } from './service.ts'
import { serviceAccountEndpoints } from './service-accounts.ts'
import { storageInfo } from './storage-info.ts'
import { userEndpoints } from './users.ts'

export const ADMIN_PREFIX = '/minio/admin/'
const VERSION = 'v3/'

/** Everything that the store does over the admin API. */
export const adminEndpoints: readonly AdminEndpoint[] = [
  accountInfo,
  serverInfo,
  storageInfo,
  dataUsageInfo,
  service,
  ...quotaEndpoints,
  ...userEndpoints,
  ...groupEndpoints,
  ...policyEndpoints,
  ...policyMappingEndpoints,
  policyEntities,
  ...serviceAccountEndpoints,
  ...accessKeyEndpoints,
  revokeTokens,
]

const TABLE = new Map(adminEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]))

export async function handleAdmin(call: Call): Promise<void> {
  authenticateAdmin(call)
  const endpoint = findEndpoint(call)
  call.record.operation = `admin:${endpoint.name}`
  const { actions } = endpoint
  if (actions && !actions.some((action) => isAllowed(call, `admin:${action}`, {}))) {
    throw new S3Error('AccessDenied', 'Access Denied.')
  }
  await endpoint.handle(call)
}

/** @throws S3Error XMinioAdminVersionMismatch, by which clients know that a feature is missing */
function findEndpoint(call: Call): AdminEndpoint {
  const path = call.target.path.slice(ADMIN_PREFIX.length)
  if (!path.startsWith(VERSION)) {
    throw new S3Error(
      'XMinioAdminVersionMismatch',
      `The admin API is of version v3; asked for was ${path.split('/')[0]}.`,
    )
  }
  const endpoint = TABLE.get(`${call.request.method} ${path.slice(VERSION.length)}`)
  if (!endpoint || endpoint.query?.some((name) => !call.query.has(name))) {
    const mode = layoutOf(call.engine).distributed ? 'mode-server-xl' : 'mode-server-fs'
    throw new S3Error('XMinioAdminVersionMismatch', `This 'admin' API is not supported by server in '${mode}'`)
  }
  return endpoint
}
