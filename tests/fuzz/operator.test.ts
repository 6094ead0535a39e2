import { resources, tenants } from '@stowage/kube'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOperator, type TestOperator } from '../support/operator/start-operator.ts'
import { findComplaint } from './complaint.ts'
import { operatorRequests } from './console-requests.ts'
import { hostAndPort } from './fuzz-target.ts'
import { Sender } from './sender.ts'

const SEED = 1
const REQUESTS = 400
const CONCURRENCY = 8
/** The tenant here has no servers, and nodes cannot hold every size. */
const EXPECTED = /"id":"(tenant-usage|tenant-unreachable|nodes-[a-z-]+)"/

let o: TestOperator
beforeAll(async () => {
  o = await startOperator({ release: '7', env: { STOWAGE_TRUST_PROXY: '1', STOWAGE_LOG_LEVEL: 'error' } })
})
afterAll(async () => await o?.[Symbol.asyncDispose]())

/** Makes the tenant of the examples, if a request has deleted it. */
async function prepare(): Promise<void> {
  const namespace = 'team-a'
  await o.kube.create(resources.namespaces, { metadata: { name: namespace } }).catch(() => undefined)
  const { objects } = await o.kube.list(tenants, { namespace })
  if (objects.length > 0) return
  const pool = { servers: 4, volumes_per_server: 2, volume_configuration: { size: 2 ** 30 } }
  await o.admin.call('createTenant', { body: { name: 'alpha', namespace, pools: [pool] } })
}

test('generated requests to operator mode find no undocumented 5xx, no hang, no error in the log and no lost session', async () => {
  const nobody = await o.signInWith([])
  const console = hostAndPort(o.url)
  const keys = { accessKey: 'none', secretKey: 'none' }
  const sender = new Sender(
    {
      store: console,
      console,
      credentials: { root: keys, user: keys, session: keys },
      sessions: { root: o.admin.session ?? '', user: nobody.session ?? '' },
    },
    async () => (await o.signIn(o.sandbox.token)).session ?? '',
  )
  const complaints: string[] = []
  const requests = fc.sample(operatorRequests, { numRuns: REQUESTS, seed: SEED })
  for (let from = 0; from < REQUESTS; from += 100) {
    await prepare()
    const left = requests.slice(from, from + 100).values()
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        for (const request of left) {
          const answer = await sender.send(request).catch((error: Error) => error.message)
          const complaint =
            typeof answer === 'string'
              ? answer
              : answer && !EXPECTED.test(answer.body.toString())
                ? findComplaint(request, answer)
                : undefined
          if (complaint) complaints.push(`${complaint}: ${JSON.stringify(request)}`)
        }
      }),
    )
  }
  sender.close()
  expect(complaints).toEqual([])
  expect(o.output()).not.toMatch(/"level":(50|60)/)
  expect((await o.admin.call('getSession', {})).operator).toBe(true)
})
