import { escapeXml } from './xml.ts'

/** An error as S3 clients read it, for those that mistook the console for the storage server. */
export function s3ErrorXml(code: string, message: string, requestId: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<Error><Code>${escapeXml(code)}</Code><Message>${escapeXml(message)}</Message>` +
    `<RequestId>${escapeXml(requestId)}</RequestId></Error>`
  )
}
