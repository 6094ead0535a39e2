import { asList, asNumber, asText, pickMember } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

export type TierType = 's3' | 'azure' | 'gcs' | 'minio'

/** The location of a tier. */
export interface TierInfo {
  /** `unsupported` for an unknown type. */
  readonly type: TierType | 'unsupported'
  readonly name: string
  readonly endpoint: string
  readonly bucket: string
  readonly prefix: string
  readonly region: string
  readonly storageClass: string
  /** For s3 and minio; for azure the account name. Secrets are never returned. */
  readonly accessKey: string
}

export interface TierUsage {
  readonly name: string
  readonly type: string
  /** Bytes. */
  readonly totalSize: number
  readonly numObjects: number
  readonly numVersions: number
}

export type NewTier = Pick<TierInfo, 'name' | 'endpoint' | 'bucket' | 'prefix' | 'region' | 'storageClass'> &
  (
    | { readonly type: 's3' | 'minio'; readonly accessKey: string; readonly secretKey: string }
    | { readonly type: 'azure'; readonly accountName: string; readonly accountKey: string }
    /** `creds`: the content of the key file in Base64. */
    | { readonly type: 'gcs'; readonly creds: string }
  )

const MEMBER = { s3: 'S3', azure: 'Azure', gcs: 'GCS', minio: 'MinIO' } as const

/** Lists all tiers. Needs `admin:ListTier`. */
export async function listTiers(t: Transport, options?: AdminCallOptions): Promise<TierInfo[]> {
  return asList(await t.call({ method: 'GET', path: 'tier', ...options })).map(readTier)
}

/** Parses a tier as listed by a server. */
export function readTier(value: unknown): TierInfo {
  const type = asText(pickMember(value, 'Type')).toLowerCase()
  const known = Object.hasOwn(MEMBER, type) ? (type as TierType) : undefined
  const place = known ? pickMember(value, MEMBER[known]) : undefined
  return {
    type: known ?? 'unsupported',
    // Servers of 2021 put the name of a tier inside its location.
    name: asText(pickMember(value, 'Name')) || asText(pickMember(place, 'Name')),
    endpoint: asText(pickMember(place, 'Endpoint')),
    bucket: asText(pickMember(place, 'Bucket')),
    prefix: asText(pickMember(place, 'Prefix')),
    region: asText(pickMember(place, 'Region')),
    storageClass: asText(pickMember(place, 'StorageClass')),
    accessKey: asText(pickMember(place, 'AccessKey', 'AccountName')),
  }
}

/**
 * Adds a tier; the server first writes and reads a test object. Needs `admin:SetTier`. A tier on the server itself makes MinIO
 * hang: use a time limit.
 * @throws MadminError XMinioAdminTierAlreadyExists, XMinioAdminTierBucketNotFound, XMinioAdminTierInvalidCredentials …
 */
export async function addTier(t: Transport, tier: NewTier, options?: AdminCallOptions): Promise<void> {
  await t.call({ method: 'PUT', path: 'tier', sealed: wireTier(tier), idempotent: false, ...options })
}

/** Returns a tier in the form that servers accept. */
export function wireTier(tier: NewTier): object {
  const { type, name, endpoint, bucket, prefix, region, storageClass } = tier
  const place = { Endpoint: endpoint, Bucket: bucket, Prefix: prefix, Region: region }
  const head = { Version: 'v1', Type: type, Name: name }
  switch (type) {
    case 's3':
      return { ...head, S3: { ...place, ...wireKeys(tier), StorageClass: storageClass } }
    case 'minio':
      return { ...head, MinIO: { ...place, ...wireKeys(tier) } }
    case 'azure':
      return {
        ...head,
        Azure: { ...place, AccountName: tier.accountName, AccountKey: tier.accountKey, StorageClass: storageClass },
      }
    case 'gcs':
      return { ...head, GCS: { ...place, Creds: tier.creds, StorageClass: storageClass } }
  }
}

function wireKeys({ accessKey, secretKey }: { accessKey: string; secretKey: string }) {
  return { AccessKey: accessKey, SecretKey: secretKey }
}

/**
 * Replaces the credentials of a tier, according to its type; `secretKey` is the account key of azure.
 * @throws MadminError XMinioAdminTierNotFound, XMinioAdminTierInvalidCredentials
 */
export async function editTier(
  t: Transport,
  name: string,
  credentials: { accessKey?: string | undefined; secretKey?: string | undefined; creds?: string | undefined },
  options?: AdminCallOptions,
): Promise<void> {
  const { accessKey = '', secretKey = '', creds } = credentials
  const sealed = { access: accessKey, secret: secretKey, ...(creds === undefined ? {} : { creds }) }
  await t.call({ method: 'POST', path: `tier/${encodeURIComponent(name)}`, sealed, ...options })
}

/** Removes an empty tier. @throws MadminError XMinioAdminTierBackendNotEmpty */
export async function removeTier(t: Transport, name: string, options?: AdminCallOptions): Promise<void> {
  await t.call({ method: 'DELETE', path: `tier/${encodeURIComponent(name)}`, ...options })
}

/**
 * Lets the server check the connection to a tier: it writes, reads and deletes a test object. Needs `admin:ListTier`.
 * @param options.readOnly lets Stowage's store only read from the tier, if its credentials may list objects; MinIO ignores it
 * @throws MadminError with the problem; XMinioAdminVersionMismatch before 2022
 */
export async function verifyTier(
  t: Transport,
  name: string,
  { readOnly = false, ...options }: AdminCallOptions & { readOnly?: boolean } = {},
): Promise<void> {
  const query = readOnly ? { query: { 'read-only': 'true' } } : {}
  await t.call({ method: 'GET', path: `tier/${encodeURIComponent(name)}`, ...query, ...options })
}

/** Returns what each tier contains, including internal ones. */
export async function tierUsage(t: Transport, options?: AdminCallOptions): Promise<TierUsage[]> {
  return asList(await t.call({ method: 'GET', path: 'tier-stats', ...options })).map((entry) => ({
    name: asText(pickMember(entry, 'Name')),
    type: asText(pickMember(entry, 'Type')),
    totalSize: asNumber(pickMember(pickMember(entry, 'Stats'), 'totalSize')) ?? 0,
    numObjects: asNumber(pickMember(pickMember(entry, 'Stats'), 'numObjects')) ?? 0,
    numVersions: asNumber(pickMember(pickMember(entry, 'Stats'), 'numVersions')) ?? 0,
  }))
}
