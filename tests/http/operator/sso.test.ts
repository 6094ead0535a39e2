import { resources } from '@stowage/kube'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callFailure, TestCaller } from '../../support/console/caller.ts'
import { openLiveClient } from '../../support/console/live-socket.ts'
import { type SsoOperator, startSsoOperator } from '../../support/operator/operator-sso.ts'
import type { TestOperator } from '../../support/operator/start-operator.ts'
import type { TestProvider } from '../../support/sign-in/oidc-provider.ts'
import { signInAtProvider } from '../../support/sign-in/provider-sign-in.ts'

/** Shorter than the console's renewal margin, so every call renews the token. */
const TOKEN_SECONDS = 20

let sso: SsoOperator
let provider: TestProvider
let o: TestOperator
beforeAll(async () => {
  sso = await startSsoOperator({
    idTokenSeconds: TOKEN_SECONDS,
    env: (callback) => ({
      CONSOLE_IDP_SCOPES: 'openid,offline_access',
      // An internal address that nobody has allowed.
      CONSOLE_IDP_URL_INSIDE: 'http://169.254.169.254/',
      CONSOLE_IDP_CLIENT_ID_INSIDE: 'stowage',
      CONSOLE_IDP_CALLBACK_INSIDE: callback,
    }),
  })
  ;({ provider, operator: o } = sso)
})
afterAll(async () => await sso?.[Symbol.asyncDispose]())

const startAddress = () => `${o.url}/api/v1/login/oauth2/start/main`

/** Gives a user of the provider a cluster-wide right. */
async function allow(user: string, resource: string, ...verbs: string[]) {
  const name = o.freshName('sso')
  const apiGroup = 'rbac.authorization.k8s.io'
  const apiGroups = resource === 'tenants' ? ['minio.min.io'] : ['']
  await o.kube.create(resources.clusterRoles, {
    metadata: { name },
    rules: [{ apiGroups, resources: [resource], verbs }],
  })
  const subjects = [{ kind: 'User', apiGroup, name: `oidc:${user}@example.com` }]
  await o.kube.create(resources.clusterRoleBindings, {
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name },
    subjects,
  })
}

async function signIn(user: string): Promise<TestCaller> {
  const { sent, cookie } = await signInAtProvider(startAddress(), user)
  const caller = new TestCaller(o.url)
  const { sessionId } = await caller.call('loginOauth2', { body: sent }, { headers: { cookie } })
  caller.session = sessionId
  return caller
}

test('the sign-in page offers the provider and a JWT', async () => {
  const strategy = await o.anonymous().call('getLoginStrategy', {})
  expect(strategy).toMatchObject({
    loginStrategy: 'redirect',
    redirect: '/api/v1/login/oauth2/start/main',
    operator: true,
  })
  expect((await o.admin.call('getSession', {})).user).toBe('admin')
})

test('a user of the provider acts with their ID token, without rights of the console', async () => {
  await allow('anna', 'tenants', 'list', 'get')
  const [anna, bob] = [await signIn('anna'), await signIn('bob')]
  const session = await anna.call('getSession', {})
  expect(session).toMatchObject({ user: 'oidc:anna@example.com', operator: true })
  // The session lasts longer than the token of 20 s.
  expect(Date.parse(session.expires ?? '') - Date.now()).toBeGreaterThan(60_000)
  expect(await anna.call('listTenants', {})).toMatchObject({ total: 0 })
  const refused = await callFailure(bob.call('listTenants', {}))
  expect([refused.status, refused.body.detailedMessage]).toEqual([
    403,
    expect.stringContaining('User "oidc:bob@example.com" cannot list resource "tenants"'),
  ])
  // The browser never sees the token, and the session is not a credential for the cluster.
  const raw = await fetch(`${o.url}/api/v1/session`, { headers: { authorization: `Bearer ${anna.session}` } })
  expect(await raw.text()).not.toMatch(/eyJ[\w-]+\.eyJ/)
})

test('parallel calls renew a token once, and a browser gets the new one', async () => {
  const caller = await signIn('carl')
  const before = provider.renewed()
  const answers = await Promise.all(Array.from({ length: 8 }, () => caller.send('getSession', {})))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const renewed = provider.renewed() - before
  expect(renewed).toBeGreaterThanOrEqual(1)
  // The provider ends a session whose refresh token is used twice, so later calls would fail.
  await caller.call('getSession', {})
  const { sent, cookie } = await signInAtProvider(startAddress(), 'dora')
  const headers = { origin: o.url, 'sec-fetch-site': 'same-origin' }
  const signedIn = await new TestCaller(o.url).send('loginOauth2', { body: sent }, { headers: { ...headers, cookie } })
  const own = answerCookies(signedIn)
  const answer = await new TestCaller(o.url).send('getSession', {}, { headers: { ...headers, cookie: own } })
  expect(answer.status).toBe(200)
  expect(answerCookies(answer)).toMatch(/^stowage-/)
  expect(answerCookies(answer)).not.toBe(own)
})

const answerCookies = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .filter((line) => !line.includes('Max-Age=0'))
    .map((line) => line.split(';')[0])
    .join('; ')

test('a user whom the provider has blocked is signed out', async () => {
  const caller = await signIn('erik')
  await caller.call('getSession', {})
  provider.block('erik')
  const refused = await callFailure(caller.call('getSession', {}))
  expect([refused.status, refused.body.reason?.id]).toEqual([401, 'session-invalid'])
})

test('a page is updated with the renewed token', async () => {
  await allow('fay', 'pods', 'list', 'watch')
  const caller = await signIn('fay')
  const namespace = await o.newNamespace()
  // The watch is reopened later, with the token of that time.
  o.sandbox.setFaults([{ on: { verb: 'watch', resource: 'pods' }, times: 1, cutAfterMs: 50 }])
  await using live = await openLiveClient(caller, 'followCluster', { query: { kinds: 'pods', namespaces: namespace } })
  expect(await live.message()).toMatchObject({ what: 'listed' })
  const before = provider.renewed()
  expect(await live.message()).toMatchObject({ what: 'interrupted' })
  const spec = { containers: [{ name: 'minio', image: 'minio/minio:latest' }] }
  await o.kube.create(resources.pods, { metadata: { name: 'alpha-0', namespace }, spec })
  const after = [await live.message(), await live.message()]
  expect(after.map(({ what }) => what).sort()).toEqual(['changed', 'resumed'])
  expect(provider.renewed()).toBeGreaterThan(before)
  o.sandbox.setFaults([])
})

test('a code is valid once, and only in the browser that requested it', async () => {
  const { sent, cookie } = await signInAtProvider(startAddress(), 'anna')
  const stranger = await callFailure(o.anonymous().call('loginOauth2', { body: sent }))
  expect(stranger.status).toBe(401)
  await o.anonymous().call('loginOauth2', { body: sent }, { headers: { cookie } })
  const again = await callFailure(o.anonymous().call('loginOauth2', { body: sent }, { headers: { cookie } }))
  expect(again.status).toBe(401)
})

test.each([
  ['nobody', 404],
  ['inside', 502],
  ['..%2Fmain', 404],
])('a sign-in at the provider %s is refused with %d', async (id, status) => {
  const answer = await fetch(`${o.url}/api/v1/login/oauth2/start/${id}`, { redirect: 'manual' })
  expect(answer.status).toBe(status)
})
