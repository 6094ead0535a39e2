import { z } from 'zod'
import type { ExternalUser, ServiceAccountRecord } from '../../../iam/iam-records.ts'
import {
  createServiceAccount,
  listServiceAccounts,
  noSuchServiceAccount,
  removeServiceAccount,
  requireServiceAccount,
  updateServiceAccount,
} from '../../../iam/service-accounts.ts'
import { S3Error } from '../../../lib/errors.ts'
import { isActionAllowed, isActionNotDenied, requireAction } from '../../auth/authorize.ts'
import type { StoreCall } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter, readSealed, requireIdentity, sendSealed } from '../endpoint/payload.ts'
import { accessKeyInfo, serviceAccountSummary, wireExpiration } from './access-key-info.ts'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')

/** A policy: the document itself, or its text, as sent by some clients. */
const policy = z
  .unknown()
  .optional()
  .transform((value) => {
    if (value === undefined || value === null || value === '') return undefined
    return typeof value === 'string' ? value : JSON.stringify(value)
  })

/** RFC 3339. Go's zero time and the epoch mean "never". */
const time = z
  .string()
  .nullish()
  .transform((value, context) => {
    if (value === undefined || value === null || value === '') return undefined
    const ms = Date.parse(value)
    if (Number.isNaN(ms)) context.addIssue({ code: 'custom', message: 'no time' })
    return ms <= 0 ? null : Math.floor(ms / 1000) * 1000
  })

// Clients of 2021 send only policy, keys and targetUser. `comment` is an older name for the description.
export const NewAccountBody = z.object({
  policy,
  targetUser: text,
  accessKey: text,
  secretKey: text,
  name: text,
  description: text,
  comment: text,
  expiration: time,
})

const STATUS = { on: 'on', enabled: 'on', off: 'off', disabled: 'off' } as const

const Change = z.object({
  newPolicy: policy,
  newSecretKey: text,
  newStatus: z.enum(['on', 'enabled', 'off', 'disabled', '']).nullish(),
  newName: z.string().nullish(),
  newDescription: z.string().nullish(),
  newExpiration: time,
})

export const adminServiceAccountEndpoints: AdminEndpoint[] = [
  {
    name: 'AddServiceAccount',
    method: 'PUT',
    path: 'add-service-account',
    async handle(call) {
      const identity = requireIdentity(call)
      const asked = await readSealed(call, NewAccountBody)
      const own = ['', identity.accessKey, identity.user].includes(asked.targetUser)
      const parent = own ? identity.user : asked.targetUser
      requireCreateAction(call, parent, asked.expiration)
      await createAndSendAccount(call, asked, { parent, external: own ? identity.external : undefined })
    },
  },
  {
    name: 'UpdateServiceAccount',
    method: 'POST',
    path: 'update-service-account',
    query: ['accessKey'],
    async handle(call) {
      const accessKey = queryParameter(call, 'accessKey')
      const asked = await readSealed(call, Change)
      const change = {
        // A missing policy is kept. MinIO removes it then, so a new description would grant all rights of the parent.
        policy: asked.newPolicy,
        secretKey: asked.newSecretKey || undefined,
        status: asked.newStatus ? STATUS[asked.newStatus] : undefined,
        name: asked.newName ?? undefined,
        description: asked.newDescription ?? undefined,
        expiresAt: asked.newExpiration,
      }
      // Needed for the caller's own accounts as well, as on MinIO.
      requireAction(call, 'admin:UpdateServiceAccount', { values: durationValues(call, change.expiresAt) })
      await updateServiceAccount(call.store.iam, accessKey, change, (account) => requireChangeable(call, account))
      call.empty(204)
    },
  },
  {
    name: 'InfoServiceAccount',
    method: 'GET',
    path: 'info-service-account',
    query: ['accessKey'],
    async handle(call) {
      const { iam } = call.store
      const account = requireServiceAccount(iam, queryParameter(call, 'accessKey'))
      const own = account.parent === requireIdentity(call).user
      if (!own) requireAction(call, 'admin:ListServiceAccounts', {})
      await sendSealed(call, accessKeyInfo(iam, account))
    },
  },
  {
    name: 'ListServiceAccounts',
    method: 'GET',
    path: 'list-service-accounts',
    async handle(call) {
      const identity = requireIdentity(call)
      const asked = queryParameter(call, 'user')
      const own = ['', identity.accessKey, identity.user].includes(asked)
      if (!own) requireAction(call, 'admin:ListServiceAccounts', {})
      const { iam } = call.store
      const user = own ? identity.user : asked
      if (iam.userSecretKey(user) === undefined && !(own && identity.external)) {
        throw new S3Error('XMinioAdminNoSuchUser', 'The specified user does not exist.')
      }
      const accounts = listServiceAccounts(iam, user).map(([accessKey, account]) =>
        serviceAccountSummary(accessKey, account, call.store.keyUse),
      )
      await sendSealed(call, { accounts })
    },
  },
  {
    name: 'DeleteServiceAccount',
    method: 'DELETE',
    path: 'delete-service-account',
    query: ['accessKey'],
    async handle(call) {
      const { iam } = call.store
      const accessKey = queryParameter(call, 'accessKey')
      const account = requireServiceAccount(iam, accessKey)
      const own = account.parent === requireIdentity(call).user
      const allowed = own ? isActionNotDenied(call, REMOVE) : isActionAllowed(call, REMOVE, {})
      // This call must not reveal which accounts others have.
      if (!allowed) throw own ? new S3Error('AccessDenied', 'Access Denied.') : noSuchServiceAccount()
      await removeServiceAccount(iam, accessKey)
      call.empty(204)
    },
  },
]

const CREATE = 'admin:CreateServiceAccount'
const REMOVE = 'admin:RemoveServiceAccount'

/** Creates the account and returns its credentials. The caller's right must have been checked. */
export async function createAndSendAccount(
  call: StoreCall,
  asked: z.output<typeof NewAccountBody>,
  of: { parent: string; external: ExternalUser | undefined },
): Promise<void> {
  const expiresAt = asked.expiration ?? undefined
  const { accessKey, secretKey } = await createServiceAccount(call.store.iam, {
    ...asked,
    ...of,
    description: asked.description || asked.comment,
    expiresAt,
    // An account created with a restricted credential must not have more rights than that credential.
    bounds: requireIdentity(call).narrowedBy,
  })
  await sendSealed(call, { credentials: { accessKey, secretKey, expiration: wireExpiration(expiresAt) } })
}

/** Users may create service accounts for themselves unless a policy denies it; only root may create those of root. */
export function requireCreateAction(call: StoreCall, parent: string, expiresAt: number | null | undefined): void {
  const own = parent === call.identity?.user
  const resource = { values: durationValues(call, expiresAt) }
  const allowed = own ? isActionNotDenied(call, CREATE, resource) : isActionAllowed(call, CREATE, resource)
  if (!allowed || (!own && parent === call.store.iam.root.accessKey))
    throw new S3Error('AccessDenied', 'Access Denied.')
}

/**
 * Changing the secret key of an account gives access to it. So only root may change those of root, and a restricted credential
 * only accounts restricted by the same policies.
 */
function requireChangeable(call: StoreCall, account: ServiceAccountRecord): void {
  const { user, narrowedBy } = requireIdentity(call)
  const ofRoot = account.parent === call.store.iam.root.accessKey
  const within = narrowedBy.every((policy) => account.bounds?.includes(policy))
  if ((ofRoot && user !== account.parent) || !within) throw new S3Error('AccessDenied', 'Access Denied.')
}

/** Returns the condition values about the lifetime of an account. */
function durationValues(call: StoreCall, expiresAt: number | null | undefined): Record<string, string> | undefined {
  if (typeof expiresAt !== 'number') return undefined
  return { 'svc:DurationSeconds': String(Math.max(0, Math.round((expiresAt - call.store.iam.now()) / 1000))) }
}
