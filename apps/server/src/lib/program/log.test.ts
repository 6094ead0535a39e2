import { expect, test } from 'vitest'
import { forLog } from './log.ts'

test('signatures and tokens in addresses do not reach the log', () => {
  const url = '/x?X-Amz-Credential=AK%2F1&X-Amz-Signature=abc&prefix=a&access_token=t#y'
  expect(forLog(url)).toBe(
    '/x?X-Amz-Credential=[redacted]&X-Amz-Signature=[redacted]&prefix=a&access_token=[redacted]#y',
  )
})

test('what strangers write into an address, or into a name that an error tells, does nothing to a terminal', () => {
  expect(forLog('/a\u009b2J\u001b[31m\rb\u0007')).toBe('/a\\x9b2J\\x1b[31m\\x0db\\x07')
  expect(forLog('Error: x\n\tat y')).toBe('Error: x\n\tat y')
})
