import { expect, test } from 'vitest'
import { NO_OBJECT_CHANGE, objectChanges } from './object-change-form.ts'

test('a form that names nothing changes nothing', () => {
  expect(objectChanges(NO_OBJECT_CHANGE)).toBeUndefined()
  expect(
    objectChanges({ ...NO_OBJECT_CHANGE, governance_bypass: true, tags: [{ name: ' ', value: 'x' }] }),
  ).toBeUndefined()
})

test('fields without a value are removed, all others are set', () => {
  const fields = [
    { name: 'Cache-Control', value: ' no-store ' },
    { name: 'x-amz-meta-camera', value: '' },
    { name: 'Place', value: 'Como' },
  ]
  const tags = [
    { name: 'team', value: 'blue' },
    { name: 'draft', value: '' },
  ]
  expect(objectChanges({ ...NO_OBJECT_CHANGE, content_type: ' a/b ', fields, tags })).toEqual({
    content_type: 'a/b',
    headers: { 'cache-control': 'no-store' },
    user_metadata: { camera: null, place: 'Como' },
    tags: { team: 'blue', draft: null },
    governance_bypass: false,
  })
})

test.each([
  ['governance', { mode: 'governance', expires: '2030-01-02T23:59:59Z' }],
  ['remove', null],
] as const)('retention %s', (retention, wanted) => {
  expect(objectChanges({ ...NO_OBJECT_CHANGE, retention, date: '2030-01-02' })).toMatchObject({ retention: wanted })
})
