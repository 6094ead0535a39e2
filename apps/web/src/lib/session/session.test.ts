// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../api/query.ts'
import { loseSession, markShellEntered, markShellLeft, signedOut } from '../api/signed-out.ts'
import { browserHistory } from '../navigation/navigate.ts'
import {
  clearSessionCache,
  continueAfterSignIn,
  logout,
  rememberReturnPath,
  rememberUser,
  signOutUnconfirmed,
} from './session.ts'

const session = (user: string) => ({
  status: 'ok',
  pages: ['/buckets'],
  features: [],
  operator: false,
  distributedMode: true,
  user,
  capabilities: [],
})
const serve = (answer: () => Response | Promise<Response>) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => answer()),
  )
const json = (body: unknown) => new Response(JSON.stringify(body))

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  queryClient.clear()
  browserHistory.replace('/buckets?filter=a')
})
afterEach(() => {
  markShellLeft()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([
  ['minioadmin', 'bWluaW9hZG1pbg=='],
  ['zoë 🚢', 'em/DqyDwn5qi'],
])('the user name %s is stored encoded, with any characters [LGN-13]', (name, encoded) => {
  rememberUser(name)
  expect(localStorage.getItem('userLoggedIn')).toBe(encoded)
})

test.each([
  ['answers', () => json({ redirect: '' })],
  ['fails', () => Promise.reject(new TypeError('network'))],
  ['hangs', () => new Promise<Response>(() => undefined)],
])('logout leads to /login and forgets the user when its call %s [LGN-20] [LGN-21]', async (_, answer) => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  rememberUser('somebody')
  markShellEntered()
  serve(answer)
  vi.useFakeTimers()
  const left = logout()
  await vi.advanceTimersByTimeAsync(2000)
  await left
  expect(browserHistory.location.pathname).toBe('/login')
  expect(localStorage.getItem('userLoggedIn')).toBe('')
  expect(signedOut.get(), 'a failed logout is no lost session').toBeUndefined()
})

test.each([
  ['an answer', () => json({ redirect: '' }), false],
  ['a refusal of the console', () => new Response('{"message":"x","requestId":"r"}', { status: 502 }), false],
  ['the answer of a proxy', () => new Response('<h1>Bad gateway</h1>', { status: 502 }), true],
  ['no answer', () => Promise.reject(new TypeError('network')), true],
])('a sign-out with %s is confirmed or leaves a warning [LGN-21]', async (_, answer, unconfirmed) => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  serve(answer)
  await logout()
  expect(signOutUnconfirmed.get()).toBe(unconfirmed)
  // The next sign-out, or a sign-in, ends the warning.
  serve(() => json({ redirect: '' }))
  await logout()
  expect(signOutUnconfirmed.get()).toBe(false)
})

test('sign-in opens / [LGN-12], or the requested page', async () => {
  serve(() => json(session('a')))
  await continueAfterSignIn()
  expect(browserHistory.location.href).toBe('/')
  rememberReturnPath('/buckets/b/summary')
  await continueAfterSignIn()
  expect(browserHistory.location.href).toBe('/buckets/b/summary')
})

test('a stored path that is not of this console is ignored', async () => {
  serve(() => json(session('a')))
  rememberReturnPath('//evil.example/')
  await continueAfterSignIn()
  expect(browserHistory.location.href).toBe('/')
})

test('after a new sign-in over a page, the same user keeps the cached data, another user does not', async () => {
  queryClient.setQueryData(['getSession', {}], session('a'))
  queryClient.setQueryData(['listBuckets', {}], { buckets: [], total: 0 })
  markShellEntered()
  loseSession('expired')
  serve(() => json(session('a')))
  await continueAfterSignIn()
  expect(signedOut.get()).toBeUndefined()
  expect(queryClient.getQueryData(['listBuckets', {}])).toBeDefined()
  expect(browserHistory.location.href, 'the page stays').toBe('/buckets?filter=a')
  loseSession('expired')
  serve(() => json(session('b')))
  await continueAfterSignIn()
  expect(queryClient.getQueryData(['listBuckets', {}])).toBeUndefined()
})

test('the sign-in page discards the cached data of the session', () => {
  queryClient.setQueryData(['listBuckets', {}], 1)
  queryClient.setQueryData(['getLoginStrategy', {}], 2)
  clearSessionCache()
  expect(queryClient.getQueryData(['listBuckets', {}])).toBeUndefined()
  expect(queryClient.getQueryData(['getLoginStrategy', {}])).toBe(2)
})
