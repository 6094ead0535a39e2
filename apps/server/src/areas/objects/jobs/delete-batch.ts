import { createHash } from 'node:crypto'
import pMap from 'p-map'
import { type ObjectFailure, objectFailure } from '../../../lib/errors/object-failure.ts'
import { storageErrorMeaning } from '../../../lib/errors/upstream-codes.ts'
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
  /** The storage server failed, instead of refusing it. */
  fault: boolean
  /** The error of a request for this object alone. */
  cause?: unknown
}

/** Maximum number of keys in one DeleteObjects request. */
export const MAX_DELETE_BATCH = 1000

/** How a batch is deleted. */
export interface DeleteBatchOptions {
  /** Also deletes versions under governance retention. */
  bypass: boolean
  /** Receives the start time of a request, by the clock of the storage server. */
  onBegun?: (at: Date) => void
}

/** Some targets of a batch, and why each could not be deleted; undefined for one that is deleted. */
export interface DeletedPart<T> {
  targets: readonly T[]
  failures: readonly (DeleteFailure | undefined)[]
}

/**
 * Deletes up to 1,000 objects or versions, and yields the results in their order. An object that does not exist counts as
 * deleted. If the server fails to delete them together, they are deleted one by one, and yielded a few at a time.
 * @throws UpstreamError if the server refuses the whole request
 */
export async function* deleteBatch<T extends DeleteTarget>(
  s3Stream: S3Stream,
  bucket: string,
  targets: readonly T[],
  options: DeleteBatchOptions,
): AsyncGenerator<DeletedPart<T>> {
  // XML 1.0 cannot represent most control characters: objects with such keys are deleted one by one.
  const plain = targets.filter(({ key }) => isXmlText(key))
  const together =
    plain.length === 0 ? new Map<string, DeleteFailure>() : await deleteTogether(s3Stream, bucket, plain, options)
  const size = together ? targets.length : CONCURRENCY
  for (let at = 0; at < targets.length; at += size) {
    const part = targets.slice(at, at + size)
    const remove = async (target: T): Promise<DeleteFailure | undefined> =>
      together && isXmlText(target.key)
        ? together.get(versionName(target))
        : await deleteAlone(s3Stream, bucket, target, options)
    yield { targets: part, failures: await pMap(part, remove, { concurrency: CONCURRENCY }) }
  }
}

/** Requests at the same time, if objects are deleted one by one. */
const CONCURRENCY = 16

const versionName = ({ key, versionId = '' }: DeleteTarget) => `${versionId}/${key}`

/** @returns the failures by `versionName`; undefined if the server failed, so that some may be deleted and others not */
async function deleteTogether(
  s3Stream: S3Stream,
  bucket: string,
  targets: readonly DeleteTarget[],
  options: DeleteBatchOptions,
): Promise<Map<string, DeleteFailure> | undefined> {
  try {
    return await requestDeletion(s3Stream, bucket, targets, options)
  } catch (error) {
    const failure = objectFailure(error)
    if (!failure?.fault) throw error
    const [only] = targets
    // A second request could add a second delete marker.
    if (only && targets.length === 1) return new Map([[versionName(only), rowFailure(only, failure, error)]])
    return undefined
  }
}

async function requestDeletion(
  s3Stream: S3Stream,
  bucket: string,
  targets: readonly DeleteTarget[],
  { bypass, onBegun = () => undefined }: DeleteBatchOptions,
): Promise<Map<string, DeleteFailure>> {
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
  const failures = errors.map((node): [string, DeleteFailure] => {
    const versionID = xmlText(node, 'VersionId')
    const [path, code, message] = [xmlText(node, 'Key'), xmlText(node, 'Code'), xmlText(node, 'Message')]
    const fault = storageErrorMeaning(code, 400).status >= 500
    const failure = { path, ...(versionID ? { versionID } : {}), code, message, fault }
    return [versionName({ key: path, versionId: versionID }), failure]
  })
  return new Map(failures.filter(([, { code }]) => !isGone(code)))
}

async function deleteAlone(
  s3Stream: S3Stream,
  bucket: string,
  { key, versionId }: DeleteTarget,
  { bypass }: DeleteBatchOptions,
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
    const failure = objectFailure(error)
    if (!failure) throw error
    return failure.gone ? undefined : rowFailure({ key, versionId }, failure, error)
  }
}

function rowFailure(
  { key, versionId }: DeleteTarget,
  { code, message, fault }: ObjectFailure,
  cause: unknown,
): DeleteFailure {
  return { path: key, ...(versionId ? { versionID: versionId } : {}), code, message, fault, cause }
}

const isGone = (code: string) => code === 'NoSuchKey' || code === 'NoSuchVersion'

const bypassHeader = (bypass: boolean) => ({ 'x-amz-bypass-governance-retention': bypass ? 'true' : undefined })
