import { createHash } from 'node:crypto'
import { type ObjectDetails, reason } from '@stowage/contract'
import { objectDetailCalls } from '@stowage/contract/objects/object-details'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { serve } from '../../../lib/http/serve.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import {
  requireSameFields,
  requireSameSetting,
  requireUnchangedSetting,
  settingQueue,
} from '../../../lib/storage/setting-conflicts.ts'
import { escapeXml } from '../../../lib/xml/storage-xml.ts'
import {
  type ObjectVersionReference,
  readObjectDetails,
  readObjectTags,
  versionParameters,
} from '../details/object-details.ts'
import { readHeader, writeHeaderText } from '../details/object-headers.ts'
import { copyVersion, descriptionHeaders } from './copy-version.ts'
import { restoreEarlierVersion } from './restore-version.ts'
import { readVersionLock } from './version-lock.ts'

const S3_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

/** Reads and changes the details of one object. */
export function objectDetailRoutes(app: FastifyInstance): void {
  serve(app, objectDetailCalls.getObject, async ({ params, query }, { s3Stream }) => {
    return await readObjectDetails(s3Stream, requestedVersion(params, query))
  })

  serve(app, objectDetailCalls.setObjectTags, async ({ params, query, body }, { s3Stream }) => {
    const version = requestedVersion(params, query)
    await settingQueue.run(objectKey(version), async () => {
      await requireUnchangedSetting(body.before, async () => await readObjectTags(s3Stream, version))
      await putTags(s3Stream, version, body.tags)
    })
  })

  serve(app, objectDetailCalls.setObjectRetention, async ({ params, query, body }, { s3Stream }) => {
    const until = new Date(body.expires)
    if (until.getTime() <= Date.now()) throw new HttpError(400, reason('retention-in-the-past'), { field: 'expires' })
    const version = requestedVersion(params, query)
    await settingQueue.run(objectKey(version), async () => {
      if (body.before) requireSameRetention(body.before, await readObjectDetails(s3Stream, version))
      await putRetention(s3Stream, version, { mode: body.mode, until, bypass: body.governance_bypass === true })
    })
  })

  serve(app, objectDetailCalls.deleteObjectRetention, async ({ params, query }, { s3Stream }) => {
    await putRetention(s3Stream, requestedVersion(params, query), undefined)
  })

  serve(app, objectDetailCalls.setObjectLegalHold, async ({ params, query, body }, { s3Stream }) => {
    const version = requestedVersion(params, query)
    await settingQueue.run(objectKey(version), async () => {
      await requireUnchangedSetting(body.before, async () => {
        const { legal_hold_status: status } = await readObjectDetails(s3Stream, version)
        return status === 'ON' ? 'enabled' : 'disabled'
      })
      await putLegalHold(s3Stream, version, body.status === 'enabled')
    })
  })

  serve(app, objectDetailCalls.setObjectMetadata, async ({ params, query, body }, clients) => {
    const version = { bucket: params.bucket, key: query.prefix }
    const head = await clients.s3Stream.headers({ method: 'HEAD', ...versionParameters(version) })
    if (body.etag !== undefined && readHeader(head, 'etag').replaceAll('"', '') !== body.etag)
      throw new HttpError(412, reason('object-changed'))
    // A change of metadata alone keeps the ETag.
    if (body.before) requireSameFields(body.before, await readObjectDetails(clients.s3Stream, version))
    const standard: Record<string, string> = { ...body.headers, 'content-type': body.content_type }
    const metadata = Object.entries(body.user_metadata).map(([name, text]) => [name, writeHeaderText(text)])
    const described = descriptionHeaders((name) => standard[name] ?? '', Object.fromEntries(metadata))
    const lock = readVersionLock(head)
    await copyVersion(clients, version, { ...version, overwrite: true, described, lock }, { head })
  })

  serve(app, objectDetailCalls.restoreObject, async ({ params, query }, clients) => {
    await restoreEarlierVersion(clients, requestedVersion(params, query))
  })

  serve(app, objectDetailCalls.restoreFromTier, async ({ params, query, body }, { s3Stream }) => {
    const version = versionParameters(requestedVersion(params, query))
    const answer = await s3Stream.request({
      method: 'POST',
      ...version,
      query: { restore: '', ...version.query },
      headers: { 'content-type': 'application/xml' },
      // MinIO requires the namespace.
      body: Buffer.from(`<RestoreRequest xmlns="${S3_NAMESPACE}"><Days>${body.days}</Days></RestoreRequest>`),
    })
    await answer.body.dump()
  })
}

function requestedVersion(
  params: { bucket: string },
  query: { prefix: string; version_id?: string | undefined },
): ObjectVersionReference {
  return { bucket: params.bucket, key: query.prefix, versionId: query.version_id }
}

const objectKey = ({ bucket, key, versionId = '' }: ObjectVersionReference) => `object/${bucket}/${key}?${versionId}`

/** Compares to the second, in which servers store it. @throws HttpError 409 */
function requireSameRetention(
  before: { mode?: string | undefined; expires?: string | undefined },
  { retention_mode: mode, retention_until_date: until }: ObjectDetails,
): void {
  const seconds = (date: string | undefined) => (date ? Math.floor(Date.parse(date) / 1000) : undefined)
  requireSameSetting(
    { mode: before.mode?.toUpperCase(), until: seconds(before.expires) },
    { mode, until: seconds(until) },
  )
}

/** Replaces all tags. @throws UpstreamError AccessDenied, NoSuchKey, InvalidTag */
export async function putTags(
  s3Stream: S3Stream,
  version: ObjectVersionReference,
  tags: Record<string, string>,
): Promise<void> {
  const set = Object.entries(tags).map(
    ([key, value]) => `<Tag><Key>${escapeXml(key)}</Key><Value>${escapeXml(value)}</Value></Tag>`,
  )
  await putDocument(s3Stream, version, 'tagging', `<Tagging><TagSet>${set.join('')}</TagSet></Tagging>`)
}

export interface ObjectRetention {
  mode: 'governance' | 'compliance'
  until: Date
  /** Allows governance retention to be shortened. */
  bypass: boolean
}

/**
 * Sets the retention of a version; undefined removes governance retention.
 * @throws UpstreamError AccessDenied, InvalidRequest (the bucket has no object lock, or the version is protected)
 */
export async function putRetention(
  s3Stream: S3Stream,
  version: ObjectVersionReference,
  retention: ObjectRetention | undefined,
): Promise<void> {
  const seconds = retention?.until.toISOString().replace(/\.\d+Z$/, 'Z')
  const content = retention
    ? `<Mode>${retention.mode.toUpperCase()}</Mode><RetainUntilDate>${seconds}</RetainUntilDate>`
    : ''
  const bypass = retention?.bypass ?? true
  await putDocument(s3Stream, version, 'retention', `<Retention>${content}</Retention>`, {
    'x-amz-bypass-governance-retention': bypass ? 'true' : undefined,
  })
}

/** @throws UpstreamError as `putRetention` */
export async function putLegalHold(s3Stream: S3Stream, version: ObjectVersionReference, on: boolean): Promise<void> {
  const document = `<LegalHold><Status>${on ? 'ON' : 'OFF'}</Status></LegalHold>`
  await putDocument(s3Stream, version, 'legal-hold', document)
}

async function putDocument(
  s3Stream: S3Stream,
  version: ObjectVersionReference,
  subResource: string,
  xml: string,
  headers: Record<string, string | undefined> = {},
): Promise<void> {
  const { bucket, key, query } = versionParameters(version)
  const body = Buffer.from(xml)
  await s3Stream.headers({
    method: 'PUT',
    bucket,
    key,
    query: { [subResource]: '', ...query },
    headers: {
      ...headers,
      'content-type': 'application/xml',
      // Servers of 2021 require it and do not know newer checksums.
      'content-md5': createHash('md5').update(body).digest('base64'),
    },
    body,
  })
}
