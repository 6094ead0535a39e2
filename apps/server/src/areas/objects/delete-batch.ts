import { createHash } from 'node:crypto'
import type { S3Stream } from '../../lib/storage/s3-stream.ts'
import { storageErrorOf } from '../../lib/storage/storage-errors.ts'
import { childrenOf, escapeXml, fitsXml, readXml, textOf } from '../../lib/storage/xml.ts'

/** One thing to delete. */
export interface DeleteTarget {
  key: string
  versionId?: string | undefined
}

export interface DeleteFailure {
  path: string
  versionID?: string
  code: string
  message: string
}

/** Keys of one DeleteObjects request. */
export const BATCH = 1000

/**
 * Deletes up to 1,000 objects or versions. What is not there counts as deleted.
 * @returns those that could not be deleted
 * @throws UpstreamError when the server refuses the whole request
 */
export async function deleteBatch(
  s3Stream: S3Stream,
  bucket: string,
  targets: readonly DeleteTarget[],
): Promise<DeleteFailure[]> {
  // XML 1.0 has no spelling for most control characters: such keys go one by one.
  const odd = targets.filter(({ key }) => !fitsXml(key))
  const plain = odd.length === 0 ? targets : targets.filter(({ key }) => fitsXml(key))
  const failures = plain.length === 0 ? [] : await deleteTogether(s3Stream, bucket, plain)
  for (const target of odd) {
    const failure = await deleteAlone(s3Stream, bucket, target)
    if (failure) failures.push(failure)
  }
  return failures
}

async function deleteTogether(
  s3Stream: S3Stream,
  bucket: string,
  targets: readonly DeleteTarget[],
): Promise<DeleteFailure[]> {
  const objects = targets.map(({ key, versionId }) => {
    const version = versionId ? `<VersionId>${escapeXml(versionId)}</VersionId>` : ''
    return `<Object><Key>${escapeXml(key)}</Key>${version}</Object>`
  })
  const body = Buffer.from(`<Delete><Quiet>true</Quiet>${objects.join('')}</Delete>`)
  const answer = await s3Stream.text({
    method: 'POST',
    bucket,
    query: { delete: '' },
    headers: { 'content-md5': createHash('md5').update(body).digest('base64'), 'content-type': 'application/xml' },
    body,
  })
  const errors = answer.trim() === '' ? [] : childrenOf(Object.values(readXml(answer))[0], 'Error')
  return errors.flatMap((node) => {
    const versionID = textOf(node, 'VersionId')
    const failure = { path: textOf(node, 'Key'), code: textOf(node, 'Code'), message: textOf(node, 'Message') }
    return isGone(failure.code) ? [] : [versionID ? { ...failure, versionID } : failure]
  })
}

async function deleteAlone(
  s3Stream: S3Stream,
  bucket: string,
  { key, versionId }: DeleteTarget,
): Promise<DeleteFailure | undefined> {
  try {
    await s3Stream.headers({
      method: 'DELETE',
      bucket,
      key,
      query: { versionId: versionId || undefined },
    })
    return undefined
  } catch (error) {
    const told = storageErrorOf(error)
    if (!told) throw error
    if (isGone(told.code)) return undefined
    return { path: key, ...(versionId ? { versionID: versionId } : {}), code: told.code, message: told.message }
  }
}

const isGone = (code: string) => code === 'NoSuchKey' || code === 'NoSuchVersion'
