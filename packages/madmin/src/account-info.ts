import { type QuotaType, readQuota } from './bucket-quota.ts'
import { at, countsOf, documentOf, flagOf, listOf, numberOf, objectOf, textOf } from './json.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface AccountBucket {
  readonly name: string
  /** RFC 3339. */
  readonly created: string
  /** Bytes, as last counted by the server's scanner; 0 also if it has not counted yet. */
  readonly size: number
  readonly objects: number
  /** Number of objects by size; the range that repeats its neighbours is left out, so the sum is right. */
  readonly objectsBySize: Readonly<Record<string, number>>
  /** Number of objects by number of versions; empty on older servers. */
  readonly objectsByVersions: Readonly<Record<string, number>>
  /** What the caller may do with the bucket's objects. */
  readonly access: { readonly read: boolean; readonly write: boolean }
  /** Absent if the server could not read them. */
  readonly details?: BucketDetails
}

export interface BucketDetails {
  readonly versioning: boolean
  readonly versioningSuspended: boolean
  readonly locking: boolean
  readonly replication: boolean
  /** Bytes. Absent: no quota. */
  readonly quota?: { readonly quota: number; readonly type: QuotaType }
}

export interface AccountInfo {
  /** The user behind the credential; on servers of 2021 the access key itself. */
  readonly name: string
  /** The effective policy document. For root, one that allows everything. */
  readonly policy: unknown
  /** Buckets that the caller may list, read or write. */
  readonly buckets: AccountBucket[]
}

/** A range that overlaps four finer ones. */
const REPEATED_RANGE = 'BETWEEN_1024B_AND_1_MB'
const FINER_RANGE = 'BETWEEN_1024_B_AND_64_KB'

const EVERYTHING = {
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Action: ['admin:*'] },
    { Effect: 'Allow', Action: ['kms:*'] },
    { Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] },
  ],
}
const NOTHING = { Version: '2012-10-17', Statement: [] }

export interface AccountInfoOptions extends CallOptions {
  /** False if the buckets are not needed. Our store then leaves them out, because thousands take time; others ignore it. */
  readonly buckets?: boolean
}

/**
 * Returns the caller's name, effective policy and buckets. Needs a valid signature, but no rights.
 * @throws MadminError InvalidAccessKeyId, SignatureDoesNotMatch
 */
export async function accountInfo(
  t: Transport,
  { buckets = true, ...call }: AccountInfoOptions = {},
): Promise<AccountInfo> {
  const query = buckets ? {} : { buckets: 'false' }
  return readAccountInfo(await t.call({ method: 'GET', path: 'accountinfo', query, ...call }))
}

/** Reads the answers of MinIO (upper-case members) and of RustFS (snake case, policy as a text). */
export function readAccountInfo(answer: unknown): AccountInfo {
  return {
    name: textOf(at(answer, 'AccountName', 'account_name')),
    policy: policyOf(documentOf(at(answer, 'Policy', 'policy')), at(answer, 'Server', 'server')),
    buckets: listOf(at(answer, 'Buckets', 'buckets')).map(bucketOf),
  }
}

/**
 * A server of 2021 reports an empty policy for root; on later servers an empty policy is that of a user without policies.
 * Only later servers report the layout of their drives, so its absence means the first case.
 */
function policyOf(policy: unknown, server: unknown): unknown {
  if (listOf(at(policy, 'Statement')).length > 0) return policy
  return at(server, 'TotalSets') === undefined ? EVERYTHING : NOTHING
}

function bucketOf(value: unknown): AccountBucket {
  const bucket = objectOf(value)
  const access = objectOf(bucket.access)
  const details = at(bucket, 'details')
  return {
    name: textOf(bucket.name),
    // RustFS reports the time of creation under a misleading name.
    created: textOf(at(bucket, 'created', 'expiration')),
    size: numberOf(bucket.size) ?? 0,
    objects: numberOf(bucket.objects) ?? 0,
    objectsBySize: sizesOf(at(bucket, 'objectHistogram', 'object_sizes_histogram')),
    objectsByVersions: countsOf(at(bucket, 'objectsVersionsHistogram', 'object_versions_histogram')),
    access: { read: flagOf(access.read), write: flagOf(access.write) },
    ...(details !== undefined && { details: detailsOf(details) }),
  }
}

/** Parses a histogram of sizes without counting anything twice. */
export function sizesOf(value: unknown): Record<string, number> {
  const { [REPEATED_RANGE]: repeated, ...ranges } = countsOf(value)
  return repeated === undefined || FINER_RANGE in ranges ? ranges : { ...ranges, [REPEATED_RANGE]: repeated }
}

function detailsOf(value: unknown): BucketDetails {
  const quota = readQuota(at(value, 'quota'))
  return {
    versioning: flagOf(at(value, 'versioning')),
    versioningSuspended: flagOf(at(value, 'versioningSuspended', 'versioning_suspended')),
    locking: flagOf(at(value, 'locking')),
    replication: flagOf(at(value, 'replication')),
    ...(quota.size > 0 && { quota: { quota: quota.size, type: quota.type } }),
  }
}
