import { expect, test } from 'vitest'
import { redactForLog } from './program-log.ts'

test('signatures and tokens in addresses do not reach the log', () => {
  const url = '/x?X-Amz-Credential=AK%2F1&X-Amz-Signature=abc&prefix=a&access_token=t#y'
  expect(redactForLog(url)).toBe(
    '/x?X-Amz-Credential=[redacted]&X-Amz-Signature=[redacted]&prefix=a&access_token=[redacted]#y',
  )
})

test('what an identity provider sends back does not reach the log', () => {
  expect(redactForLog('/oauth_callback?state=abc&code=4/P7q&id_token=ey.J.x')).toBe(
    '/oauth_callback?state=[redacted]&code=[redacted]&id_token=[redacted]',
  )
  expect(redactForLog('/oauth_callback#access_token=ey&refresh_token=r&token_type=bearer')).toBe(
    '/oauth_callback#access_token=[redacted]&refresh_token=[redacted]&token_type=bearer',
  )
})

test('control characters in a URL, or in an error message, do not reach the terminal', () => {
  expect(redactForLog('/a\u009b2J\u001b[31m\rb\u0007')).toBe('/a\\x9b2J\\x1b[31m\\x0db\\x07')
  expect(redactForLog('Error: x\n\tat y')).toBe('Error: x\n\tat y')
})
