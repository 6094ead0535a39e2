import { expect, test } from 'vitest'
import { KubeError } from './kube-error.ts'

test('an answer of the API server keeps its reason, message and causes', () => {
  const body = JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    message: 'Tenant.minio.min.io "a" is invalid',
    reason: 'Invalid',
    details: { name: 'a', causes: [{ reason: 'FieldValueInvalid', message: 'immutable', field: 'spec.pools[0]' }] },
    code: 422,
  })
  expect(KubeError.fromAnswer(422, body)).toMatchObject({
    code: 'Invalid',
    status: 422,
    message: 'Tenant.minio.min.io "a" is invalid',
    causes: [{ reason: 'FieldValueInvalid', message: 'immutable', field: 'spec.pools[0]' }],
  })
})

test.each([
  [401, '', 'Unauthorized', 'The API server answered with status 401'],
  [404, '404 page not found\n', 'NotFound', '404 page not found'],
  [503, '<html><body>upstream is away</body></html>', 'ServiceUnavailable', 'The API server answered with status 503'],
  [502, 'null', 'Unknown', 'null'],
  [500, '{"kind":"Status","reason":"SomethingNew","message":"m"}', 'Unknown', 'm'],
])('status %i with the body %j is %s', (status, body, code, message) => {
  expect(KubeError.fromAnswer(status, body)).toMatchObject({ status, code, message })
})

test('the requested pause is read from the answer or its header', () => {
  const answerText = '{"kind":"Status","reason":"TooManyRequests","details":{"retryAfterSeconds":3}}'
  expect(KubeError.fromAnswer(429, answerText, '9').retryAfterMs).toBe(3000)
  expect(KubeError.fromAnswer(429, '', '9').retryAfterMs).toBe(9000)
  expect(KubeError.fromAnswer(429, '', 'Wed, 21 Oct 2026 07:28:00 GMT').retryAfterMs).toBeUndefined()
})
