// @vitest-environment happy-dom
import '../../../../testing/dom.ts'
import { act } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../../../lib/api/query.ts'
import { render } from '../../../../testing/render.tsx'
import { answerRequests, type SentRequest } from '../../../../testing/responses.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import { newTenantDraft, updateDraft } from './tenant-draft.ts'
import { useClusterFacts } from './use-cluster-facts.ts'

let sent: SentRequest[]
let facts: ClusterFacts
beforeEach(() => {
  vi.useFakeTimers()
  queryClient.clear()
  const quota = { name: 'fast.storageclass.storage.k8s.io/requests.storage', hard: 10, used: 4 }
  sent = answerRequests({
    'GET /api/v1/namespaces/free/tenants': () => ({ tenants: [] }),
    'GET /api/v1/namespaces/used/tenants': () => ({ tenants: [{ name: 'media' }] }),
    'GET /api/v1/namespaces/free/resourcequotas/free-storagequota': () => ({ elements: [quota] }),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const Probe = ({ namespace }: { namespace: string }) => {
  facts = useClusterFacts(updateDraft(newTenantDraft(), 'nameTenant', { namespace }))
  return null
}
const pass = async (ms: number) => await act(async () => await vi.advanceTimersByTimeAsync(ms))

/** Lets time pass until the facts are as wanted. */
async function becomes(wanted: Partial<ClusterFacts>) {
  const isReached = () =>
    Object.keys(wanted).every((key) => Object.is(facts[key as 'namespace'], wanted[key as 'namespace']))
  for (let step = 0; step < 200 && !isReached(); step++) await pass(50)
  expect(facts).toMatchObject(wanted)
}
const paths = () => sent.map(({ url }) => url).filter((url) => url.includes('/namespaces/'))

/** Types a namespace letter by letter, 400 ms apart. */
async function type(namespace: string) {
  render(<Typist text={namespace} />)
  await pass(400 * namespace.length)
}
function Typist({ text }: { text: string }) {
  const [length, setLength] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setLength((before) => Math.min(before + 1, text.length)), 400)
    return () => clearInterval(timer)
  }, [text])
  return <Probe namespace={text.slice(0, length)} />
}

test('a namespace is checked 500 ms after typing stops, and then its storage classes are read [WIZ-11] [WIZ-67]', async () => {
  await type('free')
  await pass(450)
  expect([paths(), facts.namespace]).toEqual([[], undefined])
  await becomes({ namespace: '' })
  expect(facts.classes).toEqual([{ name: 'fast', available: 6 }])
  expect(paths()).toEqual([
    '/api/v1/namespaces/free/tenants',
    '/api/v1/namespaces/free/resourcequotas/free-storagequota',
  ])
})

test('a namespace with a tenant is rejected, and its storage classes are not read [WIZ-10] [WIZ-11]', async () => {
  await type('used')
  await becomes({ namespace: 'You can only create one tenant per namespace' })
  expect(paths()).toEqual(['/api/v1/namespaces/used/tenants'])
})

test('a text that is no name is rejected without a call [WIZ-10]', async () => {
  await type('No_')
  await becomes({ namespace: 'Please enter a valid namespace' })
  expect(paths()).toEqual([])
})
