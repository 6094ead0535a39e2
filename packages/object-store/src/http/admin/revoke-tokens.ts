import { S3Error } from '../../errors.ts'
import { revokeSessions } from '../../iam/sessions.ts'
import { isNotDenied, requireAllowed } from '../authorize.ts'
import type { AdminEndpoint } from './endpoint.ts'
import { parameter, requireIdentity } from './payload.ts'

const RIGHT = 'admin:RemoveServiceAccount'

/**
 * Ends sessions of a user: all of them with `fullRevoke=true`, otherwise those of one `tokenRevokeType`. For the caller's own
 * sessions the default is the type of the session that makes the call.
 *
 * A session may always end sessions of its own type, to sign out. Other sessions of the same user may be ended unless a policy
 * denies RemoveServiceAccount; a session or service account with its own policy needs that action in it.
 */
export const revokeTokens: AdminEndpoint = {
  name: 'RevokeTokens',
  method: 'POST',
  path: 'revoke-tokens/builtin',
  actions: undefined,
  async handle(call) {
    const identity = requireIdentity(call)
    const user = parameter(call, 'user') || identity.user
    const own = user === identity.user
    const all = parameter(call, 'fullRevoke') === 'true'
    const ownType = own ? call.store.iam.sessions.get(identity.accessKey)?.revokeType : undefined
    const type = all ? undefined : parameter(call, 'tokenRevokeType') || ownType
    if (!own) requireAllowed(call, RIGHT, {})
    else if ((all || type !== ownType) && !isNotDenied(call, RIGHT)) throw new S3Error('AccessDenied', 'Access Denied.')
    if (!all && type === undefined) {
      throw new S3Error('XMinioAdminInvalidArgument', 'Set tokenRevokeType, or fullRevoke=true.')
    }
    await revokeSessions(call.store.iam, user, type)
    call.empty(204)
  },
}
