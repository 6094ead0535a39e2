import { scenario } from './support/scenario.ts'

const core = '/api/v1'

scenario('a config map is created, read, replaced and deleted', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/configmaps`
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { app: 'x' } }, data: { k: 'v' } }
  const { body: created } = await api.step('create', 'POST', all, body)
  await api.step('create again', 'POST', all, body)
  await api.step('get', 'GET', `${all}/a`)
  await api.step('replace', 'PUT', `${all}/a`, { ...created, data: { k: 'w' } })
  await api.step('replace what has changed since', 'PUT', `${all}/a`, { ...created, data: { k: 'x' } })
  await api.step('replace at no version', 'PUT', `${all}/a`, { ...body, data: { k: 'y' } })
  await api.step('replace what is equal', 'PUT', `${all}/a`, { ...body, data: { k: 'y' } })
  await api.step('replace another object', 'PUT', `${all}/a`, {
    ...body,
    metadata: { ...body.metadata, uid: '3c9b8f4e-0b8f-4c9e-9a52-0d8f3f2a7c11' },
  })
  await api.step('delete', 'DELETE', `${all}/a`)
  await api.step('delete again', 'DELETE', `${all}/a`)
  await api.step('get what is gone', 'GET', `${all}/a`)
  await api.step('replace what is gone', 'PUT', `${all}/a`, body)
  await api.step('create at a path with a name', 'POST', `${all}/a`, body)
})

scenario('kind, version, namespace and name must agree with the path', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/configmaps`
  const metadata = { name: 'a' }
  await api.step('no kind', 'POST', all, { metadata: { name: 'b' } })
  await api.step('another kind', 'POST', all, { apiVersion: 'v1', kind: 'Secret', metadata })
  await api.step('another version', 'POST', all, { apiVersion: 'v2', kind: 'ConfigMap', metadata })
  await api.step('another namespace', 'POST', all, { metadata: { ...metadata, namespace: 'default' } })
  await api.step('another name', 'PUT', `${all}/b`, { metadata: { name: 'c' } })
  await api.step('no name', 'POST', all, { metadata: {} })
  await api.step('no metadata', 'POST', all, {})
  await api.step('a version on create', 'POST', all, { metadata: { ...metadata, resourceVersion: '1' } })
  await api.step('an unknown namespace', 'POST', `${core}/namespaces/none-there/configmaps`, { metadata })
  await api.step('a namespace of no namespace', 'GET', `${core}/namespaces/none-there/configmaps`)
  await api.step('an unknown kind', 'GET', `${core}/namespaces/${ns}/widgets`)
  await api.step('an unknown group', 'GET', '/apis/example.com/v1/widgets')
  await api.step('an unknown version', 'GET', `/apis/apps/v7/namespaces/${ns}/statefulsets`)
  await api.step('all namespaces', 'POST', `${core}/configmaps`, { metadata })
  await api.step('an unknown path', 'GET', '/nothing/here')
})

scenario('names of objects', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}`
  const bad = ['Upper', '-dash', 'dash-', 'under_score', 'dot.', 'a..b', 'ü', 'a b', 'x'.repeat(254)]
  for (const name of bad) await api.step(`config map ${name}`, 'POST', `${all}/configmaps`, { metadata: { name } })
  for (const name of ['..', 'a/b', 'a%b'])
    await api.step(`slash ${name}`, 'POST', `${all}/configmaps`, { metadata: { name } })
  await api.step('dots', 'POST', `${all}/configmaps`, { metadata: { name: 'a.b.c' } })
  await api.step('longest', 'POST', `${all}/configmaps`, { metadata: { name: 'x'.repeat(253) } })
  await api.step('a namespace with a dot', 'POST', `${core}/namespaces`, { metadata: { name: 'a.b' } })
  await api.step('a namespace in capitals', 'POST', `${core}/namespaces`, { metadata: { name: 'Team_A' } })
  await api.step('a generated name', 'POST', `${all}/configmaps`, { metadata: { generateName: 'gen-' } })
  api.normalizer.mask(/\bGen-[a-z0-9]{5}\b/, 'Gen-<random>')
  await api.step('a bad generated name', 'POST', `${all}/configmaps`, { metadata: { generateName: 'Gen-' } })
  await api.step('labels that are none', 'POST', `${all}/configmaps`, {
    metadata: { name: 'l', labels: { 'a/b/c': 'x', ok: 'bad value', '-x': 'y' } },
  })
  await api.step('annotations that are none', 'POST', `${all}/configmaps`, {
    metadata: { name: 'l', annotations: { 'a b': 'x' } },
  })
})

scenario('a dry run checks and stores nothing', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/configmaps`
  await api.step('create', 'POST', `${all}?dryRun=All`, { metadata: { name: 'a' } })
  await api.step('not there', 'GET', `${all}/a`)
  await api.must('POST', all, { metadata: { name: 'a' } })
  await api.step('create what is there', 'POST', `${all}?dryRun=All`, { metadata: { name: 'a' } })
  await api.step('replace', 'PUT', `${all}/a?dryRun=All`, { metadata: { name: 'a' }, data: { k: 'v' } })
  await api.step('delete', 'DELETE', `${all}/a?dryRun=All`)
  await api.step('delete by body', 'DELETE', `${all}/a`, { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] })
  await api.step('unchanged', 'GET', `${all}/a`)
  await api.step('another value', 'POST', `${all}?dryRun=Some`, { metadata: { name: 'b' } })
})

scenario('unknown fields are dropped with a warning, or refused', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/configmaps`
  const body = { metadata: { name: 'a', colour: 'red' }, data: { k: 'v' }, extra: { deep: 1 } }
  await api.step('by default', 'POST', all, body)
  await api.step('Warn', 'PUT', `${all}/a?fieldValidation=Warn`, body)
  await api.step('Ignore', 'PUT', `${all}/a?fieldValidation=Ignore`, body)
  await api.step('Strict', 'PUT', `${all}/a?fieldValidation=Strict`, body)
  await api.step('another value', 'PUT', `${all}/a?fieldValidation=Lax`, body)
  await api.step('a field twice', 'POST', `${all}?fieldValidation=Strict`, undefined, {
    raw: '{"metadata":{"name":"b"},"data":{"k":"v"},"data":{"k":"w"}}',
  })
})

scenario('bodies that cannot be read', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/configmaps`
  await api.step('no JSON', 'POST', all, undefined, { raw: '{"metadata":' })
  await api.step('empty', 'POST', all, undefined, { raw: '' })
  await api.step('a list', 'POST', all, [])
  await api.step('a text', 'POST', all, 'x')
  await api.step('a wrong type', 'POST', all, { metadata: { name: 'a' }, data: { k: 1 } })
  await api.step('a wrong type within', 'POST', all, { metadata: { name: 5 } })
  await api.step('a wrong type of a list', 'POST', all, { metadata: { name: 'a', finalizers: 'x' } })
  await api.step('nulls', 'POST', all, { metadata: { name: 'a', labels: null }, data: null })
  await api.step('another media type', 'POST', all, undefined, {
    raw: 'x',
    headers: { 'content-type': 'text/plain' },
    pick: ({ reason }) => reason,
  })
  await api.step('an answer in another media type', 'GET', all, undefined, {
    headers: { accept: 'text/html' },
    pick: ({ reason }) => reason,
  })
  await api.step('wildcard accept', 'GET', `${all}/none`, undefined, { headers: { accept: '*/*' } })
})

scenario('deletion under conditions', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/configmaps`
  const options = (extra: object) => ({ kind: 'DeleteOptions', apiVersion: 'v1', ...extra })
  const { metadata } = await api.must('POST', all, { metadata: { name: 'a' } })
  const other = '3c9b8f4e-0b8f-4c9e-9a52-0d8f3f2a7c11'
  await api.step('another uid', 'DELETE', `${all}/a`, options({ preconditions: { uid: other } }))
  api.normalizer.mask(/in record \(\d+\)/, 'in record (<version>)')
  await api.step('another version', 'DELETE', `${all}/a`, options({ preconditions: { resourceVersion: '1' } }))
  await api.step('the same', 'DELETE', `${all}/a`, options({ preconditions: { uid: metadata.uid } }))
  await api.must('POST', all, { metadata: { name: 'b' } })
  await api.step('unknown propagation', 'DELETE', `${all}/b`, options({ propagationPolicy: 'Sideways' }))
  await api.step('propagation by query', 'DELETE', `${all}/b?propagationPolicy=Background`)
})

scenario('finalizers hold a deletion back', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/configmaps`
  await api.must('POST', all, { metadata: { name: 'a', finalizers: ['example.com/hold'] } })
  await api.step('delete', 'DELETE', `${all}/a`)
  await api.step('still there', 'GET', `${all}/a`)
  await api.step('delete again', 'DELETE', `${all}/a`)
  await api.step('add a finalizer', 'PUT', `${all}/a`, {
    metadata: { name: 'a', finalizers: ['example.com/hold', 'example.com/more'] },
  })
  await api.step('the last one goes', 'PUT', `${all}/a`, { metadata: { name: 'a' } })
  await api.step('gone', 'GET', `${all}/a`)
  await api.step('a finalizer without a domain', 'POST', all, { metadata: { name: 'b', finalizers: ['hold'] } })
})

scenario('a collection is deleted by selector', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/secrets`
  for (const name of ['a', 'b', 'c'])
    await api.must('POST', all, { metadata: { name, labels: { half: name < 'c' ? 'first' : 'second' } } })
  await api.step('dry run', 'DELETE', `${all}?labelSelector=half%3Dfirst&dryRun=All`)
  await api.step('delete', 'DELETE', `${all}?labelSelector=half%3Dfirst`)
  await api.step('what is left', 'GET', all)
  await api.step('nothing fits', 'DELETE', `${all}?fieldSelector=metadata.name%3Da`)
  await api.step('all namespaces', 'DELETE', `${core}/secrets`)
})

scenario('methods that a path does not have', async (api) => {
  const ns = await api.namespace()
  await api.step('PUT on a list', 'PUT', `${core}/namespaces/${ns}/configmaps`, {})
  await api.step('PATCH on a list', 'PATCH', `${core}/namespaces/${ns}/configmaps`, {})
  await api.step('POST on an object', 'POST', `${core}/namespaces/${ns}/configmaps/a`, {})
  await api.step('an unknown subresource', 'GET', `${core}/namespaces/${ns}/configmaps/a/status`)
  await api.step('deletecollection of namespaces', 'DELETE', `${core}/namespaces?labelSelector=none%3Dthere`)
})
