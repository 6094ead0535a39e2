import { expect, test } from 'vitest'
import { reason } from './reason.ts'
import { englishReason } from './reasons.ts'

test.each([
  [reason('bucket-exists'), 'Bucket already exists'],
  [reason('path-not-found', { path: '/api/v1/x' }), 'path /api/v1/x was not found'],
  [reason('too-many-sign-ins', { count: 1 }), 'Too many failed sign-ins. Wait 1 second.'],
  [reason('too-many-sign-ins', { count: 8 }), 'Too many failed sign-ins. Wait 8 seconds.'],
  [{ id: 'of-a-later-release' }, undefined],
  [{ id: 'constructor' }, undefined],
])('%j has the text "%s"', (given, text) => expect(englishReason(given)).toBe(text))

test('a value that looks like a placeholder is unchanged', () => {
  expect(englishReason(reason('body-contradicts-address', { field: '{{parameter}}', parameter: 'bucket' }))).toBe(
    '{{parameter}} in the body differs from bucket in the address',
  )
})
