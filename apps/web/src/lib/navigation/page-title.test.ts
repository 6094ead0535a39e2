import { expect, test } from 'vitest'
import { documentTitle } from './page-title.ts'

test('the title contains the page; in operator mode it is fixed [LGN-18]', () => {
  expect(documentTitle('Buckets', false)).toBe('Buckets – Stowage')
  expect(documentTitle('Tenants', true)).toBe('MinIO Operator')
})
