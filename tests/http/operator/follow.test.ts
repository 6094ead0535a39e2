import { resources } from '@stowage/kube'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openLive, UpgradeRefused } from '../../support/live.ts'
import { onSandbox, startOperator, type TestOperator } from '../../support/operator.ts'

let o: TestOperator
beforeAll(async () => {
  o = await startOperator()
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
  openLive(caller, 'followCluster', { query: { kinds, namespaces } })

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

test.skipIf(!onSandbox)('all pages of a token share one watch of the cluster', async () => {
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

test.skipIf(!onSandbox)('a broken watch is reported, and missed changes are sent later', async () => {
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

test.each(['secrets', '', 'pods,../secrets'])(
  'only kinds shown on pages can be followed: %j is refused',
  async (kinds) => {
    await using live = await follow(o.admin, kinds, 'default')
    expect((await live.closed).code).toBe(1008)
  },
)
