import { type Endpoint, endpoints, type Operation } from '@stowage/contract'
import { examples } from '@stowage/contract/examples'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestCaller } from '../../support/console/caller.ts'
import { openLiveClient } from '../../support/console/live-socket.ts'
import { startOperator, type TestOperator } from '../../support/operator/start-operator.ts'

let o: TestOperator
let nobody: TestCaller
beforeAll(async () => {
  o = await startOperator()
  nobody = await o.signInWith([])
})
afterAll(async () => await o?.[Symbol.asyncDispose]())

const all = (Object.entries(endpoints) as [Operation, Endpoint][]).filter(([, { mode }]) => mode === 'operator')
/** These reveal nothing about the cluster: they compute, check the caller's own rights, or preview what would be refused. */
const free: readonly string[] = ['getParity', 'reviewAccess', 'previewTenant', 'listTenantFields']

const status = async (caller: TestCaller, operation: Operation): Promise<number> => {
  const response = await caller.send(operation, examples[operation] as never)
  await response.body?.cancel()
  return response.status
}

test('every call of operator mode without a session is 401', async () => {
  for (const [name] of all) {
    const response = await o.anonymous().send(name, examples[name] as never)
    await response.body?.cancel()
    expect([name, response.status, response.headers.get('cache-control')]).toEqual([name, 401, 'no-store'])
  }
})

test('every call of operator mode is refused to a service account without rights', async () => {
  // A socket is refused after its upgrade: follow.test.ts and the next test.
  for (const [name, { answer }] of all)
    if (!free.includes(name) && answer !== 'socket')
      expect([name, await status(nobody, name)]).toEqual([name, refusal(name)])
})

test.each(['followPodLog', 'followTenantLog'] as const)(
  '%s is refused to a service account without rights',
  async (call) => {
    await using live = await openLiveClient(nobody, call, examples[call])
    expect((await live.closed).code).toBe(1008)
  },
)

/** Without the right to read drive managers, the answer is that there are none. */
function refusal(name: string): number {
  return ['activateTenantLicense'].includes(name) ? 404 : 403
}

test('calls of a storage server do not exist in operator mode', async () => {
  expect(await status(o.admin, 'listBuckets')).toBe(404)
})
