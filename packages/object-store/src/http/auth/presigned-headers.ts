import { S3Error } from '../../lib/errors.ts'
import { CHECKSUM_HEADERS } from '../bodies/checksums.ts'
import type { StoreCall } from '../call/call.ts'
import { encodeWireText, isHeaderName, isHeaderValue } from '../call/wire-text.ts'

/**
 * Parameters that stay in the query: those of the signature, and those about a body that did not exist when the URL was signed.
 * Current AWS SDKs write the CRC of an empty body into every upload URL; MinIO ignores it there too.
 */
const QUERY_ONLY = new Set([
  'x-amz-algorithm',
  'x-amz-content-sha256',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-expires',
  'x-amz-security-token',
  'x-amz-signature',
  'x-amz-signedheaders',
  'x-amz-decoded-content-length',
  'x-amz-trailer',
  ...Object.values(CHECKSUM_HEADERS),
])

/**
 * Copies the `x-amz-…` parameters of a presigned URL, such as metadata, tags, storage class or copy source, into the headers,
 * because operations and policies only read those. Headers in the request take precedence. Must be called after the signature,
 * which covers the whole query, is verified.
 * @throws S3Error InvalidArgument for values that are not valid in headers, because no answer could return them
 */
export function copyPresignedHeaders({ authentication, query, request: { headers } }: StoreCall): void {
  // Version 2 has no parameters for headers: the headers that it signs are sent as headers.
  if (authentication.kind !== 'presigned' || authentication.version === 2) return
  for (const [parameter, text] of query) {
    const name = parameter.toLowerCase()
    if (!name.startsWith('x-amz-') || QUERY_ONLY.has(name) || headers[name] !== undefined) continue
    const value = encodeWireText(text)
    if (!isHeaderName(name) || !isHeaderValue(value)) {
      throw new S3Error('InvalidArgument', `${JSON.stringify(parameter)} cannot be a header.`)
    }
    headers[name] = value.trim()
  }
}
