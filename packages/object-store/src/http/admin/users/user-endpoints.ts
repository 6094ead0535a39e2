import { randomUUID } from 'node:crypto'
import type { AdminActionName } from '@stowage/iam-policy'
import { z } from 'zod'
import type { Iam } from '../../../iam/iam.ts'
import { getUser, listUsers, removeUser, setUser, setUserStatus, type UserDetails } from '../../../iam/users.ts'
import { S3Error } from '../../../lib/errors.ts'
import { isActionAllowed, isActionNotDenied, requireAction } from '../../auth/authorize.ts'
import type { StoreCall } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter, readSealed, readStatusParameter, sendSealedText, wireTime } from '../endpoint/payload.ts'

// As on MinIO, a user without status is disabled.
const NewUser = z.object({ secretKey: z.string(), status: z.enum(['enabled', 'disabled', '']).default('disabled') })

export const adminUserEndpoints: AdminEndpoint[] = [
  {
    name: 'AddUser',
    method: 'PUT',
    path: 'add-user',
    query: ['accessKey'],
    async handle(call) {
      const accessKey = queryParameter(call, 'accessKey')
      requireRight(call, accessKey, 'admin:CreateUser')
      const { identity } = call
      if (identity && identity.kind !== 'user' && identity.kind !== 'root' && identity.user === accessKey) {
        throw new S3Error('XMinioInvalidIAMCredentials', 'A derived credential cannot change its own parent.')
      }
      const { secretKey, status: asked } = await readSealed(call, NewUser)
      const status = asked === 'enabled' ? 'enabled' : 'disabled'
      await setUser(call.store.iam, accessKey, secretKey, status, () => requireStatusRight(call, accessKey, status))
      call.empty(200)
    },
  },
  {
    name: 'RemoveUser',
    method: 'DELETE',
    path: 'remove-user',
    query: ['accessKey'],
    async handle(call) {
      const accessKey = queryParameter(call, 'accessKey')
      if (accessKey === call.identity?.user) {
        throw new S3Error('XMinioAdminInvalidArgument', 'A user cannot remove itself.')
      }
      await removeUser(call.store.iam, accessKey)
      call.empty(200)
    },
  },
  {
    name: 'ListUsers',
    method: 'GET',
    path: 'list-users',
    async handle(call) {
      // All callers with the right get the same list, so one ETag is enough.
      const { etag, text } = userList(call.store.iam)
      if (call.header('if-none-match') === etag) call.empty(304, { ETag: etag })
      else await sendSealedText(call, text, { ETag: etag })
    },
  },
  {
    name: 'GetUserInfo',
    method: 'GET',
    path: 'user-info',
    query: ['accessKey'],
    handle(call) {
      const accessKey = queryParameter(call, 'accessKey')
      requireRight(call, accessKey, 'admin:GetUser')
      call.json(wireUser(getUser(call.store.iam, accessKey)))
    },
  },
  {
    name: 'SetUserStatus',
    method: 'PUT',
    path: 'set-user-status',
    query: ['accessKey', 'status'],
    async handle(call) {
      const accessKey = queryParameter(call, 'accessKey')
      const status = readStatusParameter(call)
      requireStatusRight(call, accessKey, status)
      await setUserStatus(call.store.iam, accessKey, status)
      call.empty(200)
    },
  },
]

interface UserList {
  generation: number
  etag: string
  text: string
}
const lists = new WeakMap<Iam, UserList>()

/** Returns the text of `list-users`, made once for each generation: with 10,000 users that takes 30 ms. */
function userList(iam: Iam): UserList {
  const known = lists.get(iam)
  const { generation } = iam
  if (known?.generation === generation) return known
  const users = [...listUsers(iam)].map(([name, user]) => [name, wireUser(user)])
  // Random, because generations begin again at each start.
  const etag = `"${randomUUID()}"`
  const list = { generation, etag, text: JSON.stringify(Object.fromEntries(users)) }
  lists.set(iam, list)
  return list
}

/** Users may read and change their own record unless a policy denies it. @throws S3Error AccessDenied */
function requireRight(call: StoreCall, accessKey: string, action: AdminActionName): void {
  const own = call.identity?.user === accessKey
  const allowed = own ? isActionNotDenied(call, action) : isActionAllowed(call, action, {})
  if (!allowed) throw new S3Error('AccessDenied', 'Access Denied.')
}

/** @throws S3Error AccessDenied, XMinioAdminInvalidArgument (the caller's own) */
function requireStatusRight(call: StoreCall, accessKey: string, status: 'enabled' | 'disabled'): void {
  if (accessKey === call.identity?.user) {
    throw new S3Error('XMinioAdminInvalidArgument', 'A user cannot change its own status.')
  }
  requireAction(call, status === 'enabled' ? 'admin:EnableUser' : 'admin:DisableUser', {})
}

function wireUser(user: UserDetails): Record<string, unknown> {
  return {
    ...(user.policies.length > 0 ? { policyName: user.policies.join(',') } : {}),
    status: user.status,
    ...(user.groups.length > 0 ? { memberOf: user.groups } : {}),
    updatedAt: wireTime(user.policiesUpdatedAt),
  }
}
