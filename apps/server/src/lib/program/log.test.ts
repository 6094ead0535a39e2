import { expect, test } from 'vitest'
import { withoutSecrets } from './log.ts'

test('signatures and tokens in addresses do not reach the log', () => {
  const url = '/x?X-Amz-Credential=AK%2F1&X-Amz-Signature=abc&prefix=a&access_token=t#y'
  expect(withoutSecrets(url)).toBe(
    '/x?X-Amz-Credential=[redacted]&X-Amz-Signature=[redacted]&prefix=a&access_token=[redacted]#y',
  )
})
