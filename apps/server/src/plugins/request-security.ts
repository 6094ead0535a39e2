import helmet from '@fastify/helmet'
import { reason } from '@stowage/contract'
import { findRepeatedHeader } from '@stowage/sigv4'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ConsoleConfig } from '../lib/config/config.ts'
import { HttpError } from '../lib/errors/http-errors.ts'
import { s3ErrorXml } from '../lib/xml/s3-error-xml.ts'

/** The Content-Security-Policy of the console's pages and answers; users' content has a stricter one. */
const PAGE_POLICY = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  // Mantine and CodeMirror write style elements.
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  mediaSrc: ["'self'", 'blob:'],
  fontSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  frameSrc: ["'self'", 'blob:'],
  workerSrc: ["'self'", 'blob:'],
  objectSrc: ["'none'"],
  baseUri: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'self'"],
}

/** Sets security headers on every answer, and refuses S3 requests and requests of other sites. */
export async function addRequestSecurity(app: FastifyInstance, config: ConsoleConfig): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: PAGE_POLICY },
    frameguard: { action: 'sameorigin' },
    referrerPolicy: { policy: 'same-origin' },
    // The owner of the domain decides whether all of it is HTTPS only; a proxy can add this header.
    hsts: false,
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  })

  app.addHook('onRequest', async ({ raw }) => {
    const header = findRepeatedHeader(raw.rawHeaders)
    if (header !== undefined) throw new HttpError(400, reason('repeated-header', { header }))
  })

  app.addHook('onRequest', async (request, reply) => {
    if (!isS3Request(request)) return
    const message = 'This is the console. Send S3 requests to the API port of the storage server instead.'
    const where = app.mode === 'storage' ? ` (${app.storeUrl.host})` : ''
    reply.code(403).type('application/xml')
    return reply.send(s3ErrorXml('AccessDenied', message + where, request.id))
  })

  app.addHook('onRequest', async (request, reply) => {
    // The default for calls; content, pages and static files set their own.
    reply.header('cache-control', 'no-store')
    const coding = request.headers['content-encoding']
    if (coding !== undefined && coding !== 'identity')
      throw new HttpError(415, reason('body-encoded'), {
        detail: `Content-Encoding: ${coding}`,
      })
  })

  let hasWarned = false
  app.addHook('onRequest', async ({ headers, ip, log }) => {
    if (hasWarned || config.proxies > 0 || headers['x-forwarded-for'] === undefined) return
    hasWarned = true
    log.warn(
      { ip },
      'X-Forwarded-For is not trusted, so all callers behind this address count as one. ' +
        'If it is your proxy, set STOWAGE_TRUST_PROXY.',
    )
  })

  app.addHook('onRequest', async (request) => {
    const reads = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
    // Browsers allow WebSockets from pages of any site, and show those pages the messages.
    if (reads && !request.ws) return
    if (isFromOtherSite(request, config.publicUrl)) throw new HttpError(403, reason('other-site'))
  })
}

/** Whether this is an S3 request, sent to the wrong port. */
function isS3Request({ headers, url }: FastifyRequest): boolean {
  return (
    headers['x-amz-content-sha256'] !== undefined ||
    headers['x-amz-date'] !== undefined ||
    /^AWS4-HMAC-SHA256/.test(headers.authorization ?? '') ||
    /[?&](AWSAccessKeyId|X-Amz-Signature)=/.test(url)
  )
}

/** Whether a browser sends this request for a page of another site. Other clients send neither header. */
function isFromOtherSite(request: FastifyRequest, publicUrl: URL | undefined): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const origin = request.headers.origin
  if (origin === undefined) return false
  return origin !== `${request.protocol}://${request.host}` && origin !== publicUrl?.origin
}
