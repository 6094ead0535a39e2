// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { queryClient } from '../../lib/api/query.ts'
import { browserHistory } from '../../lib/navigation/navigate.ts'
import { render } from '../../testing/render.tsx'
import { LoginPage } from './LoginPage.tsx'
import { safeRedirect } from './SignInArea.tsx'

// Responses are made here for the strategies that no server of ours offers yet. A real sign-in is a browser test.
type Answers = Record<string, () => Response | Promise<Response>>
let answers: Answers
const json = (body: unknown, init?: ResponseInit) => new Response(JSON.stringify(body), init)
const strategy =
  (loginStrategy: string, redirect = '') =>
  () =>
    json({ loginStrategy, redirect, server: 's3.example:9000' })
const formWithDirectory = () => json({ loginStrategy: 'form', redirect: '', directory: true })
const calls: { url: string; body: unknown }[] = []

beforeEach(() => {
  calls.length = 0
  queryClient.clear()
  browserHistory.replace('/login')
  answers = { 'GET /readyz': () => json({}) }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const key = `${init.method ?? 'GET'} ${url}`
    if (init.body) calls.push({ url, body: JSON.parse(String(init.body)) })
    return (answers[key] ?? (() => json({ message: `no answer for ${key}` }, { status: 404 })))()
  })
})
afterEach(() => vi.unstubAllGlobals())

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } })
const button = (name = 'Login') => screen.getByRole<HTMLButtonElement>('button', { name })

test('a spinner until the strategy is known [LGN-03]', async () => {
  answers['GET /api/v1/login'] = () => new Promise(() => undefined)
  render(<LoginPage />)
  await screen.findByLabelText('Loading...')
  expect(screen.queryByRole('heading')).toBeNull()
})

test('an unreachable console is reported, and Retry tries again [LGN-04]', async () => {
  // The page also tries again by itself, after three seconds that do not pass here.
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const settle = async () => await act(async () => await vi.advanceTimersByTimeAsync(100))
  answers['GET /api/v1/login'] = () => Promise.reject(new TypeError('refused'))
  render(<LoginPage />)
  await settle()
  screen.getByText('An error has ocurred, the backend cannot be reached.')
  answers['GET /api/v1/login'] = strategy('form')
  fireEvent.click(button('Retry'))
  await settle()
  screen.getByRole('heading', { name: 'Console Login' })
})

test('form: Login needs both fields, and the fields are disabled while the call runs [LGN-05] [LGN-06] [LGN-10]', async () => {
  answers['GET /api/v1/login'] = strategy('form')
  let refuse = (_: Response) => {}
  answers['POST /api/v1/login'] = () => new Promise((resolve) => (refuse = resolve))
  render(<LoginPage />)
  await screen.findByRole('heading', { name: 'Console Login' })
  expect(button().disabled).toBe(true)
  type('Enter Username', 'me')
  expect(button().disabled).toBe(true)
  type('Enter Password', 'secret')
  expect(button().disabled).toBe(false)
  fireEvent.click(button())
  await screen.findByRole('progressbar')
  expect([button().disabled, field('Enter Username').disabled, field('Enter Password').disabled]).toEqual([
    true,
    true,
    true,
  ])
  refuse(json({ message: 'invalid Login' }, { status: 401 }))
  await screen.findByText('Invalid Login')
  await waitFor(() => expect(button().disabled).toBe(false))
  expect(field('Enter Username').value, 'what was typed stays').toBe('me')
  expect(calls).toEqual([{ url: '/api/v1/login', body: { accessKey: 'me', secretKey: 'secret' } }])
})

test('a choice decides where the password goes: as a secret key to the storage server, or to the directory', async () => {
  answers['GET /api/v1/login'] = formWithDirectory
  answers['POST /api/v1/login'] = () => json({ message: 'invalid Login' }, { status: 401 })
  render(<LoginPage />)
  await screen.findByRole('heading', { name: 'Console Login' })
  type('Enter Username', 'anna')
  type('Enter Password', 'secret')
  fireEvent.click(button())
  await waitFor(() => expect(calls).toHaveLength(1))
  await waitFor(() => expect(button().disabled).toBe(false))
  fireEvent.click(screen.getByLabelText('Directory'))
  expect(screen.queryByRole('button', { name: 'Add a session token' })).toBeNull()
  fireEvent.click(button())
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls.map(({ body }) => body)).toEqual([
    { accessKey: 'anna', secretKey: 'secret' },
    { accessKey: 'anna', secretKey: 'secret', directory: true },
  ])
})

test('temporary keys are sent with their session token, which must not be empty', async () => {
  answers['GET /api/v1/login'] = strategy('form')
  answers['POST /api/v1/login'] = () => json({ message: 'invalid Login' }, { status: 401 })
  render(<LoginPage />)
  await screen.findByRole('heading', { name: 'Console Login' })
  expect(screen.queryByLabelText('Directory')).toBeNull()
  type('Enter Username', 'key')
  type('Enter Password', 'secret')
  fireEvent.click(button('Add a session token'))
  expect(button().disabled).toBe(true)
  type('Session Token', ' token ')
  fireEvent.click(button())
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(calls[0]?.body).toEqual({ accessKey: 'key', secretKey: 'secret', sts: 'token' })
})

test('a failure is shown in a banner; for 429 with the time to wait [LGN-11]', async () => {
  answers['GET /api/v1/login'] = strategy('form')
  answers['POST /api/v1/login'] = () =>
    json({ message: 'too many attempts' }, { status: 429, headers: { 'retry-after': '30' } })
  render(<LoginPage />)
  await screen.findByRole('heading', { name: 'Console Login' })
  type('Enter Username', 'me')
  type('Enter Password', 'secret')
  fireEvent.click(button())
  const banner = await screen.findByRole('alert')
  expect(banner.textContent).toContain('Too many attempts')
  expect(banner.textContent).toContain('Try again in 30 seconds.')
})

test('an error in a successful response is a failure [LGN-14]', async () => {
  answers['GET /api/v1/login'] = strategy('form')
  answers['POST /api/v1/login'] = () => json({ sessionId: '', error: 'not today' }, { status: 201 })
  render(<LoginPage />)
  await screen.findByRole('heading', { name: 'Console Login' })
  type('Enter Username', 'me')
  type('Enter Password', 'secret')
  fireEvent.click(button())
  await screen.findByText('Not today')
})

test("redirect: a link to the server's address [LGN-07]", async () => {
  answers['GET /api/v1/login'] = strategy('redirect', 'https://idp.example/authorize?state=x')
  render(<LoginPage />)
  await screen.findByRole('heading', { name: 'Welcome' })
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Login with SSO' })
  expect(link.href).toBe('https://idp.example/authorize?state=x')
})

test('operator mode with a provider: a link to it, and a JWT on request', async () => {
  answers['GET /api/v1/login'] = () =>
    json({ loginStrategy: 'redirect', redirect: '/start/main', operator: true, server: 'kube.example' })
  render(<LoginPage />)
  await screen.findByRole('heading', { name: 'Operator Login' })
  screen.getByRole('link', { name: 'Login with SSO' })
  fireEvent.click(button('Use a JWT'))
  type('JWT', 'a.b.c')
  fireEvent.click(button())
  await waitFor(() => expect(calls).toEqual([{ url: '/api/v1/login/operator', body: { jwt: 'a.b.c' } }]))
})

test('service account: a JWT is required [LGN-08] [LGN-09]', async () => {
  answers['GET /api/v1/login'] = strategy('service-account')
  render(<LoginPage />)
  await screen.findByRole('heading', { name: 'Operator Login' })
  expect(field('JWT').required).toBe(true)
  expect(button().disabled).toBe(true)
  type('JWT', 'a.b.c')
  let refuse = (_: Response) => {}
  answers['POST /api/v1/login/operator'] = () => new Promise((resolve) => (refuse = resolve))
  fireEvent.click(button())
  await waitFor(() => expect(button().disabled).toBe(true))
  refuse(json({ message: 'no' }, { status: 401 }))
  await screen.findByText('No')
  expect(calls).toEqual([{ url: '/api/v1/login/operator', body: { jwt: 'a.b.c' } }])
})

test.each([
  ['https://idp.example/a', 'https://idp.example/a'],
  ['javascript:alert(1)', '#'],
  ['data:text/html,x', '#'],
])('the redirect %s links to %s', (address, href) => expect(safeRedirect(address)).toBe(href))
