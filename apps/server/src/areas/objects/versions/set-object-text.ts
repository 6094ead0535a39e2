import { createHash } from 'node:crypto'
import { reason } from '@stowage/contract'
import { MAX_TEXT_BYTES, objectDetailCalls } from '@stowage/contract/objects/object-details'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { serve } from '../../../lib/http/serve.ts'
import { readObjectTags, versionParameters } from '../details/object-details.ts'
import { readHeader } from '../details/object-headers.ts'
import { keptSettings, storedDescription, tagHeader } from './copy-version.ts'
import { newLockHeaders, readVersionLock } from './version-lock.ts'

/** Maximum size of the body in bytes: in JSON, a control character takes six. */
const BODY_BYTES = 6 * MAX_TEXT_BYTES + 64 * 1024

/** Replaces the content of an object with edited text. */
export function objectTextRoutes(app: FastifyInstance): void {
  serve(
    app,
    objectDetailCalls.setObjectText,
    async ({ params: { bucket }, query, body }, { s3Stream }) => {
      const version = { bucket, key: query.prefix }
      const head = await s3Stream.headers({ method: 'HEAD', ...versionParameters(version) })
      // The server checks this too if it supports conditional writes.
      const etag = readHeader(head, 'etag').replaceAll('"', '')
      if (etag !== body.etag) throw new HttpError(412, reason('object-changed'), { field: 'etag' })
      const encoding = readHeader(head, 'content-encoding')
      if (encoding !== '' && encoding !== 'identity') throw new HttpError(400, reason('text-encoded', { encoding }))
      const content = Buffer.from(body.text)
      const written = await s3Stream.headers({
        method: 'PUT',
        bucket,
        key: version.key,
        headers: {
          'if-match': `"${etag}"`,
          // Servers require it for an object with a lock.
          'content-md5': createHash('md5').update(content).digest('base64'),
          ...keptSettings(head),
          ...storedDescription(head),
          ...newLockHeaders(readVersionLock(head)),
          'x-amz-tagging': tagHeader(await readObjectTags(s3Stream, version)) || undefined,
        },
        body: content,
      })
      const versionId = readHeader(written, 'x-amz-version-id')
      return { etag: readHeader(written, 'etag').replaceAll('"', ''), ...(versionId ? { version_id: versionId } : {}) }
    },
    BODY_BYTES,
  )
}
