import { expect, test } from 'vitest'
import { endpoints, formatSize } from './index.ts'
import { contract } from './schemas.ts'

test('every call stands once as plain data and once with schemas', () => {
  expect(Object.keys(contract).sort()).toEqual(Object.keys(endpoints).sort())
  for (const [name, route] of Object.entries(contract))
    expect(route.endpoint, name).toBe(endpoints[name as keyof typeof endpoints])
})

test('every call that changes state names the IAM action it needs', () => {
  const free = ['login', 'loginOperator', 'logout', 'hasPermission', 'downloadObjects']
  const silent = Object.entries(endpoints).filter(
    ([name, e]) => e.method !== 'GET' && !free.includes(name) && !('actions' in e),
  )
  expect(silent).toEqual([])
})

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [9.94 * 1024, '9.9 KiB'],
  [9.96 * 1024, '10 KiB'],
  [10 * 1024 ** 2, '10 MiB'],
  [1024 ** 2 - 1, '1.0 MiB'],
  [14 * 1024 ** 4, '14 TiB'],
  [1024 ** 8, '1.0 YiB'],
])('%d bytes read %s [SHL-46]', (bytes, text) => expect(formatSize(bytes)).toBe(text))
