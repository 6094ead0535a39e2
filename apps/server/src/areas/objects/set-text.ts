import { reason } from '@stowage/contract'
import { detailCalls, MAX_TEXT } from '@stowage/contract/objects/details'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/http/errors.ts'
import { serve } from '../../lib/http/serve.ts'
import { keptSettings, storedDescription } from './copy.ts'
import { onWire, tagsOf } from './details.ts'
import { headerOf } from './metadata.ts'

/** Maximum size of the body in bytes: in JSON, a control character takes six. */
const BODY_BYTES = 6 * MAX_TEXT + 64 * 1024

/** Replaces the content of an object with edited text. */
export function textRoutes(app: FastifyInstance): void {
  serve(
    app,
    detailCalls.setObjectText,
    async ({ params: { bucket }, query, body }, { s3, s3Stream }) => {
      const version = { bucket, key: query.prefix }
      const head = await s3Stream.headers({ method: 'HEAD', ...onWire(version) })
      // The server checks this too if it supports conditional writes.
      const etag = headerOf(head, 'etag').replaceAll('"', '')
      if (etag !== body.etag) throw new HttpError(412, reason('object-changed'), { field: 'etag' })
      const encoding = headerOf(head, 'content-encoding')
      if (encoding !== '' && encoding !== 'identity') throw new HttpError(400, reason('text-encoded', { encoding }))
      const { ExpiresText, ...described } = storedDescription(head)
      const tags = await tagsOf(s3Stream, version)
      const redirect = headerOf(head, 'x-amz-website-redirect-location')
      const { ETag = '', VersionId } = await s3.putObject({
        Bucket: bucket,
        Key: query.prefix,
        Body: Buffer.from(body.text),
        IfMatch: `"${etag}"`,
        ...keptSettings(head),
        ...described,
        ...(ExpiresText ? { Expires: new Date(ExpiresText) } : {}),
        ...(redirect ? { WebsiteRedirectLocation: redirect } : {}),
        ...(Object.keys(tags).length > 0 ? { Tagging: new URLSearchParams(tags).toString() } : {}),
      })
      return { etag: ETag.replaceAll('"', ''), ...(VersionId ? { version_id: VersionId } : {}) }
    },
    BODY_BYTES,
  )
}
