import { expect, test } from 'vitest'
import { titleOf } from './page-title.ts'

test('the title contains the page; in operator mode it is fixed [LGN-18]', () => {
  expect(titleOf('Buckets', false)).toBe('Buckets – Stowage')
  expect(titleOf('Tenants', true)).toBe('MinIO Operator')
})
