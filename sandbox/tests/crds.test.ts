import { type Api, scenario } from './support/scenario.ts'

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Creates a definition in a unique group, so that scenarios do not interfere. */
async function define(api: Api, schema: object, extra: { version?: object; spec?: object } = {}) {
  const group = `${api.unique('group')}.example.com`
  const name = `widgets.${group}`
  api.atEnd('DELETE', `${crds}/${name}`)
  const body = {
    metadata: { name },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['wd'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: { status: {} },
          ...extra.version,
        },
      ],
      ...extra.spec,
    },
  }
  return { group, name, body, at: (ns: string) => `/apis/${group}/v1/namespaces/${ns}/widgets` }
}

async function established(api: Api, { name, group }: { name: string; group: string }, ns: string) {
  await api.until(`${crds}/${name}`, ({ body }) =>
    body.status?.conditions?.some(
      (each: { type: string; status: string }) => each.type === 'Established' && each.status === 'True',
    ),
  )
  await api.until(`/apis/${group}/v1/namespaces/${ns}/widgets`, ({ status }) => status === 200)
}

const object = (properties: object, extra: object = {}) => ({ type: 'object', properties, ...extra })

const widget = object({
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { type: 'object' },
  spec: object(
    {
      size: { type: 'integer', minimum: 1, maximum: 16, format: 'int32' },
      name: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
      colour: { type: 'string', enum: ['red', 'green'], default: 'red' },
      servers: {
        type: 'integer',
        'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'servers is immutable' }],
      },
      any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      port: { 'x-kubernetes-int-or-string': true },
      quantity: {
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        pattern: '^[0-9]+(Ki|Mi|Gi)?$',
        'x-kubernetes-int-or-string': true,
      },
      on: { type: 'boolean' },
      share: { type: 'number', minimum: 0, exclusiveMinimum: true },
      maybe: { type: 'string', nullable: true },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      nested: object({ deep: object({ flag: { type: 'boolean', default: true } }) }, { default: {} }),
      pools: {
        type: 'array',
        maxItems: 3,
        items: object(
          { name: { type: 'string', minLength: 1 }, servers: { type: 'integer' } },
          {
            required: ['name', 'servers'],
            'x-kubernetes-validations': [
              { rule: 'self.servers == oldSelf.servers', message: 'pool servers are immutable', fieldPath: '.servers' },
            ],
          },
        ),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
      tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    },
    { required: ['size'] },
  ),
  status: object({ state: { type: 'string' } }),
})

scenario('a definition brings a kind', async (api) => {
  const ns = await api.namespace()
  const made = await define(api, widget)
  await api.step('before', 'GET', made.at(ns))
  await api.step('create', 'POST', crds, made.body, {
    pick: ({ spec, metadata }) => ({
      generation: metadata.generation,
      spec: { ...spec, versions: spec.versions.map(({ schema: _, ...rest }: { schema: object }) => rest) },
    }),
  })
  await established(api, made, ns)
  await api.step('its conditions', 'GET', `${crds}/${made.name}`, undefined, {
    pick: ({ status }) => ({
      ...status,
      conditions: status.conditions.map(({ lastTransitionTime: _, ...rest }: { lastTransitionTime: string }) => rest),
    }),
  })
  await api.until(`/apis/${made.group}/v1`, ({ status }) => status === 200)
  await api.step('discovery', 'GET', `/apis/${made.group}/v1`, undefined, {
    pick: (body) => ({
      ...body,
      resources: body.resources.map(({ storageVersionHash: _, ...rest }: { storageVersionHash: string }) => rest),
    }),
  })
  await api.step('group', 'GET', `/apis/${made.group}`)
  await api.step('none yet', 'GET', made.at(ns))
  await api.step('an object', 'POST', made.at(ns), {
    apiVersion: `${made.group}/v1`,
    kind: 'Widget',
    metadata: { name: 'a' },
    spec: { size: 3 },
  })
  await api.step('again', 'POST', made.at(ns), {
    apiVersion: `${made.group}/v1`,
    kind: 'Widget',
    metadata: { name: 'a' },
    spec: { size: 3 },
  })
  await api.step('no kind', 'POST', made.at(ns), { metadata: { name: 'b' }, spec: { size: 3 } })
  await api.step('another kind', 'POST', made.at(ns), {
    apiVersion: `${made.group}/v1`,
    kind: 'Gadget',
    metadata: { name: 'b' },
    spec: { size: 3 },
  })
  await api.step('another version', 'POST', made.at(ns), {
    apiVersion: `${made.group}/v2`,
    kind: 'Widget',
    metadata: { name: 'b' },
    spec: { size: 3 },
  })
  await api.step('a bad name', 'POST', made.at(ns), {
    apiVersion: `${made.group}/v1`,
    kind: 'Widget',
    metadata: { name: 'B' },
    spec: { size: 3 },
  })
  await api.step('none of a name', 'GET', `${made.at(ns)}/none`)
  await api.step('everywhere', 'GET', `/apis/${made.group}/v1/widgets`)
  await api.step('by field', 'GET', `${made.at(ns)}?fieldSelector=metadata.name%3Da`, undefined, {
    pick: ({ items }) => items.length,
  })
  await api.step('by another field', 'GET', `${made.at(ns)}?fieldSelector=spec.size%3D3`)
  await api.step('the definition again', 'POST', crds, made.body, {
    pick: ({ reason, message }) => ({ reason, message }),
  })
  await api.step('delete the definition', 'DELETE', `${crds}/${made.name}`, undefined, {
    pick: ({ kind, status }) => ({ kind, status: typeof status === 'string' ? status : undefined }),
  })
  await api.until(`${crds}/${made.name}`, ({ status }) => status === 404)
  await api.until(made.at(ns), ({ status }) => status === 404)
  await api.step('after', 'GET', made.at(ns))
})

scenario('what a schema does not name is dropped', async (api) => {
  const ns = await api.namespace()
  const made = await define(api, widget)
  await api.must('POST', crds, made.body)
  await established(api, made, ns)
  const apiVersion = `${made.group}/v1`
  const create = (step: string, name: string, spec: object, query = '') =>
    api.step(
      step,
      'POST',
      made.at(ns) + query,
      { apiVersion, kind: 'Widget', metadata: { name }, spec },
      { pick: ({ spec, reason, message, details }) => (spec ? spec : { reason, message, details }) },
    )
  await create('defaults', 'a', { size: 1 })
  await create('unknown fields', 'b', {
    size: 1,
    more: true,
    any: { kept: [1, { deep: null }] },
    labels: { x: 'y' },
    nested: { more: 1 },
  })
  await create('unknown fields, strictly', 'c', { size: 1, more: true, nested: { more: 1 } }, '?fieldValidation=Strict')
  await create('unknown fields, ignored', 'd', { size: 1, more: true }, '?fieldValidation=Ignore')
  await create('numbers and texts', 'e', { size: 1, port: 'http', quantity: 5, share: 0.5, on: false })
  await create('nulls', 'f', { size: 1, maybe: null, colour: null, nested: null })
  await create('null that is not allowed', 'f2', { size: 1, name: null, on: null })
  await create('large numbers', 'g', { size: 1, servers: 9007199254740991, any: { n: 1.5e300 } })
  await create('empty values', 'h', { size: 1, name: '', labels: {}, tags: [], any: {} })
  await api.step('unknown at the top', 'POST', made.at(ns), {
    apiVersion,
    kind: 'Widget',
    metadata: { name: 'i', more: 1 },
    spec: { size: 1 },
    more: {},
  })
})

scenario('what a schema forbids is refused', async (api) => {
  const ns = await api.namespace()
  const made = await define(api, widget)
  await api.must('POST', crds, made.body)
  await established(api, made, ns)
  const apiVersion = `${made.group}/v1`
  const refuse = (step: string, spec: unknown) =>
    api.step(step, 'POST', `${made.at(ns)}?dryRun=All`, { apiVersion, kind: 'Widget', metadata: { name: 'x' }, spec })
  await refuse('required', {})
  await refuse('a wrong type', { size: '3' })
  await refuse('no whole number', { size: 1.5 })
  await refuse('too small', { size: 0 })
  await refuse('too large', { size: 17 })
  await refuse('beyond 32 bits', { size: 2 ** 40 })
  await refuse('a pattern', { size: 1, name: 'A' })
  await refuse('too long', { size: 1, name: 'abcdefg' })
  await refuse('none of the values', { size: 1, colour: 'blue' })
  await refuse('an exclusive minimum', { size: 1, share: 0 })
  await refuse('a list for an object', { size: 1, any: [] })
  await refuse('a text for a list', { size: 1, pools: 'x' })
  await refuse('a member that is incomplete', { size: 1, pools: [{ name: 'a' }] })
  await refuse('members of one name', {
    size: 1,
    pools: [
      { name: 'a', servers: 1 },
      { name: 'a', servers: 2 },
    ],
  })
  await refuse('too many members', { size: 1, pools: ['a', 'b', 'c', 'd'].map((name) => ({ name, servers: 1 })) })
  await refuse('an empty text', { size: 1, pools: [{ name: '', servers: 1 }] })
  await refuse('a set with a value twice', { size: 1, tags: ['a', 'a'] })
  await refuse('a wrong value in a map', { size: 1, labels: { a: 1 } })
  await refuse('a number for either', { size: 1, port: true })
  await refuse('a quantity', { size: 1, quantity: '5Zi' })
  await refuse('two things at once', { size: 0, name: 'A', on: 'yes' })
  await refuse('no object', 'x')
  await api.step(
    'no spec',
    'POST',
    `${made.at(ns)}?dryRun=All`,
    { apiVersion, kind: 'Widget', metadata: { name: 'x' } },
    { pick: ({ reason, kind }) => reason ?? kind },
  )
})

scenario('what a rule makes immutable stays', async (api) => {
  const ns = await api.namespace()
  const made = await define(api, widget)
  await api.must('POST', crds, made.body)
  await established(api, made, ns)
  const apiVersion = `${made.group}/v1`
  const body = (spec: object) => ({ apiVersion, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1, ...spec } })
  const { metadata } = await api.must('POST', made.at(ns), body({ servers: 4, pools: [{ name: 'p', servers: 4 }] }))
  const put = (step: string, spec: object) =>
    api.step(step, 'PUT', `${made.at(ns)}/a`, {
      ...body(spec),
      metadata: { name: 'a', resourceVersion: metadata.resourceVersion },
    })
  await put('another number', { servers: 5, pools: [{ name: 'p', servers: 4 }] })
  await put('another number in a pool', { servers: 4, pools: [{ name: 'p', servers: 5 }] })
  await put('a pool more', {
    servers: 4,
    pools: [
      { name: 'q', servers: 8 },
      { name: 'p', servers: 4 },
    ],
  })
  await api.step('no version', 'PUT', `${made.at(ns)}/a`, body({ servers: 4 }))
  const merge = { headers: { 'content-type': 'application/merge-patch+json' } }
  await api.step('by a patch', 'PATCH', `${made.at(ns)}/a`, { spec: { servers: 7 } }, merge)
  await api.step(
    'a value that is removed may come anew',
    'PATCH',
    `${made.at(ns)}/a`,
    { spec: { servers: null } },
    { ...merge, pick: ({ spec }) => spec },
  )
  await api.step('then', 'PATCH', `${made.at(ns)}/a`, { spec: { servers: 7 } }, { ...merge, pick: ({ spec }) => spec })
  await api.step('by JSON patch', 'PATCH', `${made.at(ns)}/a`, [{ op: 'replace', path: '/spec/size', value: 2 }], {
    headers: { 'content-type': 'application/json-patch+json' },
    pick: ({ spec, metadata }) => ({ size: spec.size, generation: metadata.generation }),
  })
})

scenario('status has a path of its own', async (api) => {
  const ns = await api.namespace()
  const made = await define(api, widget)
  await api.must('POST', crds, made.body)
  await established(api, made, ns)
  const apiVersion = `${made.group}/v1`
  const pick = ({
    metadata,
    spec,
    status,
  }: {
    metadata: { generation: number; labels?: object }
    spec: object
    status?: object
  }) => ({ generation: metadata.generation, labels: metadata.labels, spec, status })
  const created = await api.step(
    'status at create is dropped',
    'POST',
    made.at(ns),
    { apiVersion, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 }, status: { state: 'x' } },
    { pick },
  )
  const at = `${made.at(ns)}/a`
  const current = created.body
  const { body: second } = await api.step(
    'by its path',
    'PUT',
    `${at}/status`,
    { ...current, spec: { size: 9 }, status: { state: 'up' }, metadata: { ...current.metadata, labels: { a: 'b' } } },
    { pick },
  )
  const { body: third } = await api.step(
    'not by another',
    'PUT',
    at,
    { ...second, spec: { size: 2 }, status: { state: 'down' } },
    { pick },
  )
  await api.step('an old version', 'PUT', `${at}/status`, { ...second, status: { state: 'late' } })
  await api.step(
    'by a patch',
    'PATCH',
    `${at}/status`,
    { status: { state: 'patched' }, spec: { size: 5 } },
    { headers: { 'content-type': 'application/merge-patch+json' }, pick },
  )
  await api.step('get', 'GET', `${at}/status`, undefined, { pick })
  await api.step(
    'what is equal is no change',
    'PUT',
    `${at}/status`,
    { ...third, metadata: { ...third.metadata, resourceVersion: undefined }, status: { state: 'patched' } },
    { pick: ({ reason, status }) => reason ?? status },
  )
  await api.step(
    'a wrong type',
    'PATCH',
    `${at}/status`,
    { status: { state: 1 } },
    { headers: { 'content-type': 'application/merge-patch+json' } },
  )
})

scenario('kinds of the whole cluster, without status, in two versions', async (api) => {
  const ns = await api.namespace()
  const made = await define(api, object({ spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }), {
    version: { subresources: undefined },
    spec: { scope: 'Cluster' },
  })
  const [first] = made.body.spec.versions
  made.body.spec.versions.push({ ...first, name: 'v1beta1', storage: false } as never)
  await api.must('POST', crds, made.body)
  const all = `/apis/${made.group}/v1/widgets`
  await api.until(all, ({ status }) => status === 200)
  await api.step('versions', 'GET', `/apis/${made.group}`)
  await api.step('create', 'POST', all, {
    apiVersion: `${made.group}/v1`,
    kind: 'Widget',
    metadata: { name: 'a' },
    spec: { x: [{ y: null }] },
    status: { kept: 'no' },
  })
  await api.step('by the other version', 'GET', `/apis/${made.group}/v1beta1/widgets/a`)
  await api.step('no status', 'GET', `${all}/a/status`)
  await api.step('in a namespace', 'GET', `/apis/${made.group}/v1/namespaces/${ns}/widgets`)
  await api.step(
    'a change counts',
    'PUT',
    `${all}/a`,
    {
      apiVersion: `${made.group}/v1`,
      kind: 'Widget',
      metadata: { name: 'a', resourceVersion: (await api.must('GET', `${all}/a`)).metadata.resourceVersion },
      spec: { x: 1 },
    },
    { pick: ({ metadata }) => metadata.generation },
  )
})

scenario('definitions that are none', async (api) => {
  const made = await define(api, object({}))
  const wrong = (step: string, change: (body: typeof made.body) => void) => {
    const body = structuredClone(made.body)
    change(body)
    return api.step(step, 'POST', `${crds}?dryRun=All`, body, {
      pick: ({ reason, details, kind }) => ({
        reason: reason ?? kind,
        causes: details?.causes?.map(({ field, reason }: { field: string; reason: string }) => `${reason} ${field}`),
      }),
    })
  }
  await wrong('another name', (body) => (body.metadata.name = 'gadgets.example.com'))
  await wrong('no schema', (body) => ((body.spec.versions[0] as { schema?: object }).schema = undefined as never))
  await wrong('no stored version', (body) => ((body.spec.versions[0] as { storage: boolean }).storage = false))
  await wrong('no versions', (body) => (body.spec.versions = []))
  await wrong(
    'a schema without types',
    (body) =>
      ((body.spec.versions[0] as { schema: object }).schema = { openAPIV3Schema: { properties: { spec: {} } } }),
  )
  await wrong('no scope', (body) => (body.spec.scope = ''))
})
