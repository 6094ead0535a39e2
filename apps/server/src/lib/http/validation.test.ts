import { bucketCalls } from '@stowage/contract/buckets/buckets'
import { objectCalls } from '@stowage/contract/objects/objects'
import { expect, test } from 'vitest'
import { HttpError } from '../errors/http-errors.ts'
import { parseRequestPart, refuseContradiction } from './validation.ts'

test.each([
  [undefined, undefined, 'body is required', 602],
  [{}, 'name', 'name in body is required', 602],
  [{ name: '' }, 'name', 'name in body should be at least 1 chars long', 604],
  [{ name: 5 }, 'name', 'name in body must be of type string', 601],
  [{ name: 'a/b' }, 'name', 'name in body is not a bucket name: no slashes, and neither . nor ..', 600],
  [{ name: '..' }, 'name', 'name in body is not a bucket name: no slashes, and neither . nor ..', 600],
  [{ name: 'b', quota: { enabled: true } }, 'quota.amount', 'quota.amount in body is required', 602],
  [
    { name: 'b', quota: { enabled: true, amount: 1, quota_type: 'soft' } },
    'quota.quota_type',
    'quota.quota_type in body should be one of [hard fifo]',
    606,
  ],
  [
    { name: 'b', quota: { enabled: true, amount: -1 } },
    'quota.amount',
    'quota.amount in body should be greater than or equal to 0',
    609,
  ],
])('%j is refused with the field name and the original’s code', (body, field, message, code) => {
  try {
    parseRequestPart(bucketCalls.createBucket.body, 'body', body)
    expect.unreachable()
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    expect(error).toMatchObject({
      status: 400,
      message,
      reason: { id: expect.any(String) },
      options: { code, ...(field ? { field } : {}) },
    })
  }
})

test('a query is read from text', () => {
  expect(
    parseRequestPart(objectCalls.listObjects.query, 'query', {
      limit: '5',
      recursive: 'true',
      with_versions: 'nonsense',
    }),
  ).toEqual({
    prefix: '',
    limit: 5,
    recursive: true,
    with_versions: false,
    with_metadata: false,
  })
})

test.each([
  ['no body', undefined, undefined],
  ['a list', [{ bucket: 'b' }], undefined],
  ['the same name', { bucket: 'a' }, undefined],
  ['another name', { bucket: 'b' }, 'bucket'],
  ['an empty name', { bucket: '' }, 'bucket'],
  ['null', { bucket: null }, undefined],
  ['an object', { bucket: { a: 1 } }, 'bucket'],
  ['another name in a repeated field', { name: 'b' }, 'name'],
  ['a number that reads the same', { part: 7 }, undefined],
  ['another number', { part: 8 }, 'part'],
  ['another user', { id: 'bob' }, 'id'],
  ['a field that repeats nothing', { label: 'b' }, undefined],
])('the URL and a body with %s', (_, body, field) => {
  const check = () =>
    refuseContradiction(body, { bucket: 'a', part: '7' }, { user: 'anna' }, { name: 'bucket', id: 'user' })
  if (field === undefined) expect(check).not.toThrow()
  else expect(check).toThrow(expect.objectContaining({ status: 400, options: { field } }))
})
