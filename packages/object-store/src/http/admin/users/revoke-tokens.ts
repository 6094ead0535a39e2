import { revokeSessions } from '../../../iam/sessions.ts'
import { S3Error } from '../../../lib/errors.ts'
import { isActionNotDenied, requireAction } from '../../auth/authorize.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter, requireIdentity } from '../endpoint/payload.ts'

const REMOVE_ACTION = 'admin:RemoveServiceAccount'

/**
 * Ends sessions of a user: all of them with `fullRevoke=true`, otherwise those of one `tokenRevokeType`. For the caller's own
 * sessions the default is the type of the session that makes the call.
 *
 * A session may always end sessions of its own type, to sign out. Other sessions of the same user may be ended unless a policy
 * denies RemoveServiceAccount; a session or service account with its own policy needs that action in it.
 */
export const revokeTokensEndpoint: AdminEndpoint = {
  name: 'RevokeTokens',
  method: 'POST',
  path: 'revoke-tokens/builtin',
  async handle(call) {
    const identity = requireIdentity(call)
    const user = queryParameter(call, 'user') || identity.user
    const own = user === identity.user
    const all = queryParameter(call, 'fullRevoke') === 'true'
    const ownType = own ? call.store.iam.sessions.get(identity.accessKey)?.revokeType : undefined
    const type = all ? undefined : queryParameter(call, 'tokenRevokeType') || ownType
    if (!own) requireAction(call, REMOVE_ACTION, {})
    else if ((all || type !== ownType) && !isActionNotDenied(call, REMOVE_ACTION))
      throw new S3Error('AccessDenied', 'Access Denied.')
    if (!all && type === undefined) {
      throw new S3Error('XMinioAdminInvalidArgument', 'Set tokenRevokeType, or fullRevoke=true.')
    }
    await revokeSessions(call.store.iam, user, type)
    call.empty(204)
  },
}
