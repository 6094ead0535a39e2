import { isWebPage, webPageMessage } from '../formats/web-page.ts'
import { readXml, xmlChild, xmlChildText } from '../formats/xml.ts'
import { asText, pickMember } from './json-values.ts'

/** The parsed error of an answer. */
export interface ParsedFailure {
  /** Empty if the answer contains none. */
  code: string
  message: string
  requestId?: string
}

/** Parses an error as JSON or XML, depending on its first byte, because servers mix both and set wrong content types. */
export function parseFailure(status: number, body: string): ParsedFailure {
  const text = body.trimStart()
  const answer = text.startsWith('{')
    ? parseJsonFailure(text)
    : text.startsWith('<')
      ? parseXmlFailure(text)
      : undefined
  if (answer) return answer
  // The status is ignored: a proxy's 403 does not mean that access is denied, nor its 404 that a user does not exist.
  if (isWebPage(text) && !BY_STATUS.has(status)) return { code: 'WebPage', message: webPageMessage(status) }
  return { code: statusErrorCode(status), message: `The storage server answered ${status}` }
}

/** Statuses with the same meaning from a proxy. */
const BY_STATUS = new Set([501, 503])

function parseJsonFailure(text: string): ParsedFailure | undefined {
  try {
    return readFailureMembers(JSON.parse(text))
  } catch {
    return undefined // Truncated or invalid JSON: use the status.
  }
}

function parseXmlFailure(text: string): ParsedFailure | undefined {
  try {
    const { name, node } = readXml(text)
    // STS wraps its error: ErrorResponse/Error, with the request id outside.
    if (name === 'ErrorResponse') return readFailureMembers(xmlChild(node, 'Error'), xmlChildText(node, 'RequestId'))
    return name === 'Error' ? readFailureMembers(node) : undefined
  } catch {
    return undefined // Truncated or invalid XML: use the status.
  }
}

function readFailureMembers(value: unknown, outerRequestId = ''): ParsedFailure | undefined {
  const code = asText(pickMember(value, 'Code'))
  if (code === '') return undefined
  const requestId = asText(pickMember(value, 'RequestId')) || outerRequestId
  return { code, message: asText(pickMember(value, 'Message')), ...(requestId && { requestId }) }
}

/** Answers without a body come from proxies, and from servers for unknown paths. */
function statusErrorCode(status: number): string {
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
