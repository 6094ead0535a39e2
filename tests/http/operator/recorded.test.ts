import { readFileSync } from 'node:fs'
import { type KubeObject, resources, tenants } from '@stowage/kube'
import type { Secret } from 'kubernetes-types/core/v1'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { missingMembers, type RecordedCall } from '../../support/data/recorded-calls.ts'
import { ensureUnlicensed } from '../../support/operator/licenses.ts'
import { startOperator, type TestOperator } from '../../support/operator/start-operator.ts'

/** A call to the original in operator mode with its answer, or an object that it had created. */
interface Row extends RecordedCall {
  object?: Record<string, unknown>
}

const rows = JSON.parse(readFileSync(new URL('recorded/operator.json', import.meta.url), 'utf8')) as Row[]

/** Errors that the original answered with 500 or a misleading status, and their statuses here. */
const STATUS: Readonly<Record<string, number>> = {
  'login.bad': 401,
  'namespace.dup': 409,
  'namespace.bad': 400,
  'parity.1x1': 400,
  'tenant.dup': 409,
  'tenant.badname': 400,
  // A tenant without pools is refused before its namespace is read.
  'tenant.nopool': 400,
  'update.bad': 400,
  // The cluster has no storage servers.
  usage: 502,
  'subscription.activate': 404,
  // No object owns this pod: the original answers 204 after deleting an empty selection.
  'pod.delete': 404,
  logout: 200,
  'session.after': 401,
}
let o: TestOperator
beforeAll(async () => {
  o = await startOperator()
  await ensureUnlicensed(o.kube)
  const node = await o.kube.get(resources.nodes, { name: 'node4' })
  const taint = { key: 'maintenance', value: 'yes', effect: 'NoSchedule' }
  await o.kube.update(resources.nodes, { ...node, spec: { ...node.spec, taints: [taint] } })
  await o.kube.create(resources.namespaces, { metadata: { name: 'quota-ns' } })
  const name = 'standard.storageclass.storage.k8s.io/requests.storage'
  await o.kube.create(resources.resourceQuotas, {
    metadata: { name: 'quota-ns-storagequota', namespace: 'quota-ns' },
    spec: { hard: { [name]: '10Ti' } },
  })
})
afterAll(async () => await o?.[Symbol.asyncDispose]())

test('the recorded calls of operator mode have answers of the same shape [LGN-15] [TNT-05] [TNT-11] [TNT-24] [WIZ-61] [WIZ-63] [WIZ-64] [WIZ-65] [WIZ-66] [WIZ-67]', async () => {
  let session = ''
  for (const row of rows) {
    if (row.object !== undefined) {
      await compareObjects(row)
      continue
    }
    if (row.id === 'proxy') continue
    const isLogin = row.id.startsWith('login')
    const body = isLogin ? { jwt: row.id === 'login' ? ` ${o.sandbox.token}\n` : 'wrong' } : row.body
    const response = await fetch(o.url + row.p, {
      method: row.m,
      headers: {
        ...(session === '' ? {} : { authorization: `Bearer ${session}` }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    const wanted = STATUS[row.id] ?? row.status
    // Rows of status 0 are crashes of the original.
    if (wanted === 0) expect([row.id, response.ok], text).toEqual([row.id, true])
    else expect([row.id, response.status], text).toEqual([row.id, wanted])
    const answer: unknown = text === '' ? null : JSON.parse(text)
    if (wanted === row.status)
      expect(missingMembers(row.json, answer, { emptyMayMiss: true }), `${row.id}: ${text}`).toEqual([])
    else if (!response.ok)
      expect(answer).toMatchObject({ message: expect.any(String), detailedMessage: expect.any(String) })
    if (row.id === 'login') session = (answer as { sessionId: string }).sessionId
    const recordedAnswer = row.json as { message?: string; pages?: string[] } | null
    if (wanted === row.status && !response.ok)
      expect((answer as typeof recordedAnswer)?.message, row.id).toBe(recordedAnswer?.message)
    if (row.id === 'session')
      expect((answer as typeof recordedAnswer)?.pages).toEqual(expect.arrayContaining(recordedAnswer?.pages ?? []))
  }
})

/** Our objects have the members of the recorded ones, except those that the operator of that time dropped. */
async function compareObjects({ id, object = {} }: Row): Promise<void> {
  if (Array.isArray(object.items)) {
    const recorded = object.items as Secret[]
    const namespace = recorded[0]?.metadata?.namespace
    const labelSelector = 'v1.min.io/tenant'
    const { objects } = await o.kube.list(resources.secrets, { namespace, labelSelector })
    expect(objects.map(({ metadata }) => metadata.name).sort(), id).toEqual(
      recorded.map(({ metadata }) => metadata?.name).sort(),
    )
    for (const each of recorded) {
      const ours = objects.find(({ metadata }) => metadata.name === each.metadata?.name)
      expect(Object.keys(ours?.data ?? {}).sort(), each.metadata?.name).toEqual(Object.keys(each.data ?? {}).sort())
      expect([ours?.type, ours?.metadata.labels], each.metadata?.name).toEqual([each.type, each.metadata?.labels])
    }
    return
  }
  const { metadata, spec } = object as unknown as KubeObject & { spec: Record<string, unknown> }
  const ours = await o.kube.get(tenants, { namespace: metadata?.namespace, name: metadata?.name ?? '' })
  expect(ours.spec, id).toMatchObject(withoutEmpty(spec) as object)
  const added = Object.keys(ours.spec ?? {}).filter((name) => !(name in spec))
  // The keys are in a file of the tenant, which the original created without a reference to it.
  expect(added, id).toEqual(['configuration'])
}

/** Without empty members, which Go servers add. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, withoutEmpty(member)] as const)
      .filter(([, member]) => typeof member !== 'object' || member === null || Object.keys(member).length > 0),
  )
}
