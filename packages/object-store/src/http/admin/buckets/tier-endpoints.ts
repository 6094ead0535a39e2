import { z } from 'zod'
import { S3Error } from '../../../lib/errors.ts'
import type { TierConfig } from '../../../tiers/tier-registry.ts'
import { type AdminEndpoint, adminEndpoint } from '../endpoint/admin-endpoint.ts'
import { readSealed, ZERO_TIME } from '../endpoint/payload.ts'

const text = z.string().max(2048).default('')
const tierLocationSchema = z.object({
  Endpoint: text,
  AccessKey: text,
  SecretKey: text,
  Bucket: text,
  Prefix: text,
  Region: text,
  StorageClass: text,
})
const azure = tierLocationSchema
  .omit({ AccessKey: true, SecretKey: true })
  .extend({ AccountName: text, AccountKey: text })
/** Base64 of a key file. */
const creds = z.string().max(32_768).default('')
const gcs = tierLocationSchema.omit({ AccessKey: true, SecretKey: true }).extend({ Creds: creds })
/** A tier as sent by clients, some of which add empty members for the other types. */
const newTier = z.object({
  Type: text,
  Name: text,
  S3: tierLocationSchema.nullish(),
  MinIO: tierLocationSchema.nullish(),
  Azure: azure.nullish(),
  GCS: gcs.nullish(),
})
const credentials = z.object({ access: text, secret: text, creds })

export const adminTierEndpoints: AdminEndpoint[] = [
  {
    name: 'AddTier',
    method: 'PUT',
    path: 'tier',
    async handle(call) {
      const config = parseTierConfig(await readSealed(call, newTier))
      await call.store.tiers.add(config, { force: call.query.get('force') === 'true' })
      call.empty(204)
    },
  },
  {
    name: 'ListTier',
    method: 'GET',
    path: 'tier',
    handle(call) {
      const { tiers } = call.store
      call.text(JSON.stringify(tiers.list().map(wireTier)), 200, {
        'Content-Type': 'application/json',
        'X-Minio-Tiercfg-Refreshedat': new Date(tiers.refreshedAt).toISOString(),
      })
    },
  },
  adminEndpoint({
    name: 'EditTier',
    method: 'POST',
    path: 'tier/{tier}',
    async handle(call, { tier }) {
      const { access, secret, creds } = await readSealed(call, credentials)
      await call.store.tiers.edit(tier, { accessKey: access, secretKey: secret, creds })
      call.empty(204)
    },
  }),
  adminEndpoint({
    name: 'VerifyTier',
    method: 'GET',
    path: 'tier/{tier}',
    async handle(call, { tier }) {
      await call.store.tiers.verify(tier, { readOnly: call.query.get('read-only') === 'true' })
      call.empty(204)
    },
  }),
  adminEndpoint({
    name: 'RemoveTier',
    method: 'DELETE',
    path: 'tier/{tier}',
    async handle(call, { tier }) {
      await call.store.tiers.delete(tier)
      call.empty(204)
    },
  }),
  {
    name: 'TierStats',
    method: 'GET',
    path: 'tier-stats',
    handle(call) {
      const usage = call.engine.usageByTier()
      const all = call.engine.listBuckets().map(({ name }) => call.engine.bucketUsage(name))
      const sum = (pick: (usage: (typeof all)[number]) => number) => all.reduce((total, one) => total + pick(one), 0)
      const moved = [...usage.values()]
      const local = {
        totalSize: sum(({ size }) => size) - moved.reduce((total, { size }) => total + size, 0),
        numVersions: sum(({ versions }) => versions) - moved.reduce((total, { versions }) => total + versions, 0),
        numObjects: sum(({ objects }) => objects),
      }
      call.json([
        { Name: 'STANDARD', Type: 'internal', Stats: local, DailyStats: NO_DAYS },
        ...call.store.tiers.list().map(({ name, type }) => {
          const { size = 0, versions = 0 } = usage.get(name) ?? {}
          const Stats = { totalSize: size, numVersions: versions, numObjects: versions }
          return { Name: name, Type: type, Stats, DailyStats: NO_DAYS }
        }),
      ])
    },
  },
]

const NO_DAYS = { Bins: [], UpdatedAt: ZERO_TIME }

/** @throws S3Error XMinioAdminTierTypeUnsupported, XMinioAdminTierInvalidConfig */
function parseTierConfig({ Type, Name, S3, MinIO, Azure, GCS }: z.infer<typeof newTier>): TierConfig {
  switch (Type.toLowerCase()) {
    case 's3':
      if (S3) return { type: 's3', name: Name, ...tierLocation(S3), ...tierKeys(S3) }
      break
    case 'minio':
      if (MinIO) return { type: 'minio', name: Name, ...tierLocation(MinIO), ...tierKeys(MinIO), storageClass: '' }
      break
    case 'azure':
      if (Azure) {
        const keys = { accessKey: Azure.AccountName, secretKey: Azure.AccountKey }
        return { type: 'azure', name: Name, ...tierLocation(Azure), ...keys }
      }
      break
    case 'gcs':
      if (GCS) {
        const location = tierLocation(GCS)
        const endpoint = location.endpoint || GOOGLE
        return { type: 'gcs', name: Name, ...location, endpoint, accessKey: '', secretKey: '', creds: GCS.Creds }
      }
      break
    default:
      throw new S3Error('XMinioAdminTierTypeUnsupported', 'Tiers have the type s3, minio, azure or gcs.')
  }
  throw new S3Error('XMinioAdminTierInvalidConfig', 'The configuration does not fit its type.')
}

const GOOGLE = 'https://storage.googleapis.com/'

type WireTierLocation = Omit<z.infer<typeof tierLocationSchema>, 'AccessKey' | 'SecretKey'>

function tierLocation({
  Endpoint: endpoint,
  Bucket: bucket,
  Prefix: prefix,
  Region: region,
  StorageClass,
}: WireTierLocation) {
  return { endpoint, bucket, prefix, region, storageClass: StorageClass }
}

function tierKeys({ AccessKey: accessKey, SecretKey: secretKey }: z.infer<typeof tierLocationSchema>) {
  return { accessKey, secretKey }
}

const HIDDEN = 'REDACTED'

function wireTier({ type, name, endpoint, bucket, prefix, region, accessKey, storageClass }: TierConfig) {
  const wire = { Endpoint: endpoint, Bucket: bucket, Prefix: prefix, Region: region }
  const keys = { AccessKey: accessKey, SecretKey: HIDDEN }
  const member = {
    s3: { S3: { ...wire, ...keys, StorageClass: storageClass } },
    minio: { MinIO: { ...wire, ...keys } },
    azure: { Azure: { ...wire, AccountName: accessKey, AccountKey: HIDDEN, StorageClass: storageClass } },
    gcs: { GCS: { ...wire, Creds: HIDDEN, StorageClass: storageClass } },
  }
  return { Version: 'v1', Type: type, Name: name, ...member[type] }
}
