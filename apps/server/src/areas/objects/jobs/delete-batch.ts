import { createHash } from 'node:crypto'
import { toStorageError } from '../../../lib/errors/storage-errors.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import { childrenOf, escapeXml, isXmlText, parseStorageXml, xmlText } from '../../../lib/xml/storage-xml.ts'
import { readHeader } from '../details/object-headers.ts'

/** An object or version to delete. */
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

/** Maximum number of keys in one DeleteObjects request. */
export const MAX_DELETE_BATCH = 1000

/**
 * Deletes up to 1,000 objects or versions. An object that does not exist counts as deleted.
 * @param bypass also deletes versions under governance retention
 * @param onBegun receives the start time of the request, by the clock of the storage server
 * @returns the targets that could not be deleted
 * @throws UpstreamError if the server refuses the whole request
 */
export async function deleteBatch(
  s3Stream: S3Stream,
  bucket: string,
  targets: readonly DeleteTarget[],
  bypass = false,
  onBegun: (at: Date) => void = () => undefined,
): Promise<DeleteFailure[]> {
  // XML 1.0 cannot represent most control characters: objects with such keys are deleted one by one.
  const odd = targets.filter(({ key }) => !isXmlText(key))
  const plain = odd.length === 0 ? targets : targets.filter(({ key }) => isXmlText(key))
  const failures = plain.length === 0 ? [] : await deleteTogether(s3Stream, bucket, plain, bypass, onBegun)
  for (const target of odd) {
    const failure = await deleteAlone(s3Stream, bucket, target, bypass)
    if (failure) failures.push(failure)
  }
  return failures
}

async function deleteTogether(
  s3Stream: S3Stream,
  bucket: string,
  targets: readonly DeleteTarget[],
  bypass: boolean,
  onBegun: (at: Date) => void,
): Promise<DeleteFailure[]> {
  const objects = targets.map(({ key, versionId }) => {
    const version = versionId ? `<VersionId>${escapeXml(versionId)}</VersionId>` : ''
    return `<Object><Key>${escapeXml(key)}</Key>${version}</Object>`
  })
  const body = Buffer.from(`<Delete><Quiet>true</Quiet>${objects.join('')}</Delete>`)
  const sentAt = performance.now()
  const { headers, text: answer } = await s3Stream.whole({
    method: 'POST',
    bucket,
    query: { delete: '' },
    headers: {
      'content-md5': createHash('md5').update(body).digest('base64'),
      'content-type': 'application/xml',
      ...bypassHeader(bypass),
    },
    body,
  })
  // The header has whole seconds, and may have been written at any time during the request.
  const answeredAt = Date.parse(readHeader(headers, 'date'))
  const begunAt = new Date(answeredAt - Math.ceil(performance.now() - sentAt) - 1000)
  if (!Number.isNaN(begunAt.getTime())) onBegun(begunAt)
  const errors = answer.trim() === '' ? [] : childrenOf(parseStorageXml(answer).node, 'Error')
  return errors.flatMap((node) => {
    const versionID = xmlText(node, 'VersionId')
    const failure = { path: xmlText(node, 'Key'), code: xmlText(node, 'Code'), message: xmlText(node, 'Message') }
    return isGone(failure.code) ? [] : [versionID ? { ...failure, versionID } : failure]
  })
}

async function deleteAlone(
  s3Stream: S3Stream,
  bucket: string,
  { key, versionId }: DeleteTarget,
  bypass: boolean,
): Promise<DeleteFailure | undefined> {
  try {
    await s3Stream.headers({
      method: 'DELETE',
      bucket,
      key,
      query: { versionId: versionId || undefined },
      headers: bypassHeader(bypass),
    })
    return undefined
  } catch (error) {
    const failure = toStorageError(error)
    if (!failure) throw error
    if (isGone(failure.code)) return undefined
    return { path: key, ...(versionId ? { versionID: versionId } : {}), code: failure.code, message: failure.message }
  }
}

const isGone = (code: string) => code === 'NoSuchKey' || code === 'NoSuchVersion'

const bypassHeader = (bypass: boolean) => ({ 'x-amz-bypass-governance-retention': bypass ? 'true' : undefined })
