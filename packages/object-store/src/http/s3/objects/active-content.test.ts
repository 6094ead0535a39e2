import { expect, test } from 'vitest'
import { sandboxPolicy } from './active-content.ts'

test.each([
  'text/html',
  'TEXT/HTML; charset=utf-8',
  'application/xhtml+xml',
  'image/svg+xml',
  'text/xml',
  'application/xml',
  'application/rss+xml',
  'text/xsl',
  'audio/x+xml',
  'multipart/x-mixed-replace; boundary=a',
  'message/rfc822',
  // Types that browsers may guess from the content, or of which they use the last.
  '',
  ' ',
  'html',
  '*/*',
  'unknown/unknown',
  'application/x-unheard-of',
  'image/png, text/html',
  'image/png; a=b, text/html',
  'image/png;a="b,text/html"',
  'image/png text/html',
])('%j is opened in a sandbox', (type) => {
  expect(sandboxPolicy(type)).toMatch(/^default-src 'none';.*; sandbox$/)
})

test.each([
  'text/plain',
  'text/plain;charset=utf-8',
  'Image/PNG',
  'image/jpeg',
  'video/mp4; codecs="avc1"',
  'audio/mpeg',
  'font/woff2',
  'text/css',
  'text/javascript',
  'application/json',
  'application/octet-stream',
  'binary/octet-stream',
])('%j is not', (type) => {
  expect(sandboxPolicy(type)).toBeUndefined()
})

test('a PDF is shown without a sandbox, which its viewer does not work in, and without script', () => {
  expect(sandboxPolicy('application/pdf')).toMatch(/^default-src 'none';.*; object-src 'self'$/)
})
