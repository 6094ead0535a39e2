import { expect, test } from 'vitest'
import { type Api, scenario, target, targetIsSandbox } from './support/scenario.ts'

const core = '/api/v1'
const jsonPatch = { headers: { 'content-type': 'application/json-patch+json' } }
const mergePatch = { headers: { 'content-type': 'application/merge-patch+json' } }

async function aSecret(api: Api) {
  // Error messages contain the whole patched object, with the server's own fields.
  api.normalizer.mask(/"\{\\".*\}"/, '<object>')
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/configmaps`
  const object = await api.must('POST', all, {
    metadata: { name: 'a', labels: { one: '1', two: '2' }, annotations: { 'a/b': 'slash' } },
    data: { k: 'v', l: 'w' },
  })
  return { all, path: `${all}/a`, version: object.metadata.resourceVersion as string }
}

scenario('a JSON patch changes what it names', async (api) => {
  const { path, version } = await aSecret(api)
  const patch = (step: string, ...operations: unknown[]) => api.step(step, 'PATCH', path, operations, jsonPatch)
  await patch('replace', { op: 'replace', path: '/data/k', value: 'x' })
  await patch('add', { op: 'add', path: '/data/new', value: 'y' })
  await patch('remove', { op: 'remove', path: '/data/new' })
  await patch('remove what is not there', { op: 'remove', path: '/data/new' })
  await patch('replace what is not there', { op: 'replace', path: '/data/none', value: 'x' })
  await patch('add below what is not there', { op: 'add', path: '/binaryData/x', value: 'eA==' })
  await patch('an escaped name', { op: 'replace', path: '/metadata/annotations/a~1b', value: 'new' })
  await patch(
    'copy and move',
    { op: 'copy', from: '/data/k', path: '/data/copied' },
    { op: 'move', from: '/data/l', path: '/data/moved' },
  )
  await patch(
    'a test that holds',
    { op: 'test', path: '/data/k', value: 'x' },
    { op: 'replace', path: '/data/k', value: 'z' },
  )
  await patch(
    'a test that fails',
    { op: 'test', path: '/data/k', value: 'x' },
    { op: 'replace', path: '/data/k', value: '!' },
  )
  await patch(
    'lists',
    { op: 'add', path: '/metadata/finalizers', value: ['a.com/1'] },
    { op: 'add', path: '/metadata/finalizers/-', value: 'a.com/2' },
    { op: 'add', path: '/metadata/finalizers/0', value: 'a.com/0' },
  )
  await patch('beyond a list', { op: 'add', path: '/metadata/finalizers/7', value: 'a.com/7' })
  await patch('remove from a list', { op: 'remove', path: '/metadata/finalizers/1' })
  await patch('remove a list', { op: 'remove', path: '/metadata/finalizers' })
  await patch('nothing')
  await patch(
    'at an older version',
    { op: 'replace', path: '/metadata/resourceVersion', value: version },
    { op: 'replace', path: '/data/k', value: '!' },
  )
  await patch('another name', { op: 'replace', path: '/metadata/name', value: 'b' })
  await patch('another uid', { op: 'replace', path: '/metadata/uid', value: '3c9b8f4e-0b8f-4c9e-9a52-0d8f3f2a7c11' })
  await api.step('another kind', 'PATCH', path, [{ op: 'replace', path: '/kind', value: 'Secret' }], {
    ...jsonPatch,
    pick: ({ reason }) => reason,
  })
  await patch('an unknown operation', { op: 'swap', path: '/data/k', value: 'x' })
  await patch('a wrong type', { op: 'replace', path: '/data', value: 'x' })
  await patch('an unknown field', { op: 'add', path: '/colour', value: 'red' })
  await api.step('a patch that is an object', 'PATCH', path, { op: 'remove', path: '/data' }, jsonPatch)
  await api.step('a patch that is no JSON', 'PATCH', path, undefined, { ...jsonPatch, raw: '[{' })
  await api.step(
    'dry run',
    'PATCH',
    `${path}?dryRun=All`,
    [{ op: 'replace', path: '/data/k', value: 'dry' }],
    jsonPatch,
  )
  await api.step('after all', 'GET', path)
  await api.step('of what is not there', 'PATCH', `${path}-none`, [], jsonPatch)
})

scenario('a merge patch', async (api) => {
  const { path, version } = await aSecret(api)
  const patch = (step: string, body: unknown) => api.step(step, 'PATCH', path, body, mergePatch)
  await patch('set and remove', { data: { k: 'x', l: null, m: 'new' }, metadata: { labels: { one: null } } })
  await patch('a list is replaced', { metadata: { finalizers: ['a.com/1', 'a.com/2'] } })
  await patch('and again', { metadata: { finalizers: ['a.com/3'] } })
  await patch('and removed', { metadata: { finalizers: null } })
  await patch('at an older version', { metadata: { resourceVersion: version }, data: { k: '!' } })
  await patch('a list as a patch', [])
  await patch('an unknown field', { colour: 'red' })
  await patch('nothing', {})
  await api.step('strictly', 'PATCH', `${path}?fieldValidation=Strict`, { colour: 'red' }, mergePatch)
  await api.step('a patch that is no JSON', 'PATCH', path, undefined, { ...mergePatch, raw: '{' })
})

scenario('patches of unknown kinds', async (api) => {
  const { path } = await aSecret(api)
  await api.step('plain JSON', 'PATCH', path, { data: { k: 'x' } })
  await api.step('XML', 'PATCH', path, undefined, { raw: '<a/>', headers: { 'content-type': 'application/xml' } })
})

test.runIf(targetIsSandbox)('the sandbox refuses the kinds of patch that it does not have', async () => {
  const { Api } = await import('./support/scenario.ts')
  const api = new Api('refused')
  for (const type of ['application/apply-patch+yaml', 'application/strategic-merge-patch+json']) {
    const answer = await api.send(
      'PATCH',
      `${core}/namespaces/default/configmaps/kube-root-ca.crt?fieldManager=x`,
      {},
      { headers: { 'content-type': type } },
    )
    expect(answer).toMatchObject({ status: 415, body: { reason: 'UnsupportedMediaType' } })
  }
  expect(target.kind).toBe('sandbox')
})
