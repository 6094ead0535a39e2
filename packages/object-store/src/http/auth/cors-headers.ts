import { type CorsSetting, findCorsRule } from '../../bucket-settings/cors-codec.ts'
import { splitList } from '../../config/value-types.ts'
import { S3Error } from '../../lib/errors.ts'
import type { StoreCall } from '../call/call.ts'

/*
 * Any web page may call the store, as on MinIO and its forks: browsers do not sign requests, so a page has only the credentials
 * of its author. But it calls from the address of its visitor, so pages of other origins get no rights based on an address; see
 * `authorize.ts`.
 */

/** Sets the CORS headers that let the calling page read the answer. */
export function setCorsHeaders(call: StoreCall): void {
  const { request, response, store } = call
  const { origin } = request.headers
  if (origin === undefined) return
  const rules = bucketCorsRules(call)
  if (rules) {
    setCorsHeadersByRule(call, rules, origin)
    return
  }
  const allowed = store.applied.origins.answerFor(origin)
  if (allowed !== '*') response.setHeader('Vary', 'Origin')
  if (allowed === undefined) return
  response.setHeader('Access-Control-Allow-Origin', allowed)
  response.setHeader('Access-Control-Expose-Headers', '*')
}

/** Returns the rules of the bucket, which take precedence over those of the store. */
function bucketCorsRules({ store, target }: StoreCall): CorsSetting | undefined {
  if (target.bucket === '') return undefined
  try {
    return store.engine.getBucketSetting(target.bucket, 'cors')?.value
  } catch (error) {
    if (error instanceof S3Error && error.code === 'NoSuchBucket') return undefined
    throw error
  }
}

function setCorsHeadersByRule({ request, response }: StoreCall, rules: CorsSetting, origin: string): void {
  response.setHeader('Vary', 'Origin')
  // A preflight request has the method of the actual request in a header.
  const method = request.headers['access-control-request-method'] ?? request.method ?? ''
  const headers = splitList(request.headers['access-control-request-headers'] ?? '')
  const rule = findCorsRule(rules, { origin, method, headers })
  if (!rule) return
  response.setHeader('Access-Control-Allow-Origin', rule.origins.includes('*') ? '*' : origin)
  if (rule.exposed.length > 0) response.setHeader('Access-Control-Expose-Headers', rule.exposed.join(', '))
}

function answerPreflightByRule(call: StoreCall, rules: CorsSetting): void {
  const origin = call.header('origin') ?? ''
  const method = call.header('access-control-request-method') ?? ''
  const headers = call.header('access-control-request-headers') ?? ''
  const rule = findCorsRule(rules, { origin, method, headers: splitList(headers) })
  if (!rule) throw new S3Error('AccessForbidden', 'CORSResponse: This CORS request is not allowed.')
  call.empty(204, {
    'Access-Control-Allow-Methods': rule.methods.join(', '),
    ...(headers !== '' && { 'Access-Control-Allow-Headers': headers }),
    ...(rule.maxAgeSeconds !== undefined && { 'Access-Control-Max-Age': rule.maxAgeSeconds }),
  })
}

/** A CORS preflight request. */
export function isPreflight({ request }: StoreCall): boolean {
  const { origin, 'access-control-request-method': method } = request.headers
  return request.method === 'OPTIONS' && origin !== undefined && method !== undefined
}

/** @throws S3Error AccessForbidden: the bucket has rules, and none of them allows this */
export function answerPreflight(call: StoreCall): void {
  call.record.operation = 'Preflight'
  const rules = bucketCorsRules(call)
  if (rules) {
    answerPreflightByRule(call, rules)
    return
  }
  call.empty(204, {
    'Access-Control-Allow-Methods': 'GET, HEAD, PUT, POST, DELETE',
    // Listed one by one, because `*` does not cover Authorization.
    'Access-Control-Allow-Headers': call.header('access-control-request-headers') ?? '',
    'Access-Control-Max-Age': '3600',
  })
}
