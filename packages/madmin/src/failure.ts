import { at, textOf } from './json.ts'
import { isWebPage, webPageMessage } from './web-page.ts'
import { child, childText, readXml } from './xml.ts'

/** The parsed error of an answer. */
export interface Failure {
  /** Empty if the answer contains none. */
  code: string
  message: string
  requestId?: string
}

/** Parses an error as JSON or XML, depending on its first byte, because servers mix both and set wrong content types. */
export function failureOf(status: number, body: string): Failure {
  const text = body.trimStart()
  const answer = text.startsWith('{') ? ofJson(text) : text.startsWith('<') ? ofXml(text) : undefined
  if (answer) return answer
  // The status is ignored: a proxy's 403 does not mean that access is denied, nor its 404 that a user does not exist.
  if (isWebPage(text) && !BY_STATUS.has(status)) return { code: 'WebPage', message: webPageMessage(status) }
  return { code: codeOf(status), message: `The storage server answered ${status}` }
}

/** Statuses with the same meaning from a proxy. */
const BY_STATUS = new Set([501, 503])

function ofJson(text: string): Failure | undefined {
  try {
    return failureFrom(JSON.parse(text))
  } catch {
    return undefined // Truncated or invalid JSON: use the status.
  }
}

function ofXml(text: string): Failure | undefined {
  try {
    const { name, node } = readXml(text)
    // STS wraps its error: ErrorResponse/Error, with the request id outside.
    if (name === 'ErrorResponse') return failureFrom(child(node, 'Error'), childText(node, 'RequestId'))
    return name === 'Error' ? failureFrom(node) : undefined
  } catch {
    return undefined // Truncated or invalid XML: use the status.
  }
}

function failureFrom(value: unknown, outerRequestId = ''): Failure | undefined {
  const code = textOf(at(value, 'Code'))
  if (code === '') return undefined
  const requestId = textOf(at(value, 'RequestId')) || outerRequestId
  return { code, message: textOf(at(value, 'Message')), ...(requestId && { requestId }) }
}

/** Answers without a body come from proxies, and from servers for unknown paths. */
function codeOf(status: number): string {
  switch (status) {
    case 403:
      return 'AccessDenied'
    case 426:
      return 'XMinioAdminVersionMismatch'
    case 501:
      return 'NotImplemented'
    case 503:
      return 'SlowDown'
    default:
      return ''
  }
}
