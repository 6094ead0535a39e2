import { S3Error } from '../../errors.ts'
import { revokeSessions } from '../../iam/sessions.ts'
import { requireAllowed } from '../authorize.ts'
import type { AdminEndpoint } from './endpoint.ts'
import { parameter } from './payload.ts'

/**
 * Ends sessions: all of a user with `fullRevoke=true`, otherwise those of one `tokenRevokeType`, which for the caller's
 * own defaults to the type of the session it calls with.
 */
export const revokeTokens: AdminEndpoint = {
  name: 'RevokeTokens',
  method: 'POST',
  path: 'revoke-tokens/builtin',
  actions: undefined,
  async handle(call) {
    const { identity } = call
    if (!identity) throw new S3Error('AccessDenied', 'Access Denied.')
    const user = parameter(call, 'user') || identity.user
    const own = user === identity.user
    if (!own) requireAllowed(call, 'admin:RemoveServiceAccount', {})
    const all = parameter(call, 'fullRevoke') === 'true'
    const ownType = own ? call.store.iam.sessions.get(identity.accessKey)?.revokeType : undefined
    const type = parameter(call, 'tokenRevokeType') || ownType
    if (!all && type === undefined) {
      throw new S3Error('XMinioAdminInvalidArgument', 'Name a tokenRevokeType, or ask for fullRevoke=true.')
    }
    await revokeSessions(call.store.iam, user, all ? undefined : type)
    call.empty(204)
  },
}
