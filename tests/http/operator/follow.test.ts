import { resources } from '@stowage/kube'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openLiveClient, UpgradeRefused } from '../../support/console/live-socket.ts'
import { runsOnSandbox, startOperator, type TestOperator } from '../../support/operator/start-operator.ts'

let o: TestOperator
beforeAll(async () => {
  o = await startOperator({ stopTimeouts: true })
})
afterAll(async () => await o?.[Symbol.asyncDispose]())
afterEach(() => o.sandbox.setFaults([]))

const rule = (apiGroup: string, resource: string, ...verbs: string[]) => ({
  apiGroups: [apiGroup],
  resources: [resource],
  verbs,
})
const newPod = async (namespace: string, name: string) => {
  const spec = { containers: [{ name: 'minio', image: 'minio/minio:latest' }] }
  await o.kube.create(resources.pods, { metadata: { name, namespace }, spec })
}
const follow = (caller: typeof o.admin, kinds: string, namespaces: string) =>
  openLiveClient(caller, 'followCluster', { query: { kinds, namespaces } })

test('changes are reported by name, for the kinds that the caller may see', async () => {
  const namespace = await o.newNamespace()
  const caller = await o.signInWith([rule('', 'pods', 'list', 'watch')], namespace)
  await using live = await follow(caller, 'pods,events', namespace)
  const first = [await live.message(), await live.message()]
  expect(first).toContainEqual({ kind: 'pods', what: 'listed', namespace, name: '' })
  expect(first).toContainEqual({ kind: 'events', what: 'refused', namespace, name: '' })
  await newPod(namespace, 'alpha-0')
  expect(await live.message()).toEqual({ kind: 'pods', what: 'changed', namespace, name: 'alpha-0' })
})

test.skipIf(!runsOnSandbox)('all pages of a token share one watch of the cluster', async () => {
  const namespace = await o.newNamespace()
  // A second watch would be refused.
  o.sandbox.setFaults([{ on: { verb: 'watch', resource: 'pods' }, after: 1, status: 403 }])
  const pages = await Promise.all(Array.from({ length: 10 }, () => follow(o.admin, 'pods', namespace)))
  for (const page of pages) expect(await page.message()).toMatchObject({ what: 'listed' })
  await newPod(namespace, 'alpha-0')
  for (const page of pages) {
    expect(await page.message()).toMatchObject({ what: 'changed', name: 'alpha-0' })
    await page[Symbol.asyncDispose]()
  }
})

test.skipIf(!runsOnSandbox)('a broken watch is reported, and missed changes are sent later', async () => {
  const namespace = await o.newNamespace()
  o.sandbox.setFaults([{ on: { verb: 'watch', resource: 'pods' }, times: 1, cutAfterMs: 50 }])
  await using live = await follow(o.admin, 'pods', namespace)
  expect(await live.message()).toMatchObject({ what: 'listed' })
  expect(await live.message()).toMatchObject({ what: 'interrupted' })
  await newPod(namespace, 'alpha-0')
  const after = [await live.message(), await live.message()]
  expect(after.map(({ what }) => what).sort()).toEqual(['changed', 'resumed'])
})

test('without a session there are no messages, and sign-out ends them', async () => {
  await expect(follow(o.anonymous(), 'pods', 'default')).rejects.toThrow(UpgradeRefused)
  const caller = await o.signIn(o.sandbox.token)
  await using live = await follow(caller, 'pods', 'default')
  await live.message()
  await caller.call('logout', {})
  expect((await live.closed).code).toBe(1008)
})

/** A socket that follows tenants and pods with a token of its own. */
async function followOwn() {
  const namespace = await o.newNamespace()
  const rights = [rule('minio.min.io', 'tenants', 'list', 'watch'), rule('', 'pods', 'list', 'watch')]
  const token = await o.newToken(rights, namespace)
  // A refused call ends its session, so calls are made in another session of the token.
  const [follower, caller] = [await o.signIn(token), await o.signIn(token)]
  const live = await follow(follower, 'tenants,pods', namespace)
  const first = [await live.message(), await live.message()]
  expect(first.map(({ kind, what }) => `${kind} ${what}`).sort()).toEqual(['pods listed', 'tenants listed'])
  const watches = () => ['tenants', 'pods'].map((kind) => (runsOnSandbox ? o.sandbox.watches(kind, namespace) : 0))
  if (runsOnSandbox) await expect.poll(watches, { interval: 10 }).toEqual([1, 1])
  return { namespace, caller, live, watches }
}

test('a socket whose token is revoked ends within a minute, and so do its watches of the cluster', async () => {
  const { namespace, caller, live, watches } = await followOwn()
  const { objects } = await o.kube.list(resources.serviceAccounts, { namespace })
  for (const { metadata } of objects.filter((each) => each.metadata.name.startsWith('account')))
    await o.kube.delete(resources.serviceAccounts, { namespace, name: metadata.name })
  // A real API server keeps the result of its check for ten seconds.
  await expect
    .poll(async () => (await caller.send('listNamespaceTenants', { params: { namespace }, query: {} })).status)
    .toBe(401)
  // The watches were accepted before, so the API server goes on sending changes.
  expect(live.socket.readyState).toBe(live.socket.OPEN)
  await o.pass(60_000)
  expect(await live.closed).toEqual({ code: 1008, reason: 'unauthorized' })
  expect((await live.nextOfKind('failed')).error.code).toBe(401)
  await expect.poll(watches, { timeout: 5_000 }).toEqual([0, 0])
})

test('a socket ends with its token, and so do its watches of the cluster', async () => {
  const { live, watches } = await followOwn()
  await o.pass(3_540_000)
  await o.admin.call('getSession', {})
  expect(live.socket.readyState).toBe(live.socket.OPEN)
  await o.pass(60_000)
  expect((await live.closed).code).toBe(1008)
  expect((await live.nextOfKind('failed')).error).toMatchObject({ code: 401, reason: { id: 'session-ended' } })
  await expect.poll(watches, { timeout: 5_000 }).toEqual([0, 0])
})

test.each(['secrets', '', 'pods,../secrets'])(
  'only kinds shown on pages can be followed: %j is refused',
  async (kinds) => {
    await using live = await follow(o.admin, kinds, 'default')
    expect((await live.closed).code).toBe(1008)
  },
)
