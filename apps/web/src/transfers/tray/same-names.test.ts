import { expect, test } from 'vitest'
import type { FileUpload, Job } from '../list/types.ts'
import { idsWithSameName } from './same-names.ts'

const upload = (id: string, bucket: string, key: string): FileUpload => ({
  ...{ kind: 'upload', id, owner: 'o', bucket, key, state: 'waiting' },
  ...{ size: 1, lastModified: 0, sent: 0, kept: 0, rate: 0 },
})
const job = (id: string, bucket: string, ...paths: string[]): Job => ({
  ...{ kind: 'job', id, owner: 'o', bucket, task: { type: 'delete', paths }, state: 'running' },
  ...{ count: 0, skipped: 0, failed: 0, errors: [] },
})

test('finds transfers with the same name in any bucket; an upload and a deletion differ by their texts', () => {
  const list = [
    upload('1', 'b', 'a.txt'),
    upload('2', 'b', 'dir/a.txt'),
    upload('3', 'b', 'other.txt'),
    upload('4', 'c', 'a.txt'),
    job('5', 'b', 'other.txt'),
    job('6', 'b', 'dir/'),
    job('7', 'c', 'dir/'),
  ]
  expect([...idsWithSameName(list)].toSorted()).toEqual(['1', '2', '4', '6', '7'])
})
