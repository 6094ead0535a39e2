import { reason } from '@stowage/contract'
import { expect, test, vi } from 'vitest'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import type { KubeSession } from '../../../lib/session/session-payload.ts'
import { renewToken } from '../operator/operator-session-routes.ts'
import type { OidcSignIns } from '../sso/oidc-sign-ins.ts'
import { SessionRenewals } from './session-renewals.ts'

type Refresh = OidcSignIns['refresh']

const makeToken = (name: string, seconds: number) => {
  const claims = Buffer.from(JSON.stringify({ name, exp: Math.round(Date.now() / 1000) + seconds })).toString(
    'base64url',
  )
  return `e30.${claims}.x`
}
const session = (name: string, seconds: number): KubeSession => ({
  v: 1,
  kind: 'kube',
  id: 'one',
  user: 'anna',
  token: makeToken(name, seconds),
  expires: Date.now() + 3_600_000,
  renewal: { provider: 'main', refreshToken: `refresh-${name}`, tokenExpires: Date.now() + seconds * 1000 },
})
const CLAIMS = { iss: 'https://id.example', sub: 'anna', aud: 'stowage', iat: 0, exp: 0 }
const renewalsBy = (refresh: Refresh) =>
  new SessionRenewals<KubeSession>((old, renewal) => renewToken({ refresh }, old, renewal))
const giving = (...names: string[]) => {
  const left = [...names]
  return vi.fn<Refresh>(async () => {
    const name = left.shift() ?? 'last'
    return { idToken: makeToken(name, 600), claims: CLAIMS, refreshToken: `refresh-${name}` }
  })
}

test('a token that is valid for a while stays', async () => {
  const refresh = giving()
  const first = session('a', 600)
  expect(await renewalsBy(refresh).current(first)).toBe(first)
  expect(refresh).not.toHaveBeenCalled()
})

test('requests at once share one exchange, and later ones with the old cookie its result', async () => {
  const refresh = giving('b')
  const renewals = renewalsBy(refresh)
  const old = session('a', 5)
  const [one, two] = await Promise.all([renewals.current(old), renewals.current({ ...old })])
  expect(one).toBe(two)
  expect(await renewals.current({ ...old })).toBe(one)
  expect(refresh.mock.calls).toEqual([['main', 'refresh-a']])
  expect(one.renewal?.refreshToken).toBe('refresh-b')
})

test('a provider that gives no new refresh token keeps the one that it gave', async () => {
  const renewals = renewalsBy(async () => ({ idToken: makeToken('b', 600), claims: CLAIMS, refreshToken: undefined }))
  const renewed = await renewals.current(session('a', 5))
  expect([renewed.token, renewed.renewal?.refreshToken]).toEqual([makeToken('b', 600), 'refresh-a'])
})

test('a newer token from another replica replaces the known one', async () => {
  const refresh = giving('b', 'c')
  const renewals = renewalsBy(refresh)
  await renewals.current(session('a', 5))
  const newer = session('z', 900)
  expect(await renewals.current(newer)).toBe(newer)
  expect(refresh).toHaveBeenCalledTimes(1)
})

test('while the provider is unreachable a valid token is kept, and is not renewed with each request', async () => {
  const refresh = vi.fn<Refresh>(async () => {
    throw new HttpError(502, reason('sso-unreachable'))
  })
  const renewals = renewalsBy(refresh)
  const old = session('a', 10)
  expect(await renewals.current(old)).toBe(old)
  expect(await renewals.current(old)).toBe(old)
  expect(refresh).toHaveBeenCalledTimes(1)
  await expect(renewals.current({ ...session('b', -5), id: 'two' })).rejects.toMatchObject({ status: 502 })
})

test('a provider that refuses ends the session', async () => {
  const renewals = renewalsBy(async () => {
    throw new HttpError(401, reason('sign-in-refused'))
  })
  await expect(renewals.current(session('a', 10))).rejects.toMatchObject({
    status: 401,
    reason: { id: 'session-invalid' },
  })
})
