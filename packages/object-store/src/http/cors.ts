import type { Call } from './call.ts'

/*
 * Any web page may call the store, as with other servers of this family: nothing in a browser signs requests by itself,
 * so a page can do no more than whoever wrote it. What it has of its visitor is the address, so no right that rests on an
 * address is given to a page from elsewhere; see `authorize.ts`.
 */

/** Lets the page that sent this request read the answer, whatever it will be. */
export function openToOrigins({ request, response }: Call): void {
  if (request.headers.origin === undefined) return
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader('Access-Control-Expose-Headers', '*')
}

/** Whether a browser sends this for a page that does not come from the store itself, or comes from its sandbox. */
export function isForeignPage({ request: { headers } }: Call): boolean {
  const { origin, host } = headers
  return origin !== undefined && origin.toLowerCase().replace(/^https?:\/\//, '') !== host?.toLowerCase()
}

/** A browser's question before the request itself. */
export function isPreflight({ request }: Call): boolean {
  const { origin, 'access-control-request-method': method } = request.headers
  return request.method === 'OPTIONS' && origin !== undefined && method !== undefined
}

export function answerPreflight(call: Call): void {
  call.record.operation = 'Preflight'
  call.empty(204, {
    'Access-Control-Allow-Methods': 'GET, HEAD, PUT, POST, DELETE',
    // Named one by one: a star would not cover Authorization.
    'Access-Control-Allow-Headers': call.header('access-control-request-headers') ?? '',
    'Access-Control-Max-Age': '3600',
  })
}
