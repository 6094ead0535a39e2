import { reason } from '@stowage/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'

type Fields = Record<string, unknown>

/** Decodes `prefix` and `path` of every call in this scope that sends `encoding=base64`, before they are parsed. */
export function acceptBase64Keys(app: FastifyInstance): void {
  app.addHook('preHandler', async (request: FastifyRequest) => {
    const query = request.query as Fields
    if (query.encoding !== 'base64') return
    decodeField(query, 'prefix')
    decodeField(query, 'path')
    if (Array.isArray(request.body)) for (const entry of request.body) if (isFields(entry)) decodeField(entry, 'path')
  })
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

function decodeField(fields: Fields, name: string): void {
  const text = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (typeof text === 'string') fields[name] = decodeBase64Key(text, name)
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Decodes padded Base64. A space counts as `+`, because form decoding replaces `+` with a space.
 * @throws HttpError 400 if encoding the result would not give the same text
 */
function decodeBase64Key(text: string, field: string): string {
  const base64 = text.replaceAll(' ', '+')
  const bytes = Buffer.from(base64, 'base64')
  try {
    if (bytes.toString('base64') === base64) return UTF_8.decode(bytes)
  } catch {
    // Bytes that are not UTF-8 are not a valid key.
  }
  throw new HttpError(400, reason('wrong-format'), { message: `${field} in query is not Base64`, field })
}
