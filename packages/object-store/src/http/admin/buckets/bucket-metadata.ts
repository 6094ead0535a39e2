import { writeZip, type ZipArchiveEntry } from '@stowage/madmin/zip'
import {
  type BucketSettingChanges,
  type BucketSettingName,
  bucketSettingCodecs,
} from '../../../bucket-settings/bucket-settings.ts'
import { S3Error } from '../../../lib/errors.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { StoreCall } from '../../call/call.ts'
import { checkBucketName } from '../../s3/buckets/bucket-name.ts'
import { requireKnownKey } from '../../s3/headers/encryption-headers.ts'
import { readBucketLifecycle } from '../../s3/settings/bucket-lifecycle.ts'
import { requireNotificationTargets } from '../../s3/settings/bucket-notification.ts'
import { readBucketPolicy } from '../../s3/settings/bucket-policy.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter } from '../endpoint/payload.ts'
import { readArchive } from '../endpoint/read-archive.ts'

/* Bucket settings as an archive: one folder per bucket, one document per setting; no objects, no secrets. */

const MAX_BODY_BYTES = 16 * 2 ** 20
const LIMITS = { entries: 50_000, entryBytes: 256 * 1024, totalBytes: 64 * 2 ** 20 }

interface SettingFile {
  setting: BucketSettingName
  file: string
  /** Its name in the report of an import. */
  member: string
}

/** In the order of import: settings that others depend on come first. */
const FILES: readonly SettingFile[] = [
  { setting: 'object-lock', file: 'object-lock.xml', member: 'olock' },
  { setting: 'versioning', file: 'versioning.xml', member: 'versioning' },
  { setting: 'quota', file: 'quota.json', member: 'quota' },
  { setting: 'tagging', file: 'tagging.xml', member: 'tagging' },
  { setting: 'encryption', file: 'bucket-encryption.xml', member: 'sse' },
  { setting: 'notification', file: 'notification.xml', member: 'notification' },
  { setting: 'cors', file: 'cors.xml', member: 'cors' },
  { setting: 'lifecycle', file: 'lifecycle.xml', member: 'lifecycle' },
  // Last, because it may deny the importer access to the bucket.
  { setting: 'policy', file: 'policy.json', member: 'policy' },
]

export const adminBucketMetadataEndpoints: AdminEndpoint[] = [
  {
    name: 'ExportBucketMetadata',
    method: 'GET',
    path: 'export-bucket-metadata',
    handle(call) {
      const only = queryParameter(call, 'bucket')
      const names = only === '' ? call.engine.listBuckets().map(({ name }) => name) : [call.engine.getBucket(only).name]
      const archive = writeZip(names.flatMap((name) => exportBucket(call, name)))
      call.text(archive, 200, { 'Content-Type': 'application/zip' })
    },
  },
  {
    name: 'ImportBucketMetadata',
    method: 'PUT',
    path: 'import-bucket-metadata',
    async handle(call) {
      const only = queryParameter(call, 'bucket')
      const buckets = new Map<string, ZipArchiveEntry[]>()
      for (const entry of readArchive(await readRequestBody(call, MAX_BODY_BYTES), LIMITS)) {
        const [bucket = '', file, ...more] = entry.name.split('/')
        if (file === undefined || more.length > 0 || bucket === '') {
          throw new S3Error('InvalidRequest', 'The archive must have one folder for each bucket.')
        }
        if (only !== '' && bucket !== only) continue
        buckets.set(bucket, [...(buckets.get(bucket) ?? []), { ...entry, name: file }])
      }
      const report: [string, object][] = []
      for (const [bucket, files] of buckets) report.push([bucket, await importBucket(call, bucket, files)])
      call.json({ buckets: Object.fromEntries(report) })
    },
  },
]

function exportBucket(call: StoreCall, bucket: string): ZipArchiveEntry[] {
  const { objectLock } = call.engine.getBucket(bucket)
  return FILES.flatMap(({ setting, file }) => {
    const document =
      settingDocument(call, bucket, setting) ?? (setting === 'object-lock' && objectLock ? NO_DEFAULT : undefined)
    return document === undefined ? [] : [{ name: `${bucket}/${file}`, content: Buffer.from(document) }]
  })
}

/** The exported document of a bucket with object lock but without default retention. */
const NO_DEFAULT = bucketSettingCodecs['object-lock'].write({})

function settingDocument<Name extends BucketSettingName>(
  call: StoreCall,
  bucket: string,
  name: Name,
): string | undefined {
  const setting = call.engine.getBucketSetting(bucket, name)
  return setting && bucketSettingCodecs[name].write(setting.value)
}

/** Creates the bucket if it does not exist, and imports its settings; each one succeeds or fails separately. */
async function importBucket(call: StoreCall, bucket: string, files: readonly ZipArchiveEntry[]): Promise<object> {
  const report: Record<string, unknown> = Object.fromEntries(FILES.map(({ member }) => [member, { isSet: false }]))
  try {
    await ensureBucket(call, bucket, files)
  } catch (error) {
    return { ...report, error: clientErrorMessage(error) }
  }
  for (const { setting, file, member } of FILES) {
    const found = files.find(({ name }) => name === file)
    if (!found) continue
    try {
      await call.engine.setBucketSettings(bucket, readSetting(call, bucket, setting, found.content.toString('utf8')))
      report[member] = { isSet: true }
    } catch (error) {
      report[member] = { isSet: false, error: clientErrorMessage(error) }
    }
  }
  return report
}

async function ensureBucket(call: StoreCall, bucket: string, files: readonly ZipArchiveEntry[]): Promise<void> {
  checkBucketName(bucket)
  if (call.engine.listBuckets().some(({ name }) => name === bucket)) return
  await call.engine.createBucket(bucket, { objectLock: files.some(({ name }) => name === 'object-lock.xml') })
}

/** Reads a setting from its document, with the same checks as the call that sets it. @throws S3Error */
function readSetting(
  call: StoreCall,
  bucket: string,
  setting: BucketSettingName,
  document: string,
): BucketSettingChanges {
  switch (setting) {
    case 'policy':
      return { policy: readBucketPolicy(call, bucket, document) }
    case 'notification': {
      const notification = bucketSettingCodecs.notification.read(document)
      requireNotificationTargets(call, notification)
      return { notification }
    }
    case 'encryption': {
      const encryption = bucketSettingCodecs.encryption.read(document)
      requireKnownKey(call, encryption)
      return { encryption }
    }
    case 'lifecycle':
      return { lifecycle: readBucketLifecycle(call, bucket, document) }
    default:
      return { [setting]: bucketSettingCodecs[setting].read(document) }
  }
}

/** Only errors that are meant for callers are passed on. */
function clientErrorMessage(error: unknown): string {
  if (error instanceof S3Error && error.status < 500) return error.message
  throw error
}
