import fc from 'fast-check'
import { adminRequests } from './admin-requests.ts'
import { type FuzzRequest, utf8 } from './fuzz-request.ts'
import { fuzzText, jsonLike, maybeDamaged, requestQuery } from './random-texts.ts'
import { caller, signature, someParameters } from './request-parts.ts'
import { s3Requests } from './s3-requests.ts'
import { userPolicy } from './xml-documents.ts'

/* All kinds of requests to the store. */

export const stsRequests: fc.Arbitrary<FuzzRequest> = fc
  .record({
    form: someParameters({
      DurationSeconds: fuzzText('900', '3600'),
      Policy: maybeDamaged(jsonLike(userPolicy).map((value) => JSON.stringify(value) ?? '')),
      TokenRevokeType: fuzzText('fuzz'),
      RoleArn: fuzzText('arn:minio:iam:::role/x'),
      LDAPUsername: fuzzText('fuzz', '*)(uid=*'),
      LDAPPassword: fuzzText('fuzz', ''),
    }),
    action: fuzzText('AssumeRole', 'AssumeRole', 'AssumeRoleWithWebIdentity', 'AssumeRoleWithLDAPIdentity'),
    version: fuzzText('2011-06-15', '2011-06-15', '2011-06-15'),
    as: caller,
    signed: signature,
  })
  .map(({ form, action, version: stsVersion, ...rest }) => ({
    api: 'sts',
    method: 'POST',
    path: '/',
    query: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: { kind: 'bytes', text: requestQuery(Object.entries({ Action: action, Version: stsVersion, ...form })) },
    ...rest,
  }))

/** Malformed requests, sent as raw bytes. */
export const rawRequests: fc.Arbitrary<FuzzRequest> = maybeDamaged(
  fc.constantFrom(
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    'PUT /fuzz-one/a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde',
    'PUT /fuzz-one/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b',
    `GET /?${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  ),
).map((bytes) => ({
  api: 'raw',
  method: 'RAW',
  path: '/',
  query: '',
  headers: {},
  body: utf8(bytes),
  as: 'anonymous',
  signed: 'header',
}))

/** All kinds of requests to the store. */
export const storeRequests = fc.oneof(
  { weight: 60, arbitrary: s3Requests },
  { weight: 30, arbitrary: adminRequests },
  { weight: 6, arbitrary: stsRequests },
  { weight: 2, arbitrary: rawRequests },
)
