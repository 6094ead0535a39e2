import { request } from 'node:http'
import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

/* URLs that try to inject headers: no answer is a 5xx, and no header contains injected text. */

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

interface Answer {
  status: number
  location: string | undefined
  cookies: string[]
}

/** Requests a URL exactly as written, with an expired session, so that its cookie is expired too. */
async function ask(path: string, method = 'GET'): Promise<Answer> {
  const { hostname, port } = new URL(c.url)
  return await new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, path, method, agent: false, headers: { cookie: 'token=ended' } },
      (answer) => {
        answer.resume()
        const { statusCode = 0, headers } = answer
        resolve({ status: statusCode, location: headers.location, cookies: headers['set-cookie'] ?? [] })
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
}

const COOKIE = /^[\w.-]+=; Path=(\/[a-z0-9./-]*); Max-Age=0; HttpOnly; SameSite=Strict(; Secure)?$/

const below = ['', 'login', 'api/v1/session', 'api/v1/session?x=1', 'assets/x.js', '?a=//evil.example']
const prefixes = [
  '/',
  '/api/proxy/a/b/',
  '/api/proxy/a/b;x/',
  '/api/proxy/a/b;Domain=example.com;/',
  '/api/proxy/a/b,token=x/',
  '/api/proxy/a/%3Bb/',
  '/api/proxy/a/b%0d%0aSet-Cookie:x=y/',
  '/api/proxy/\u00e9/b/',
  '/api/proxy/a"/b/',
  '/api/proxy/../..//evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/.//evil.example/',
  'http://evil.example/',
  'http://evil.example/api/proxy/a/b;x/',
]

test.each(prefixes)('a URL that starts with %s', async (prefix) => {
  for (const rest of below) {
    const { status, location, cookies } = await ask(prefix + rest)
    expect(status, prefix + rest).toBeLessThan(500)
    if (location !== undefined) expect(location).toMatch(/^\/(?![/\\])[a-z0-9./?=-]*$/)
    for (const cookie of cookies) expect(cookie).toMatch(COOKIE)
  }
})

test('sign-in below a made-up prefix sets no cookie with attributes from the URL', async () => {
  const body = JSON.stringify({ accessKey: c.rootUser, secretKey: c.rootPassword })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${c.url}/api/proxy/a/b;Domain=x;/api/v1/login`, { method: 'POST', body, headers })
  expect([response.status, response.headers.getSetCookie()]).toEqual([404, []])
})

test.each(['*', 'evil.example:443', 'x', ''])('a request for %j', async (target) => {
  const { hostname, port } = new URL(c.url)
  const socket = connect(Number(port), hostname)
  socket.end(`OPTIONS ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  let text = ''
  for await (const chunk of socket) text += chunk
  expect(text).toMatch(/^HTTP\/1\.1 4\d\d /)
})
