import helmet from '@fastify/helmet'
import { reason } from '@stowage/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../lib/config/config.ts'
import { HttpError } from '../lib/http/errors.ts'
import { s3ErrorXml } from '../lib/storage/xml-answers.ts'

/** What every page and answer of the console is under; content of users gets a stricter one of its own. */
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

/** Headers of every answer, and the two kinds of request that are refused before anything looks at them. */
export async function addSecurity(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: PAGE_POLICY },
    frameguard: { action: 'sameorigin' },
    referrerPolicy: { policy: 'same-origin' },
    // Whether a whole domain is to be HTTPS is for who owns it: a proxy says so, not one program behind it.
    hsts: false,
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  })

  app.addHook('onRequest', async (request, reply) => {
    if (!isS3Request(request)) return
    const message = 'This is the console. Send S3 requests to the API port of the storage server instead.'
    reply.code(403).type('application/xml')
    return reply.send(s3ErrorXml('AccessDenied', `${message} (${app.storeUrl.host})`, request.id))
  })

  app.addHook('onRequest', async (request, reply) => {
    // What holds for one moment and one caller; content, pages and their parts have their own rules.
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
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return
    if (isForeign(request, config.publicUrl)) throw new HttpError(403, reason('other-site'))
  })
}

/** Whether a request is signed for S3: sent to the wrong port. */
function isS3Request({ headers, url }: FastifyRequest): boolean {
  return (
    headers['x-amz-content-sha256'] !== undefined ||
    headers['x-amz-date'] !== undefined ||
    /^AWS4-HMAC-SHA256/.test(headers.authorization ?? '') ||
    /[?&](AWSAccessKeyId|X-Amz-Signature)=/.test(url)
  )
}

/** Whether a browser sends a write on behalf of another site's page. What is no browser sends neither header. */
function isForeign(request: FastifyRequest, publicUrl: URL | undefined): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const origin = request.headers.origin
  if (origin === undefined) return false
  return origin !== `${request.protocol}://${request.host}` && origin !== publicUrl?.origin
}
