import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { at, objectOf, textOf } from './json.ts'
import { isWebPage, webPageMessage } from './web-page.ts'

/** What an answer says about its failure. */
export interface Failure {
  /** Empty when the answer names none. */
  code: string
  message: string
  requestId?: string
}

const xml = new XMLParser({ parseTagValue: false, trimValues: false, htmlEntities: true })

/** Reads an error as JSON or as XML, by its first byte: servers mix both, and label both as they like. */
export function failureOf(status: number, body: string): Failure {
  const text = body.trimStart()
  const answer = text.startsWith('{') ? ofJson(text) : text.startsWith('<') ? ofXml(text) : undefined
  if (answer) return answer
  // Not by its status: a proxy's 403 does not say that the caller may not, nor its 404 that somebody is not there.
  if (isWebPage(text) && !BY_STATUS.has(status)) return { code: 'WebPage', message: webPageMessage(status) }
  return { code: codeOf(status), message: `The storage server answered ${status}` }
}

/** Mean the same from a proxy. */
const BY_STATUS = new Set([501, 503])

function ofJson(text: string): Failure | undefined {
  try {
    return failureFrom(JSON.parse(text))
  } catch {
    return undefined // Cut off or no JSON at all: the status has to do.
  }
}

function ofXml(text: string): Failure | undefined {
  if (XMLValidator.validate(text) !== true) return undefined
  const document = objectOf(xml.parse(text))
  // STS wraps its error: ErrorResponse/Error, with the request id outside.
  const wrapper = document.ErrorResponse
  if (wrapper === undefined) return failureFrom(document.Error)
  return failureFrom({ RequestId: at(wrapper, 'RequestId'), ...objectOf(at(wrapper, 'Error')) })
}

function failureFrom(value: unknown): Failure | undefined {
  const code = textOf(at(value, 'Code'))
  if (code === '') return undefined
  const requestId = textOf(at(value, 'RequestId'))
  return { code, message: textOf(at(value, 'Message')), ...(requestId && { requestId }) }
}

/** Answers without a body come from proxies and from paths that a server does not have. */
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
