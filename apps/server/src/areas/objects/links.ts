import type { Link } from '@stowage/contract'
import type { Madmin } from '@stowage/madmin'
import pMap from 'p-map'
import { storageErrorOf } from '../../lib/storage/storage-errors.ts'
import { isLinkName, keyInPolicy, targetInAccount } from './link-policy.ts'

/** Policies that are read at the same time. */
const READS = 8
const GONE = ['XMinioInvalidIAMCredentials', 'XMinioAdminNoSuchAccessKey']

/**
 * Returns the caller's own links to a bucket. Most are read from the list of accounts; those with long keys need a call each.
 * @throws MadminError AccessDenied
 */
export async function linksIn(madmin: Madmin, bucket: string): Promise<Link[]> {
  const accounts = (await madmin.listServiceAccounts()).filter(({ name }) => isLinkName(name))
  const found = await pMap(accounts, async (account) => await linkOf(madmin, account, bucket), { concurrency: READS })
  return found.filter((link) => link !== undefined)
}

type Account = Awaited<ReturnType<Madmin['listServiceAccounts']>>[number]

async function linkOf(madmin: Madmin, account: Account, bucket: string): Promise<Link | undefined> {
  const { kind, key: written, versionId } = targetInAccount(account, bucket)
  const key = written ?? (mayBeIn(account, bucket) ? await keyByPolicy(madmin, account, bucket) : undefined)
  if (key === undefined) return undefined
  return {
    access_key: account.accessKey,
    path: key,
    kind,
    ...(versionId ? { version_id: versionId } : {}),
    ...(account.expiration ? { expires: account.expiration } : {}),
  }
}

/** Whether an account may be a link to this bucket: its description is shortened, or contains the bucket's name. */
function mayBeIn({ description }: Account, bucket: string): boolean {
  return description.includes('…') || description.includes(` ${bucket}/`)
}

async function keyByPolicy(madmin: Madmin, account: Account, bucket: string): Promise<string | undefined> {
  try {
    const { policy } = await madmin.getServiceAccount(account.accessKey)
    return keyInPolicy(policy, account, bucket)
  } catch (error) {
    // The account was revoked or has expired since it was listed.
    if (GONE.includes(String(storageErrorOf(error)?.code))) return undefined
    throw error
  }
}
