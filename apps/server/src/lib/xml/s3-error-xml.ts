import { escapeXml } from './storage-xml.ts'

/** Returns an error in S3's format, for S3 clients that use the console's address by mistake. */
export function s3ErrorXml(code: string, message: string, requestId: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<Error><Code>${escapeXml(code)}</Code><Message>${escapeXml(message)}</Message>` +
    `<RequestId>${escapeXml(requestId)}</RequestId></Error>`
  )
}
