import type { ShareLink } from '@stowage/contract'
import type { Madmin } from '@stowage/madmin'
import pMap from 'p-map'
import { toStorageError } from '../../../lib/errors/storage-errors.ts'
import {
  isLinkName,
  linkKeyInPolicy,
  linkKind,
  linkLimitsInPolicy,
  linkNameInPolicy,
  parseLinkAccount,
} from './link-policy.ts'

/** Policies that are read at the same time. */
const READS = 8
const GONE = ['XMinioInvalidIAMCredentials', 'XMinioAdminNoSuchAccessKey']

/**
 * Returns the caller's own links to a bucket. Most are read from the list of accounts; those with long keys need a call each,
 * and on servers of 2021, whose lists have no names, all accounts do.
 * @throws MadminError AccessDenied
 */
export async function listBucketLinks(madmin: Madmin, bucket: string): Promise<ShareLink[]> {
  const accounts = (await madmin.listServiceAccounts()).filter((one) => isLinkName(one.name) || hasOnlyAccessKey(one))
  const found = await pMap(accounts, async (account) => await readLink(madmin, account, bucket), { concurrency: READS })
  return found.filter((link) => link !== undefined)
}

/** Whether the caller's account with this access key is a link. */
export async function isOwnLink(madmin: Madmin, accessKey: string): Promise<boolean> {
  const own = (await madmin.listServiceAccounts()).find((one) => one.accessKey === accessKey)
  if (!own) return false
  return (
    isLinkName(own.name) ||
    (hasOnlyAccessKey(own) && linkNameInPolicy(await readAccountPolicy(madmin, own)) !== undefined)
  )
}

type Account = Awaited<ReturnType<Madmin['listServiceAccounts']>>[number]

/** Whether the list contained nothing but the access key. */
const hasOnlyAccessKey = ({ parentUser }: Account) => parentUser === ''

async function readLink(madmin: Madmin, account: Account, bucket: string): Promise<ShareLink | undefined> {
  if (hasOnlyAccessKey(account)) return await readBareLink(madmin, account, bucket)
  const { kind, key: written, versionId } = parseLinkAccount(account, bucket)
  const key = written ?? (mayLinkToBucket(account, bucket) ? await keyByPolicy(madmin, account, bucket) : undefined)
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
function mayLinkToBucket({ description }: Account, bucket: string): boolean {
  return description.includes('…') || description.includes(` ${bucket}/`)
}

async function keyByPolicy(madmin: Madmin, account: Account, bucket: string): Promise<string | undefined> {
  return linkKeyInPolicy(await readAccountPolicy(madmin, account), account, bucket)
}

async function readBareLink(madmin: Madmin, account: Account, bucket: string): Promise<ShareLink | undefined> {
  const policy = await readAccountPolicy(madmin, account)
  const name = linkNameInPolicy(policy)
  const key = name === undefined ? undefined : linkKeyInPolicy(policy, { name }, bucket)
  if (name === undefined || key === undefined) return undefined
  const { versionId, expires } = linkLimitsInPolicy(policy)
  return {
    access_key: account.accessKey,
    path: key,
    kind: linkKind(name),
    ...(versionId ? { version_id: versionId } : {}),
    ...(expires ? { expires } : {}),
  }
}

/** Returns the policy of an account; undefined if the account was revoked or has expired since it was listed. */
async function readAccountPolicy(madmin: Madmin, account: Account): Promise<unknown> {
  try {
    return (await madmin.getServiceAccount(account.accessKey)).policy
  } catch (error) {
    if (GONE.includes(String(toStorageError(error)?.code))) return undefined
    throw error
  }
}
