import {
  asCounts,
  asDocument,
  asFlag,
  asList,
  asNumber,
  asObject,
  asText,
  pickMember,
} from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'
import { type BucketQuotaType, readQuota } from './bucket-quota.ts'

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
  readonly details?: AccountBucketDetails
}

export interface AccountBucketDetails {
  readonly versioning: boolean
  readonly versioningSuspended: boolean
  readonly locking: boolean
  readonly replication: boolean
  /** Bytes. Absent: no quota. */
  readonly quota?: { readonly quota: number; readonly type: BucketQuotaType }
}

export interface AccountInfo {
  /** The user behind the credential; on servers of 2021 the access key itself. */
  readonly name: string
  /** The effective policy document. For root, one that allows everything. */
  readonly policy: unknown
  /** Everything that decides about the caller, on our own store; absent on other servers. */
  readonly rights?: AccountRights
  /** Buckets that the caller may list, read or write. */
  readonly buckets: AccountBucket[]
}

export interface AccountRights {
  /** Root, or derived from root: allowed unless denied. */
  readonly owner: boolean
  /** The policies of the user and its groups, in one document. */
  readonly policy: unknown
  /** The policies of the session or service account, each of which must allow a request as well. */
  readonly sessions: readonly unknown[]
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

export interface AccountInfoOptions extends AdminCallOptions {
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
  const rights = pickMember(answer, 'Rights')
  return {
    name: asText(pickMember(answer, 'AccountName', 'account_name')),
    policy: effectivePolicy(asDocument(pickMember(answer, 'Policy', 'policy')), pickMember(answer, 'Server', 'server')),
    ...(rights === undefined ? {} : { rights: readRights(asObject(rights)) }),
    buckets: asList(pickMember(answer, 'Buckets', 'buckets')).map(readAccountBucket),
  }
}

const readRights = ({ owner, policy, sessions }: Record<string, unknown>): AccountRights => ({
  owner: asFlag(owner),
  policy,
  sessions: asList(sessions),
})

/**
 * A server of 2021 reports an empty policy for root; on later servers an empty policy is that of a user without policies.
 * Only later servers report the layout of their drives, so its absence means the first case.
 */
function effectivePolicy(policy: unknown, server: unknown): unknown {
  if (asList(pickMember(policy, 'Statement')).length > 0) return policy
  return pickMember(server, 'TotalSets') === undefined ? EVERYTHING : NOTHING
}

function readAccountBucket(value: unknown): AccountBucket {
  const bucket = asObject(value)
  const access = asObject(bucket.access)
  const details = pickMember(bucket, 'details')
  return {
    name: asText(bucket.name),
    // RustFS reports the time of creation under a misleading name.
    created: asText(pickMember(bucket, 'created', 'expiration')),
    size: asNumber(bucket.size) ?? 0,
    objects: asNumber(bucket.objects) ?? 0,
    objectsBySize: readSizeHistogram(pickMember(bucket, 'objectHistogram', 'object_sizes_histogram')),
    objectsByVersions: asCounts(pickMember(bucket, 'objectsVersionsHistogram', 'object_versions_histogram')),
    access: { read: asFlag(access.read), write: asFlag(access.write) },
    ...(details !== undefined && { details: readBucketDetails(details) }),
  }
}

/** Parses a histogram of sizes without counting anything twice. */
export function readSizeHistogram(value: unknown): Record<string, number> {
  const { [REPEATED_RANGE]: repeated, ...ranges } = asCounts(value)
  return repeated === undefined || FINER_RANGE in ranges ? ranges : { ...ranges, [REPEATED_RANGE]: repeated }
}

function readBucketDetails(value: unknown): AccountBucketDetails {
  const quota = readQuota(pickMember(value, 'quota'))
  return {
    versioning: asFlag(pickMember(value, 'versioning')),
    versioningSuspended: asFlag(pickMember(value, 'versioningSuspended', 'versioning_suspended')),
    locking: asFlag(pickMember(value, 'locking')),
    replication: asFlag(pickMember(value, 'replication')),
    ...(quota.size > 0 && { quota: { quota: quota.size, type: quota.type } }),
  }
}
