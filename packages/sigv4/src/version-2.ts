import { SignatureError } from './errors.ts'

/** What a request of SigV2 carries in the place of `X-Amz-Algorithm` and the rest; names are case-sensitive there. */
const QUERY = /(?:^|&)AWSAccessKeyId=/

/** Whether an `Authorization` header is of SigV2: `AWS <access key>:<signature>`. */
export function isVersion2Header(header: string): boolean {
  return header.startsWith('AWS ')
}

/** Whether a query is of a URL presigned with SigV2. */
export function isVersion2Query(query: string): boolean {
  return QUERY.test(query)
}

/** Whether a browser's form is signed with SigV2. @param fields lower-case names */
export function isVersion2Form(fields: Readonly<Record<string, string | undefined>>): boolean {
  return fields.awsaccesskeyid !== undefined || fields.signature !== undefined
}

/**
 * Version 2 is refused: it signs with SHA-1, neither body nor most headers, and a signature fits every region and day.
 * Clients that still send it only need to be told so; the code is the one that S3 answers in regions without it.
 */
export function version2Refused(): SignatureError {
  return new SignatureError(
    'InvalidRequest',
    'The request is signed with Signature Version 2, which is not supported. Please use AWS4-HMAC-SHA256: ' +
      'set the signature version of your client to s3v4 (`aws configure set default.s3.signature_version s3v4`), ' +
      'or use a newer client.',
  )
}
