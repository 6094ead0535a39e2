import fc from 'fast-check'
import type { FuzzRequest } from './fuzz-request.ts'
import { BUCKETS, bucketName, fuzzText, objectKey, oddText, requestPath, requestQuery } from './random-texts.ts'
import { caller, emptyBody, emptyText, signature, someParameters } from './request-parts.ts'
import { S3_OPERATIONS, type S3FuzzOperation, subResource } from './s3-operations.ts'

/* S3 requests, and requests that could be mistaken for another operation. */

/** Returns a text that is valid in a header. */
function headerText(value: string): string {
  return value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 3000)
}

function path(level: S3FuzzOperation['level']): fc.Arbitrary<string> {
  const usual =
    level === 'service'
      ? fc.constant('/')
      : level === 'bucket'
        ? bucketName.map((bucket) => requestPath(bucket))
        : fc.tuple(bucketName, objectKey).map(([bucket, key]) => requestPath(bucket, key))
  const asItIs = oddText.map((odd) => `/${BUCKETS[0]}/${odd.replace(/[^\x21-\x7e]/g, '')}`)
  return fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: asItIs })
}

function s3Request(operation: S3FuzzOperation): fc.Arbitrary<FuzzRequest> {
  const { method, level, query = {}, headers = {}, optional = {}, optionalHeaders = {}, body = emptyBody } = operation
  // A parameter of another operation can make a request look like that operation.
  const stray = fc.oneof(
    { weight: 12, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.tuple(subResource, oddText).map(([name, value]) => ({ [name]: value })) },
  )
  return fc
    .record({
      path: path(level),
      query: fc.record(query),
      optional: someParameters(optional),
      stray,
      headers: fc.record(headers),
      optionalHeaders: someParameters(optionalHeaders),
      body,
      as: caller,
      signed: signature,
    })
    .map(({ query, optional, stray, headers, optionalHeaders, ...rest }) => ({
      api: 's3' as const,
      method,
      ...rest,
      query: requestQuery(Object.entries({ ...query, ...optional, ...stray })),
      headers: Object.fromEntries(
        Object.entries({ ...headers, ...optionalHeaders }).map(([name, value]) => [name, headerText(value)]),
      ),
    }))
}

/** Browser upload forms, signed by their policy. */
const postForm: fc.Arbitrary<FuzzRequest> = fc
  .record({
    bucket: bucketName,
    query: fc.oneof({ weight: 8, arbitrary: emptyText }, { weight: 1, arbitrary: subResource }),
    fields: someParameters({
      key: fc.oneof(objectKey, fc.constant(['a/', '$', '{filename}'].join(''))),
      tagging: fuzzText('<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>'),
      'Content-Type': fuzzText('text/plain'),
      success_action_status: fuzzText('201', '200'),
      success_action_redirect: fuzzText('http://example.com/done'),
      'x-amz-meta-note': oddText,
      acl: fuzzText('private'),
    }),
    file: fc.record({ name: oddText, text: fc.string({ maxLength: 100 }) }),
    as: caller,
    signed: fc.constantFrom<FuzzRequest['signed']>('form', 'form', 'damaged'),
  })
  .map(({ bucket, query, fields, file, ...rest }) => ({
    api: 's3',
    method: 'POST',
    path: requestPath(bucket),
    query,
    headers: {},
    body: { kind: 'multipart', fields: Object.entries(fields), file },
    ...rest,
  }))

export const s3Requests = fc.oneof(
  { weight: 8, arbitrary: postForm },
  ...S3_OPERATIONS.map((each) => ({ weight: each.weight ?? 4, arbitrary: s3Request(each) })),
)
