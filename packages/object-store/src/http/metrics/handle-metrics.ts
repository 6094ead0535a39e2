import { decodeJwt, errors, jwtVerify } from 'jose'
import { S3Error } from '../../lib/errors.ts'
import { isActionAllowed } from '../auth/authorize.ts'
import type { StoreCall } from '../call/call.ts'
import { MetricsExposition } from './exposition.ts'
import { METRICS_DOCUMENTS } from './metrics-documents.ts'

export const METRICS_PREFIX = '/minio/v2/metrics/'
const ISSUER = 'prometheus'
const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Answers with Prometheus metrics. Needs a token whose user has the right, unless metrics are public. */
export async function handleMetrics(call: StoreCall): Promise<void> {
  const { method } = call.request
  if (method !== 'GET' && method !== 'HEAD') throw new S3Error('MethodNotAllowed', 'The method is not allowed.')
  if (!call.store.publicMetrics) await authenticateToken(call)
  const name = call.target.path.slice(METRICS_PREFIX.length)
  const document = METRICS_DOCUMENTS.get(name)
  if (!document) throw new S3Error('NotImplemented', `The call ${call.target.path} is not supported.`)
  call.record.operation = `metrics:${name}`
  const out = new MetricsExposition(serverName(call))
  await document(call.store, out)
  call.text(out.toString(), 200, { 'Content-Type': TYPE })
}

/**
 * Authenticates a request for metrics by a token signed with the caller's secret key. All failures get the same answer.
 * @throws S3Error AccessDenied
 */
async function authenticateToken(call: StoreCall): Promise<void> {
  try {
    const token = /^Bearer +([\w.-]+)$/i.exec(call.header('authorization') ?? '')?.[1] ?? ''
    const unverified = decodeJwt(token)
    const accessKey = unverified.accessKey ?? unverified.sub
    if (typeof accessKey !== 'string') throw denied()
    const identity = call.store.identityFinder.find(accessKey, call.header('x-amz-security-token'))
    await jwtVerify(token, Buffer.from(identity.secretKey), { algorithms: ['HS512'], issuer: ISSUER })
    call.authentication = { kind: 'header', identity, payload: { kind: 'unsigned' } }
  } catch (error) {
    if (error instanceof S3Error || error instanceof errors.JOSEError) throw denied()
    throw error
  }
  if (!isActionAllowed(call, 'admin:Prometheus', {})) throw denied()
}

const denied = () => new S3Error('AccessDenied', 'Access Denied.')

/** Returns the server's name in the request, if it is valid. */
function serverName(call: StoreCall): string {
  const { localAddress = '', localPort = 0 } = call.request.socket
  const host = call.header('host') ?? ''
  return /^[\w.:[\]-]{1,255}$/.test(host) ? host : `${localAddress}:${localPort}`
}
