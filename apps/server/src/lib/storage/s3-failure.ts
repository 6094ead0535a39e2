import type { IncomingHttpHeaders } from 'node:http'
import { isWebPage, webPageMessage } from '@stowage/madmin/web-page'
import { UpstreamError } from '../errors/storage-errors.ts'
import { parseStorageXml, type XmlNode, xmlText } from '../xml/storage-xml.ts'

export interface AnswerHead {
  statusCode: number
  headers: IncomingHttpHeaders
}

export function isFailedAnswer({ statusCode }: Pick<AnswerHead, 'statusCode'>): boolean {
  return statusCode >= 300 && statusCode !== 304
}

/** Returns the error in an unsuccessful answer of a storage server. */
export function toUpstreamError({ statusCode: status, headers }: AnswerHead, text: string): UpstreamError {
  // An answer to HEAD has no body; MinIO and its forks put code and text into headers.
  const code = headers['x-minio-error-code']
  const description = headers['x-minio-error-desc']
  if (typeof code === 'string') return new UpstreamError(code, String(description ?? '').replace(/^"|"$/g, ''), status)
  const error = findErrorElement(text)
  if (!xmlText(error, 'Code') && (isWebPage(text) || /^text\/html/i.test(headers['content-type'] ?? '')))
    return webPageError(status)
  return new UpstreamError(
    xmlText(error, 'Code') || statusErrorCode(status),
    xmlText(error, 'Message') || `The storage server answered ${status}`,
    status,
    xmlText(error, 'Region') || undefined,
  )
}

/** @throws UpstreamError if a successful answer is a web page, which means that it does not come from a storage server */
export function refuseWebPage({ statusCode }: Pick<AnswerHead, 'statusCode'>, text: string): void {
  if (isWebPage(text)) throw webPageError(statusCode)
}

/**
 * Returns the error for a web page. Its status is ignored: a proxy's 404 does not mean that an object is missing, nor its 403
 * that access is denied.
 */
function webPageError(status: number): UpstreamError {
  if (status === 503) return new UpstreamError('ServiceUnavailable', 'The storage server is not available', 503)
  return new UpstreamError('WebPage', webPageMessage(status), 502)
}

function findErrorElement(text: string): XmlNode | undefined {
  if (!text.trimStart().startsWith('<')) return undefined
  try {
    const { name, node } = parseStorageXml(text)
    return name === 'Error' ? node : undefined
  } catch {
    // Not XML: use the status.
    return undefined
  }
}

function statusErrorCode(status: number): string {
  if (status === 404) return 'NoSuchKey'
  if (status === 403) return 'AccessDenied'
  if (status === 416) return 'InvalidRange'
  if (status === 412) return 'PreconditionFailed'
  return status === 503 ? 'ServiceUnavailable' : 'UnknownError'
}
