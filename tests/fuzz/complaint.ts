import type { FuzzRequest } from './fuzz-request.ts'
import type { FuzzAnswer } from './sender.ts'

/** The codes with which store and console may answer 5xx, by status: features they do not have, or cannot provide now. */
const DOCUMENTED: Readonly<Record<number, RegExp>> = {
  501: /^(NotImplemented|XMinioAdminVersionMismatch|XMinioLDAPNotEnabled)$/,
  503: /^(SlowDown|SlowDownRead|SlowDownWrite|ServiceUnavailable|XMinioServerNotInitialized|XMinioAdminReplicationRemoteConnectionError)$/,
  507: /^(XMinioStorageFull|XMinioSpeedtestInsufficientCapacity)$/,
}

/** Returns what is wrong with an answer, for any request; undefined if nothing is. */
export function findComplaint(request: FuzzRequest, answer: FuzzAnswer): string | undefined {
  const { status, headers } = answer
  if (status < 100 || status > 599) return `status ${status}`
  if (status >= 500 && !isRemovalOfBuiltIn(request)) {
    const code = answerErrorCode(request, answer)
    if (!DOCUMENTED[status]?.test(code)) return `status ${status} with code ${JSON.stringify(code)}`
  }
  for (const [name, value] of Object.entries(headers)) {
    if (/x-injected/i.test(name)) return `a header was put into the answer: ${name}: ${String(value)}`
  }
  return undefined
}

/** Returns the storage server's error code, from XML or JSON, or from the header of an answer to HEAD. */
function answerErrorCode(request: FuzzRequest, { headers, body }: FuzzAnswer): string {
  const header = headers['x-minio-error-code']
  if (typeof header === 'string') return header
  const text = body.toString('utf8')
  if (request.api === 'console') return /"cause":"([^"]*)"/.exec(text)?.[1] ?? text.slice(0, 200)
  return (/<Code>([^<]*)</.exec(text) ?? /"Code":"([^"]*)"/.exec(text))?.[1] ?? text.slice(0, 200)
}

/** MinIO also answers this with 500. */
function isRemovalOfBuiltIn({ method, path, query }: FuzzRequest): boolean {
  const names = /^name=(readonly|readwrite|writeonly|diagnostics|consoleAdmin)$/
  return method === 'DELETE' && path.endsWith('/remove-canned-policy') && names.test(query)
}
