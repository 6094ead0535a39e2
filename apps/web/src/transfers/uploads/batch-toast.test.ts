import { beforeEach, expect, test } from 'vitest'
import { toasts } from '../../lib/feedback/toast.ts'
import { showBatchResult } from './batch-toast.ts'

beforeEach(() => toasts.set([]))

test.each([
  [1, 0, 'message', 'Object uploaded successfully.'],
  [2, 0, 'message', 'Objects uploaded successfully.'],
  [3, 0, 'message', 'Objects uploaded successfully.'],
  [0, 1, 'error', 'An error occurred while uploading the file'],
  [3, 1, 'error', 'An error occurred while uploading the file'],
  [4, 2, 'error', 'An error occurred while uploading the files'],
])('%d stored and %d failed: %s "%s" [OBJ-30]', (stored, failed, type, message) => {
  showBatchResult({ open: 0, stored, failed })
  expect(toasts.get()).toMatchObject([{ type, message }])
})

test('nothing is reported if every upload was dropped', () => {
  showBatchResult({ open: 0, stored: 0, failed: 0 })
  expect(toasts.get()).toEqual([])
})
