import { expect, test } from 'vitest'
import type { ObjectInfo } from '../engine/interface/types.ts'
import { replicaHeaders } from './send-version.ts'

const info: ObjectInfo = {
  bucket: 'b',
  key: 'k',
  versionId: '5826c908-0da7-43d5-86eb-1eb32d8022b2',
  isLatest: true,
  deleteMarker: false,
  size: 1,
  etag: '9dd4e461268c8034f5c8564e155c67a6',
  lastModified: 0,
  headers: { 'content-type': 'text/plain', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
  metadata: {},
  tags: {},
}
const sentStorageClass = (version: ObjectInfo, storageClass = '') =>
  replicaHeaders(version, { storageClass })['x-amz-storage-class']

test('a version is sent with its storage class, or that of the target, and never with the name of its tier', () => {
  const moved = { ...info, headers: { ...info.headers, 'x-amz-storage-class': 'COLD' }, tier: {} }
  expect(sentStorageClass(info)).toBe('REDUCED_REDUNDANCY')
  expect(sentStorageClass(info, 'STANDARD')).toBe('STANDARD')
  expect(sentStorageClass(moved)).toBeUndefined()
  expect(sentStorageClass(moved, 'STANDARD')).toBe('STANDARD')
  expect(replicaHeaders(moved, { storageClass: '' })).toMatchObject({ 'content-type': 'text/plain' })
})
