import type { Link } from '@stowage/contract'
import type { Madmin } from '@stowage/madmin'
import pMap from 'p-map'
import { storageErrorOf } from '../../lib/storage/storage-errors.ts'
import { isLinkName, keyInPolicy, kindOf, limitsInPolicy, nameInPolicy, targetInAccount } from './link-policy.ts'

/** Policies that are read at the same time. */
const READS = 8
const GONE = ['XMinioInvalidIAMCredentials', 'XMinioAdminNoSuchAccessKey']

/**
 * Returns the caller's own links to a bucket. Most are read from the list of accounts; those with long keys need a call each,
 * and on servers of 2021, whose lists have no names, all accounts do.
 * @throws MadminError AccessDenied
 */
export async function linksIn(madmin: Madmin, bucket: string): Promise<Link[]> {
  const accounts = (await madmin.listServiceAccounts()).filter((one) => isLinkName(one.name) || isBare(one))
  const found = await pMap(accounts, async (account) => await linkOf(madmin, account, bucket), { concurrency: READS })
  return found.filter((link) => link !== undefined)
}

/** Whether the caller's account with this access key is a link. */
export async function isOwnLink(madmin: Madmin, accessKey: string): Promise<boolean> {
  const own = (await madmin.listServiceAccounts()).find((one) => one.accessKey === accessKey)
  if (!own) return false
  return isLinkName(own.name) || (isBare(own) && nameInPolicy(await policyOf(madmin, own)) !== undefined)
}

type Account = Awaited<ReturnType<Madmin['listServiceAccounts']>>[number]

/** Whether the list contained nothing but the access key. */
const isBare = ({ parentUser }: Account) => parentUser === ''

async function linkOf(madmin: Madmin, account: Account, bucket: string): Promise<Link | undefined> {
  if (isBare(account)) return await bareLinkOf(madmin, account, bucket)
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
  return keyInPolicy(await policyOf(madmin, account), account, bucket)
}

async function bareLinkOf(madmin: Madmin, account: Account, bucket: string): Promise<Link | undefined> {
  const policy = await policyOf(madmin, account)
  const name = nameInPolicy(policy)
  const key = name === undefined ? undefined : keyInPolicy(policy, { name }, bucket)
  if (name === undefined || key === undefined) return undefined
  const { versionId, expires } = limitsInPolicy(policy)
  return {
    access_key: account.accessKey,
    path: key,
    kind: kindOf(name),
    ...(versionId ? { version_id: versionId } : {}),
    ...(expires ? { expires } : {}),
  }
}

/** Returns the policy of an account; undefined if the account was revoked or has expired since it was listed. */
async function policyOf(madmin: Madmin, account: Account): Promise<unknown> {
  try {
    return (await madmin.getServiceAccount(account.accessKey)).policy
  } catch (error) {
    if (GONE.includes(String(storageErrorOf(error)?.code))) return undefined
    throw error
  }
}
