import { type Access, can } from '@stowage/iam-policy'
import type { Clients } from '../../lib/storage/clients.ts'
import { callerFromAccountInfo, policyDialectOf } from '../session/permissions.ts'

/** What the caller's policy allows. A bucket policy may decide otherwise; the storage server applies both. */
export async function accessOf({ madmin, session }: Pick<Clients, 'madmin' | 'session'>): Promise<Access> {
  const { policy } = await madmin.accountInfo({ buckets: false })
  return callerFromAccountInfo(policy, policyDialectOf(session.capabilities)).access
}

/** The first of these rights that the policy does not give. */
export function missingRight(
  access: Access,
  asked: readonly { action: string; bucket: string; object: string }[],
): string | undefined {
  return asked.find((question) => can(access, question).decision === 'deny')?.action
}
