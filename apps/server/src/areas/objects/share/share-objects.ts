import { createHash, randomBytes } from 'node:crypto'
import { reason } from '@stowage/contract'
import { MAX_SHARE_MS, shareCalls } from '@stowage/contract/objects/share'
import { encodePath, encodeQuery, presign, signPostPolicy } from '@stowage/sigv4'
import type { FastifyInstance } from 'fastify'
import { goDurationHours } from '../../../lib/config/settings.ts'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { toStorageError } from '../../../lib/errors/storage-errors.ts'
import { serve } from '../../../lib/http/serve.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import { type ObjectVersionReference, versionParameters } from '../details/object-details.ts'
import { readHeader } from '../details/object-headers.ts'
import { canNameInPolicy, linkAccount } from './link-policy.ts'
import { isOwnLink, listBucketLinks } from './share-links.ts'

interface Signer {
  accessKey: string
  secretKey: string
  sessionToken?: string
}

/** Creates links to objects, and upload forms. Both work without an account, for everybody who receives them. */
export function shareObjectRoutes(app: FastifyInstance): void {
  const presignedUrl = (signer: Signer, region: string, version: ObjectVersionReference, seconds: number): string => {
    const { origin, host } = app.publicStoreUrl
    const path = encodePath(`/${version.bucket}/${version.key}`)
    const query = encodeQuery(version.versionId ? [['versionId', version.versionId]] : [])
    const request = { method: 'GET', path, query, headers: { host } }
    return `${origin}${path}?${presign(request, { credentials: signer, region, expiresSeconds: seconds })}`
  }

  serve(app, shareCalls.shareObject, async ({ params, query }, { s3Stream, session }) => {
    const asked = { bucket: params.bucket, key: query.prefix, versionId: query.version_id || undefined }
    const seconds = Math.min(shareSeconds(query.expires), secondsUntil(session.expires))
    const version = await readableVersion(s3Stream, asked)
    return presignedUrl(session, s3Stream.region, version, seconds)
  })

  serve(app, shareCalls.listLinks, async ({ params, query }, { madmin }) => {
    const links = await listBucketLinks(madmin, params.bucket)
    return { links: links.filter(({ path }) => query.prefix === undefined || path === query.prefix) }
  })

  serve(app, shareCalls.createLink, async ({ params, body }, { s3Stream, madmin, session }) => {
    const version = { bucket: params.bucket, key: body.path, versionId: body.version_id || undefined }
    const end = linkEnd(body.expires)
    await requireReadable(s3Stream, version)
    if (!canNameInPolicy(version.bucket, version.key)) {
      const seconds = Math.min(secondsUntil(end), secondsUntil(session.expires))
      return { url: presignedUrl(session, s3Stream.region, version, seconds), expires: endAfter(seconds) }
    }
    const account = await madmin.addServiceAccount(linkAccount({ kind: 'download', ...version, end: new Date(end) }))
    const seconds = secondsUntil(end)
    return {
      url: presignedUrl(account, s3Stream.region, version, seconds),
      expires: endAfter(seconds),
      access_key: account.accessKey,
    }
  })

  serve(app, shareCalls.deleteLink, async ({ params }, { madmin }) => {
    // This call only revokes links, never other accounts of the caller.
    if (!(await isOwnLink(madmin, params.accessKey))) throw new HttpError(404, reason('link-unknown'))
    await madmin.deleteServiceAccount(params.accessKey)
  })

  serve(app, shareCalls.createUploadLink, async ({ params, body }, { s3Stream, madmin }) => {
    const { bucket } = params
    const { prefix, max_size: maxSize } = body
    const end = linkEnd(body.expires)
    if (!canNameInPolicy(bucket, prefix)) throw new HttpError(400, reason('link-prefix'), { field: 'prefix' })
    await requireWritable(s3Stream, bucket, prefix)
    const target = { kind: 'upload' as const, bucket, key: prefix, end: new Date(end) }
    const account = await madmin.addServiceAccount(linkAccount(target))
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of S3's forms is written like this
    const key = `${prefix}${'${filename}'}`
    const expiration = new Date(end).toISOString()
    const signed = signPostPolicy(
      (fields) =>
        JSON.stringify({
          expiration,
          conditions: [
            { bucket },
            ['starts-with', '$key', prefix],
            ['starts-with', '$Content-Type', ''],
            ['content-length-range', 0, maxSize],
            ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
          ],
        }),
      { credentials: account, region: s3Stream.region },
    )
    return {
      url: `${app.publicStoreUrl.origin}${encodePath(`/${bucket}`)}`,
      fields: { key, 'Content-Type': 'application/octet-stream', ...signed },
      expires: expiration,
      access_key: account.accessKey,
    }
  })
}

/**
 * Returns the version to share, after the caller's right to read it was checked. In a bucket without versioning "null" means the
 * object, and naming it would need the right to read versions.
 * @throws UpstreamError
 */
async function readableVersion(s3Stream: S3Stream, version: ObjectVersionReference): Promise<ObjectVersionReference> {
  if (version.versionId === 'null') {
    const latest = { ...version, versionId: undefined }
    // If this fails, the request for the null version says why.
    const headers = await s3Stream.headers({ method: 'HEAD', ...versionParameters(latest) }).catch(() => undefined)
    if (headers && !readHeader(headers, 'x-amz-version-id')) return latest
  }
  await requireReadable(s3Stream, version)
  return version
}

/** Fails if the session has no right to read the object that is to be shared. @throws UpstreamError AccessDenied, NoSuchKey */
async function requireReadable(s3Stream: S3Stream, version: ObjectVersionReference): Promise<void> {
  await s3Stream.headers({ method: 'HEAD', ...versionParameters(version) })
}

/**
 * Fails without the right to store objects below a prefix. Sends a byte with a wrong checksum, which every server refuses
 * after it has checked the right.
 * @throws UpstreamError AccessDenied, NoSuchBucket
 */
async function requireWritable(s3Stream: S3Stream, bucket: string, prefix: string): Promise<void> {
  const digest = createHash('md5').update('another').digest('base64')
  const key = `${prefix}${randomBytes(8).toString('hex')}`
  const headers = { 'content-md5': digest, 'content-length': '1' }
  try {
    await s3Stream.headers({ method: 'PUT', bucket, key, headers, body: Buffer.from('x') })
  } catch (error) {
    if (toStorageError(error)?.code !== 'BadDigest') throw error
  }
}

const MAX_SECONDS = MAX_SHARE_MS / 1000

/** Converts a Go duration to seconds; the default is 7 days. @throws HttpError 400 */
function shareSeconds(expires: string | undefined): number {
  if (!expires) return MAX_SECONDS
  const seconds = Math.floor(Number((goDurationHours(expires) * 3600).toFixed(3)))
  if (Number.isNaN(seconds)) throw new HttpError(400, reason('share-duration'), { field: 'expires' })
  if (seconds < 1) throw new HttpError(400, reason('share-in-the-past'), { field: 'expires' })
  if (seconds > MAX_SECONDS) throw new HttpError(400, reason('share-too-long'), { field: 'expires' })
  return seconds
}

/** Returns when a link expires, in ms since 1970. @throws HttpError 400 if that is past, or more than 7 days from now */
function linkEnd(expires: string): number {
  const end = Date.parse(expires)
  if (end < Date.now() + 1000) throw new HttpError(400, reason('share-in-the-past'), { field: 'expires' })
  // One minute more than a signature allows, for the time between dialog and request.
  if (end > Date.now() + MAX_SHARE_MS + 60_000) throw new HttpError(400, reason('share-too-long'), { field: 'expires' })
  return end
}

/** Returns whole seconds from now, at least 1 and at most what a signature allows. */
function secondsUntil(end: number): number {
  return Math.min(Math.max(Math.floor((end - Date.now()) / 1000), 1), MAX_SECONDS)
}

function endAfter(seconds: number): string {
  return new Date(Math.floor(Date.now() / 1000) * 1000 + seconds * 1000).toISOString()
}
