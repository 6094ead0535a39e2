import { beforeAll, expect } from 'vitest'
import { ownStore } from '../support/console/own-store.ts'
import { sharedConsole } from '../support/console/shared-console.ts'
import type { TestTarget } from '../support/console/test-target.ts'

/*
 * A user signs out while something fails. If the hole were open, the page would show the sign-in form while the cookie in the
 * browser still worked, for whoever uses the browser next.
 */

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const BROWSER = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }

async function signInAsBrowser(): Promise<string> {
  const body = JSON.stringify({ accessKey: c.rootUser, secretKey: c.rootPassword })
  const answer = await fetch(`${c.url}/api/v1/login`, { method: 'POST', body, headers: BROWSER })
  const cookies = answer.headers.getSetCookie().filter((line) => !line.includes('Max-Age=0'))
  return cookies.map((line) => line.replace(/;.*/, '')).join('; ')
}

ownStore.test('every answer to a sign-out takes the cookie away, also one that refuses the request', async () => {
  for (const [status, headers, body] of [
    [200, {}, '{}'],
    [415, { 'content-encoding': 'gzip' }, '{}'],
    [400, {}, '{'],
  ] as const) {
    const cookie = await signInAsBrowser()
    const name = cookie.replace(/=.*/, '')
    const answer = await fetch(`${c.url}/api/v1/logout`, {
      method: 'POST',
      headers: { ...BROWSER, ...headers, cookie },
      body,
    })
    const expired = answer.headers
      .getSetCookie()
      .some((line) => line.startsWith(`${name}=;`) && line.includes('Max-Age=0'))
    expect([status, answer.status < 300 ? 200 : answer.status, expired]).toEqual([status, status, true])
  }
})

ownStore.test('a page of another site signs nobody out', async () => {
  const cookie = await signInAsBrowser()
  const headers = { ...BROWSER, 'sec-fetch-site': 'cross-site', cookie }
  const answer = await fetch(`${c.url}/api/v1/logout`, { method: 'POST', headers, body: '{}' })
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
  const session = await fetch(`${c.url}/api/v1/session`, { headers: { ...BROWSER, cookie } })
  expect(session.status).toBe(200)
})
