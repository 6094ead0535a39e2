import { expect, test } from 'vitest'
import { Api, targetIsSandbox } from './support/scenario.ts'

/** What the sandbox lacks it refuses. A real API server has all of this, so nothing is recorded. */
const refusal = test.runIf(targetIsSandbox)
const maps = '/api/v1/namespaces/default/configmaps'

refusal.each([
  ['server-side apply', 'PATCH', `${maps}/x?fieldManager=a&force=true`, 'application/apply-patch+yaml', 415],
  ['apply as CBOR', 'PATCH', `${maps}/x?fieldManager=a`, 'application/apply-patch+cbor', 415],
  ['a strategic merge patch', 'PATCH', `${maps}/x`, 'application/strategic-merge-patch+json', 415],
  ['an object in YAML', 'POST', maps, 'application/yaml', 415],
  ['an object in protobuf', 'POST', maps, 'application/vnd.kubernetes.protobuf', 415],
] as const)('%s is refused', async (_, method, path, type, status) => {
  const answer = await new Api('refusals').send(method, path, {}, { headers: { 'content-type': type } })
  expect(answer).toMatchObject({ status, body: { kind: 'Status', reason: 'UnsupportedMediaType' } })
})

refusal.each([
  ['OpenAPI v2', '/openapi/v2', 'application/json'],
  ['OpenAPI v3', '/openapi/v3/apis/apps/v1', 'application/json'],
  ['Tables', maps, 'application/json;as=Table;v=v1;g=meta.k8s.io'],
  ['metadata alone', maps, 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'],
  ['YAML', maps, 'application/yaml'],
  ['protobuf', maps, 'application/vnd.kubernetes.protobuf'],
] as const)('answers as %s are refused', async (_, path, accept) => {
  const answer = await new Api('refusals').send('GET', path, undefined, { headers: { accept } })
  expect(answer).toMatchObject({ status: 406, body: { kind: 'Status', reason: 'NotAcceptable' } })
})

refusal.each([
  ['a field that has no selector', 'GET', `${maps}?fieldSelector=data.a%3Db`, 400],
  [
    'a watch with its first list',
    'GET',
    `${maps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
    422,
  ],
  ['orphanDependents', 'DELETE', `${maps}/x?orphanDependents=true`, 400],
  ['a grace period that is no number', 'DELETE', `${maps}/x?gracePeriodSeconds=soon`, 400],
  ['a subresource', 'GET', `/api/v1/namespaces/default/pods/x/exec`, 404],
  ['a kind', 'GET', '/apis/networking.k8s.io/v1/ingresses', 404],
] as const)('%s is refused', async (_, method, path, status) => {
  const answer = await new Api('refusals').send(method, path)
  expect(answer.status).toBe(status)
})

refusal('options of a deletion with wrong types are refused', async () => {
  const api = new Api('refusals')
  for (const body of [{ gracePeriodSeconds: '5' }, { gracePeriodSeconds: 1.5 }, { orphanDependents: true }])
    expect([body, (await api.send('DELETE', `${maps}/x`, body)).status]).toEqual([body, 400])
})

refusal.each(['yes', 'TRUE', '', '1'])('watch=%s is a watch, as on a real server', async (value) => {
  // A list has no timeout and one body; a watch ends by itself, with an event for each object.
  const answer = await new Api('refusals').send('GET', `/api/v1/namespaces?watch=${value}&timeoutSeconds=1`)
  expect(String(answer.body)).toMatch(/^\{"type":"ADDED"/)
})

refusal.each(['0', 'false', 'FALSE'])('watch=%s is a list', async (value) => {
  const answer = await new Api('refusals').send('GET', `/api/v1/namespaces?watch=${value}`)
  expect(answer.body.kind).toBe('NamespaceList')
})
