import { type Api, scenario } from './support/scenario.ts'

const core = '/api/v1'

const claim = (name: string, size: string, storageClassName?: string) => ({
  metadata: { name },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: size } },
    ...(storageClassName === undefined ? {} : { storageClassName }),
  },
})

async function quota(api: Api, ns: string, name: string, hard: Record<string, string>) {
  await api.must('POST', `${core}/namespaces/${ns}/resourcequotas`, { metadata: { name }, spec: { hard } })
  await settled(api, ns, name)
}

const settled = (api: Api, ns: string, name: string, used?: Record<string, string>) =>
  api.until(`${core}/namespaces/${ns}/resourcequotas/${name}`, ({ body }) =>
    used === undefined
      ? body.status?.used !== undefined
      : Object.entries(used).every(([key, value]) => body.status?.used?.[key] === value),
  )

scenario('a quota limits storage by class', async (api) => {
  const ns = await api.namespace()
  const gold = api.unique('gold')
  const key = `${gold}.storageclass.storage.k8s.io/requests.storage`
  api.atEnd('DELETE', `/apis/storage.k8s.io/v1/storageclasses/${gold}`)
  await api.must('POST', '/apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: gold },
    provisioner: 'example.com/none',
    volumeBindingMode: 'WaitForFirstConsumer',
  })
  await quota(api, ns, 'q', { [key]: '10Gi', 'requests.storage': '20Gi', persistentvolumeclaims: '3' })
  const claims = `${core}/namespaces/${ns}/persistentvolumeclaims`
  const at = `${core}/namespaces/${ns}/resourcequotas/q`
  await api.step('at first', 'GET', at, undefined, { pick: ({ spec, status }) => ({ spec, status }) })
  await api.step('within', 'POST', claims, claim('a', '6Gi', gold), { pick: ({ spec, status }) => ({ spec, status }) })
  await settled(api, ns, 'q', { [key]: '6Gi' })
  await api.step('used', 'GET', at, undefined, { pick: ({ status }) => status })
  await api.step('beyond the class', 'POST', claims, claim('b', '5Gi', gold))
  await api.step('dry run', 'POST', `${claims}?dryRun=All`, claim('b', '5Gi', gold), { pick: ({ reason }) => reason })
  await api.step('beyond all', 'POST', claims, claim('b', '15Gi', 'silver'))
  await api.step('fits exactly', 'POST', claims, claim('b', '4Gi', gold), { pick: ({ kind }) => kind })
  await api.must('POST', claims, claim('c', '1Gi', ''))
  await api.step('too many', 'POST', claims, claim('d', '1Gi', ''))
  await api.must('DELETE', `${claims}/a`)
  await settled(api, ns, 'q', { [key]: '4Gi' })
  await api.step('what is deleted counts no more', 'GET', at, undefined, { pick: ({ status }) => status })
  await api.step(
    'more by an update',
    'PUT',
    at,
    { metadata: { name: 'q' }, spec: { hard: { [key]: '100Gi' } } },
    { pick: ({ spec }) => spec },
  )
  await settled(api, ns, 'q')
  await api.until(at, ({ body }) => Object.keys(body.status.hard).length === 1)
  await api.step('after that', 'GET', at, undefined, { pick: ({ status }) => status })
})

scenario('a quota limits counts and memory', async (api) => {
  const ns = await api.namespace()
  await quota(api, ns, 'counts', { 'count/secrets': '1', configmaps: '2', 'count/statefulsets.apps': '1' })
  await api.step('counted at first', 'GET', `${core}/namespaces/${ns}/resourcequotas/counts`, undefined, {
    pick: ({ status }) => status,
  })
  await api.must('POST', `${core}/namespaces/${ns}/secrets`, { metadata: { name: 'a' } })
  await api.step('a second secret', 'POST', `${core}/namespaces/${ns}/secrets`, { metadata: { name: 'b' } })
  await api.must('POST', `${core}/namespaces/${ns}/configmaps`, { metadata: { name: 'a' } })
  await api.step('a third config map', 'POST', `${core}/namespaces/${ns}/configmaps`, { metadata: { name: 'b' } })

  const other = await api.namespace('memory')
  await quota(api, other, 'memory', { 'requests.memory': '4Gi', 'limits.memory': '8Gi', pods: '2' })
  const pod = (name: string, resources: object) => ({
    metadata: { name },
    spec: { containers: [{ name: 'a', image: 'a', resources }] },
  })
  const pods = `${core}/namespaces/${other}/pods`
  await api.step('says nothing of memory', 'POST', pods, pod('a', {}))
  await api.step('fits', 'POST', pods, pod('a', { requests: { memory: '3Gi' }, limits: { memory: '3Gi' } }), {
    pick: ({ kind }) => kind,
  })
  await api.step('too much', 'POST', pods, pod('b', { requests: { memory: '2Gi' }, limits: { memory: '6Gi' } }))
  await api.step('a limit is a request too', 'POST', pods, pod('b', { limits: { memory: '1Gi' } }), {
    pick: ({ spec, reason }) => spec?.containers[0].resources ?? reason,
  })
  await api.step('too many pods', 'POST', pods, pod('c', { requests: { memory: '0' }, limits: { memory: '0' } }))
  await settled(api, other, 'memory', { pods: '2' })
  await api.step('used', 'GET', `${core}/namespaces/${other}/resourcequotas/memory`, undefined, {
    pick: ({ status }) => status,
  })
})

scenario('quotas that are none', async (api) => {
  const ns = await api.namespace()
  const quotas = `${core}/namespaces/${ns}/resourcequotas`
  await api.step('negative', 'POST', quotas, { metadata: { name: 'a' }, spec: { hard: { pods: '-1' } } })
  await api.step(
    'no quantity',
    'POST',
    quotas,
    { metadata: { name: 'a' }, spec: { hard: { pods: 'x' } } },
    { pick: ({ reason, code }) => ({ reason, code }) },
  )
  await api.step(
    'a number',
    'POST',
    quotas,
    { metadata: { name: 'a' }, spec: { hard: { pods: 5 } } },
    { pick: ({ spec }) => spec },
  )
  await api.step('half a pod', 'POST', quotas, { metadata: { name: 'b' }, spec: { hard: { pods: '500m' } } })
  await api.step('an unknown resource', 'POST', quotas, { metadata: { name: 'b' }, spec: { hard: { widgets: '1' } } })
  await api.step(
    'status by its own path',
    'PUT',
    `${quotas}/a/status`,
    { metadata: { name: 'a' }, spec: { hard: { pods: '9' } }, status: { hard: { pods: '5' }, used: { pods: '2' } } },
    { pick: ({ spec, status }) => ({ spec, status }) },
  )
})
