import { type ActionName, type CallerAccess, evaluateCapability } from '@stowage/iam-policy'
import { callerFromAccountInfo, detectPolicyDialect } from '../../../lib/permissions/caller-permissions.ts'
import type { StorageClients } from '../../../lib/storage/storage-clients.ts'

/** What the caller's policy allows. A bucket policy may decide otherwise; the storage server applies both. */
export async function readCallerAccess({
  madmin,
  session,
}: Pick<StorageClients, 'madmin' | 'session'>): Promise<CallerAccess> {
  const info = await madmin.accountInfo({ buckets: false })
  return callerFromAccountInfo(info, detectPolicyDialect(session.capabilities)).access
}

/** The first of these rights that the policy does not give. */
export function missingRight(
  access: CallerAccess,
  asked: readonly { action: ActionName; bucket: string; object: string }[],
): string | undefined {
  return asked.find((question) => evaluateCapability(access, question).decision === 'deny')?.action
}
