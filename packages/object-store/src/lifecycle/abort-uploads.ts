import { midnightAfter } from '@stowage/madmin/lifecycle'
import type { Logger } from 'pino'
import type { Engine, UploadInfo } from '../engine/interface/types.ts'

/** Aborts the expired uploads of a bucket. @returns the number of aborted ones */
export async function abortDueUploads(
  engine: Pick<Engine, 'abortUpload' | 'clock' | 'getBucketSetting' | 'listUploads'>,
  bucket: string,
  log: Logger,
): Promise<number> {
  let aborted = 0
  for (const upload of listUploadsUnderRules(engine, bucket)) {
    if (!isUploadDue(engine, bucket, upload)) continue
    // The upload may have been completed meanwhile, or the bucket deleted.
    await engine.abortUpload(upload).then(
      () => aborted++,
      (error: unknown) => log.debug({ err: error, bucket }, 'an unfinished upload was not removed'),
    )
  }
  if (aborted > 0) log.info({ bucket, aborted }, 'lifecycle rules removed unfinished uploads')
  return aborted
}

/** Whether an upload is due by the current rules. */
function isUploadDue(
  engine: Pick<Engine, 'clock' | 'getBucketSetting'>,
  bucket: string,
  { key, startedAt }: UploadInfo,
): boolean {
  const rules = engine.getBucketSetting(bucket, 'lifecycle')?.value ?? []
  return rules.some(
    ({ enabled, filter, abortUploadsDays }) =>
      enabled &&
      abortUploadsDays !== undefined &&
      key.startsWith(filter.prefix) &&
      midnightAfter(startedAt, abortUploadsDays) <= engine.clock.now(),
  )
}

function* listUploadsUnderRules(
  engine: Pick<Engine, 'getBucketSetting' | 'listUploads'>,
  bucket: string,
): Generator<UploadInfo> {
  const rules = engine.getBucketSetting(bucket, 'lifecycle')?.value ?? []
  if (!rules.some(({ enabled, abortUploadsDays }) => enabled && abortUploadsDays !== undefined)) return
  let next: { key: string; uploadId?: string } | undefined = { key: '' }
  while (next) {
    const { key, uploadId }: { key: string; uploadId?: string } = next
    const page = engine.listUploads(bucket, {
      prefix: '',
      delimiter: '',
      after: key,
      limit: 1000,
      ...(uploadId === undefined ? {} : { uploadMarker: uploadId }),
    })
    for (const entry of page.entries) if ('upload' in entry) yield entry.upload
    next = page.next
  }
}
