import { reason } from '@stowage/contract'
import { MadminError, StsError } from '@stowage/madmin'
import { errors } from 'undici'
import { expect, test } from 'vitest'
import { errorAnswer, HttpError } from './http-errors.ts'
import { UpstreamError } from './storage-errors.ts'

const failure = (code: string, message = '') => Object.assign(new Error(message), { code })

test.each([
  ['NoSuchBucket', 404, 404],
  ['NoSuchKey', 404, 404],
  ['BucketAlreadyOwnedByYou', 409, 409],
  ['BucketNotEmpty', 409, 409],
  ['AccessDenied', 403, 403],
  ['ExpiredToken', 400, 401],
  ['InvalidTokenId', 403, 401],
  ['InvalidAccessKeyId', 403, 401],
  ['SignatureDoesNotMatch', 403, 403],
  ['InvalidBucketName', 400, 400],
  ['XMinioAdminNoSuchUser', 404, 404],
  ['XMinioStorageFull', 507, 507],
  ['SlowDown', 503, 503],
  ['InternalError', 500, 502],
  ['SomethingNew', 418, 418],
  ['SomethingNew', 401, 502],
  ['SomethingNew', 500, 502],
  ['constructor', 400, 400],
  ['__proto__', 500, 502],
])('%s with %d of the storage server is answered %d', (code, upstream, status) => {
  const answer = errorAnswer(new UpstreamError(code, 'its own text', upstream), 'id')
  expect(answer.status).toBe(status)
  expect(answer.body).toMatchObject({ code: status, detailedMessage: 'its own text', cause: code, requestId: 'id' })
})

test('the error classes of all clients are handled alike', () => {
  const answer = { code: 'NoSuchBucket', message: 'gone', status: 404 }
  const sdk = Object.assign(new Error('gone'), {
    name: 'NoSuchBucket',
    $fault: 'client',
    $metadata: { httpStatusCode: 404 },
  })
  for (const error of [new MadminError(answer), sdk])
    expect(errorAnswer(error, 'id')).toMatchObject({ status: 404, body: { cause: 'NoSuchBucket', message: 'gone' } })
  const denied = new StsError({ code: 'AccessDenied', message: 'no', status: 403 })
  expect(errorAnswer(denied, 'id')).toMatchObject({ status: 403, body: { message: 'access denied' } })
})

test.each([
  [failure('ECONNREFUSED'), 503],
  [failure('ENOTFOUND'), 503],
  [failure('UND_ERR_CONNECT_TIMEOUT'), 503],
  [new AggregateError([failure('ECONNREFUSED')]), 503],
  [new Error('fetch failed', { cause: failure('ECONNREFUSED') }), 503],
  [failure('ECONNRESET'), 502],
  [failure('UND_ERR_SOCKET'), 502],
  [failure('ERR_HEADERS_TIMEOUT'), 502],
  [new errors.BodyTimeoutError(), 502],
  [new errors.ResponseExceededMaxSizeError(), 502],
  [new errors.HTTPParserError('Expected HTTP/'), 502],
  [failure('SELF_SIGNED_CERT_IN_CHAIN'), 502],
])('an unreachable storage server or broken connection is reported as such: %s', (error, status) => {
  const answer = errorAnswer(error, 'id')
  expect(answer).toMatchObject({ status, unexpected: false })
  expect(answer.body.message).toMatch(/storage server/)
})

test.each([new errors.InvalidArgumentError('invalid header'), new errors.RequestContentLengthMismatchError()])(
  'a bug in the console is not reported as a connection failure: %s',
  (error) => {
    expect(errorAnswer(error, 'id')).toMatchObject({ status: 500, unexpected: true })
  },
)

test('an error contains its field, code and headers', () => {
  const refusal = new HttpError(400, reason('required'), {
    message: 'name in body is required',
    field: 'name',
    code: 602,
    headers: { 'x-a': '1' },
  })
  expect(errorAnswer(refusal, 'id')).toEqual({
    status: 400,
    headers: { 'x-a': '1' },
    unexpected: false,
    body: {
      code: 602,
      message: 'name in body is required',
      reason: { id: 'required' },
      detailedMessage: 'name in body is required',
      field: 'name',
      requestId: 'id',
    },
  })
})

test('a detail with a reason includes it', () => {
  const { body } = errorAnswer(new HttpError(401, reason('session-invalid'), { detail: reason('session-ended') }), 'id')
  expect(body).toMatchObject({
    message: 'invalid session',
    reason: { id: 'session-invalid' },
    detailedMessage: 'The session has ended. Sign in again.',
    detailedReason: { id: 'session-ended' },
  })
})

test('the text of a storage server has no reason, our replacement has one', () => {
  const answerBody = (code: string) => errorAnswer(new UpstreamError(code, 'its own text', 409), 'id').body
  expect(answerBody('BucketNotEmpty')).not.toHaveProperty('reason')
  expect(answerBody('BucketAlreadyOwnedByYou')).toMatchObject({ reason: { id: 'bucket-exists' } })
})

test('an unexpected error reveals nothing about itself', () => {
  const answer = errorAnswer(new TypeError('secret of the house'), 'id')
  expect(answer).toMatchObject({ status: 500, unexpected: true })
  expect(JSON.stringify(answer.body)).not.toContain('secret')
})
