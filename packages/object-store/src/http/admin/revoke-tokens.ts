import { S3Error } from '../../errors.ts'
import { revokeSessions } from '../../iam/sessions.ts'
import { isNotDenied, requireAllowed } from '../authorize.ts'
import type { AdminEndpoint } from './endpoint.ts'
import { parameter, requireIdentity } from './payload.ts'

const RIGHT = 'admin:RemoveServiceAccount'

/**
 * Ends sessions: all of a user with `fullRevoke=true`, otherwise those of one `tokenRevokeType`, which for the caller's
 * own defaults to the type of the session it calls with.
 *
 * Every session may end those of its own type: that is how one signs out. All others of the same user may be ended
 * unless a policy denies RemoveServiceAccount, and a session or service account with a policy of its own needs it there.
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
