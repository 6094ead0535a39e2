import { formatPolicy, policyFromJson } from '@stowage/iam-policy'
import { effectivePolicy } from '../../../iam/effective-policy.ts'
import type { Iam } from '../../../iam/iam.ts'
import type { ServiceAccountRecord, SessionRecord } from '../../../iam/iam-records.ts'
import type { IamIdentity } from '../../../iam/identity.ts'
import type { KeyUse } from '../../../iam/key-use.ts'
import { inheritsAllRights } from '../../../iam/restricting-policies.ts'
import { wireTime } from '../endpoint/payload.ts'

/* Descriptions of service accounts and sessions, without secret keys, which are returned only on creation. */

/** Returns the time of expiration; the epoch means "never". */
export const wireExpiration = (expiresAt: number | undefined): string => wireTime(expiresAt ?? 0)

/** Returns a list entry. `createdAt` and `lastUsed` are additions of this store; clients of MinIO ignore them. */
export function serviceAccountSummary(accessKey: string, account: ServiceAccountRecord, keyUse: KeyUse): object {
  const { parent, status, policy, name, description, expiresAt, createdAt } = account
  return {
    parentUser: parent,
    accountStatus: status,
    impliedPolicy: policy === undefined || inheritsAllRights(policy),
    accessKey,
    ...(name ? { name } : {}),
    ...(description ? { description } : {}),
    expiration: wireExpiration(expiresAt),
    ...(createdAt === undefined ? {} : { createdAt: wireTime(createdAt) }),
    lastUsed: keyUse.lastUsed(accessKey) ?? '',
  }
}

/** Returns the list entry of a session. */
export function sessionSummary(accessKey: string, { parent, sessionPolicy, expiresAt }: SessionRecord): object {
  return {
    parentUser: parent,
    accountStatus: 'on',
    impliedPolicy: sessionPolicy === undefined,
    accessKey,
    expiration: wireExpiration(expiresAt),
  }
}

/** Describes a service account with its own policy, or if it has none, that of its parent. */
export function accessKeyInfo(iam: Iam, account: ServiceAccountRecord): object {
  const { parent, external, status, name, description, policy, expiresAt } = account
  return {
    parentUser: parent,
    accountStatus: status,
    ...policyInForce(iam, { user: parent, ...(external ? { external } : {}) }, policy),
    ...(name ? { name } : {}),
    ...(description ? { description } : {}),
    ...(expiresAt === undefined ? {} : { expiration: wireExpiration(expiresAt) }),
  }
}

/** Describes a session. */
export function sessionInfo(iam: Iam, { parent, sessionPolicy, expiresAt, external }: SessionRecord): object {
  return {
    parentUser: parent,
    accountStatus: 'on',
    ...policyInForce(iam, { user: parent, ...(external ? { external } : {}) }, sessionPolicy),
    expiration: wireExpiration(expiresAt),
  }
}

/** Returns the effective policy; the document is sent as text. */
function policyInForce(
  iam: Iam,
  parent: Pick<IamIdentity, 'user' | 'external'>,
  own: string | undefined,
): { impliedPolicy: boolean; policy: string } {
  const impliedPolicy = own === undefined || inheritsAllRights(own)
  const policy = impliedPolicy ? effectivePolicy(iam, parent) : policyFromJson(own)
  return { impliedPolicy, policy: formatPolicy(policy, { indent: 1 }) }
}
