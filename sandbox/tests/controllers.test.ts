import { createCertificateRequest } from '@stowage/sandbox-kube/pki'
import { type Api, scenario } from './support/scenario.ts'

const core = '/api/v1'
const labels = { 'v1.min.io/tenant': 'alpha' }

const template = {
  metadata: { labels },
  spec: { containers: [{ name: 'minio', image: 'minio:1' }], terminationGracePeriodSeconds: 0 },
}

const statefulSet = (replicas: number, extra: object = {}) => ({
  metadata: { name: 'alpha-ss-0', labels: { set: 'yes' } },
  spec: {
    replicas,
    serviceName: 'alpha-hl',
    podManagementPolicy: 'Parallel',
    selector: { matchLabels: labels },
    template,
    volumeClaimTemplates: [
      {
        metadata: { name: 'data0' },
        spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '1Gi' } } },
      },
      {
        metadata: { name: 'data1', labels: { second: 'yes' } },
        spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '1Gi' } } },
      },
    ],
    ...extra,
  },
})

const podNames = ({ body }: { body: { items: { metadata: { name: string; deletionTimestamp?: string } }[] } }) =>
  body.items
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map(({ metadata }) => metadata.name)
    .join()

/** Makes a pod run, as a kubelet would report it. */
const run = (
  api: Api,
  ns: string,
  name: string,
  conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
) =>
  api.must(
    'PATCH',
    `${core}/namespaces/${ns}/pods/${name}/status`,
    { status: { phase: 'Running', podIP: '10.1.1.1', podIPs: [{ ip: '10.1.1.1' }], conditions } },
    { headers: { 'content-type': 'application/merge-patch+json' } },
  )

scenario('a stateful set makes claims and pods, and follows them', async (api) => {
  const ns = await api.namespace()
  const all = `/apis/apps/v1/namespaces/${ns}/statefulsets`
  const pods = `${core}/namespaces/${ns}/pods`
  api.normalizer.mask(/alpha-ss-0-[0-9a-f]{8,10}\b/, '<revision>')
  api.normalizer.mask(/kube-api-access-[a-z0-9]{5}\b/, '<account volume>')
  await api.must('POST', all, statefulSet(2))
  await api.until(pods, (answer) => podNames(answer) === 'alpha-ss-0-0,alpha-ss-0-1')
  await api.step('a pod', 'GET', `${pods}/alpha-ss-0-1`, undefined, {
    pick: ({ metadata, spec, status }) => ({
      metadata: { ...metadata, resourceVersion: undefined },
      spec: {
        hostname: spec.hostname,
        subdomain: spec.subdomain,
        volumes: spec.volumes.sort((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)),
        containers: spec.containers,
      },
      phase: status.phase,
    }),
  })
  await api.step('its claims', 'GET', `${core}/namespaces/${ns}/persistentvolumeclaims`, undefined, {
    pick: ({ items }) =>
      items.map(({ metadata, spec }: { metadata: object; spec: object }) => ({
        ...metadata,
        resourceVersion: undefined,
        spec,
      })),
  })
  const settled = (
    fits: (status: {
      replicas?: number
      readyReplicas?: number
      updatedReplicas?: number
      availableReplicas?: number
      observedGeneration?: number
    }) => boolean,
  ) => api.until(`${all}/alpha-ss-0`, ({ body }) => fits(body.status))
  const show = (step: string) =>
    api.step(step, 'GET', `${all}/alpha-ss-0`, undefined, {
      pick: ({ status, metadata }) => ({ ...status, generation: metadata.generation }),
    })
  await settled(({ replicas, updatedReplicas }) => replicas === 2 && updatedReplicas === 2)
  await show('nothing is ready')
  for (const name of ['alpha-ss-0-0', 'alpha-ss-0-1']) await run(api, ns, name)
  await settled(({ availableReplicas }) => availableReplicas === 2)
  await show('all are ready')
  const { metadata } = await api.must('GET', `${pods}/alpha-ss-0-0`)
  await api.must('DELETE', `${pods}/alpha-ss-0-0`)
  await api.until(`${pods}/alpha-ss-0-0`, ({ status, body }) => status === 200 && body.metadata.uid !== metadata.uid)
  api.note('a pod of the same name comes back', true)
  await api.must(
    'PATCH',
    `${all}/alpha-ss-0`,
    { spec: { replicas: 3 } },
    { headers: { 'content-type': 'application/merge-patch+json' } },
  )
  await api.until(pods, (answer) => podNames(answer) === 'alpha-ss-0-0,alpha-ss-0-1,alpha-ss-0-2')
  await api.must(
    'PATCH',
    `${all}/alpha-ss-0`,
    { spec: { replicas: 1 } },
    { headers: { 'content-type': 'application/merge-patch+json' } },
  )
  await run(api, ns, 'alpha-ss-0-0')
  await api.until(pods, (answer) => podNames(answer) === 'alpha-ss-0-0')
  await api.step('claims stay', 'GET', `${core}/namespaces/${ns}/persistentvolumeclaims`, undefined, {
    pick: ({ items }) => items.length,
  })
  await api.must('DELETE', `${all}/alpha-ss-0`)
  await api.until(pods, (answer) => podNames(answer) === '')
  await api.step('claims stay after all', 'GET', `${core}/namespaces/${ns}/persistentvolumeclaims`, undefined, {
    pick: ({ items }) => items.length,
  })
})

scenario('a changed template rolls from the last pod to the first', async (api) => {
  const ns = await api.namespace()
  const all = `/apis/apps/v1/namespaces/${ns}/statefulsets`
  const pods = `${core}/namespaces/${ns}/pods`
  await api.must('POST', all, statefulSet(2))
  await api.until(pods, (answer) => podNames(answer) === 'alpha-ss-0-0,alpha-ss-0-1')
  for (const name of ['alpha-ss-0-0', 'alpha-ss-0-1']) await run(api, ns, name)
  await api.until(
    `${all}/alpha-ss-0`,
    ({ body }) => body.status.availableReplicas === 2 && body.status.currentRevision === body.status.updateRevision,
  )
  await api.must(
    'PATCH',
    `${all}/alpha-ss-0`,
    [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'minio:2' }],
    { headers: { 'content-type': 'application/json-patch+json' } },
  )
  const image = (name: string, wanted: string) =>
    api.until(
      `${pods}/${name}`,
      ({ status, body }) =>
        status === 200 && !body.metadata.deletionTimestamp && body.spec.containers[0].image === wanted,
    )
  await image('alpha-ss-0-1', 'minio:2')
  await api.step('the first waits', 'GET', `${pods}/alpha-ss-0-0`, undefined, {
    pick: ({ spec }) => spec.containers[0].image,
  })
  await run(api, ns, 'alpha-ss-0-1')
  await image('alpha-ss-0-0', 'minio:2')
  await run(api, ns, 'alpha-ss-0-0')
  const { body } = await api.until(
    `${all}/alpha-ss-0`,
    ({ body }) => body.status.availableReplicas === 2 && body.status.currentRevision === body.status.updateRevision,
  )
  api.note('done', {
    updated: body.status.updatedReplicas,
    ready: body.status.readyReplicas,
    observed: body.status.observedGeneration,
  })
})

scenario('a deployment keeps its pods', async (api) => {
  const ns = await api.namespace()
  const all = `/apis/apps/v1/namespaces/${ns}/deployments`
  const pods = `${core}/namespaces/${ns}/pods`
  await api.must('POST', all, {
    metadata: { name: 'search' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 's' } },
      template: { metadata: { labels: { app: 's' } }, spec: template.spec },
    },
  })
  const { body } = await api.until(pods, ({ body }) => body.items.length === 1)
  const [pod] = body.items
  api.note('its name and owner', {
    name: pod.metadata.name.replace(/-[0-9a-z]{1,10}-[0-9a-z]{5}$/, '-<set>-<random>'),
    owner: pod.metadata.ownerReferences.map(({ kind, controller, blockOwnerDeletion }: Record<string, unknown>) => ({
      kind,
      controller,
      blockOwnerDeletion,
    })),
  })
  await run(api, ns, pod.metadata.name)
  await api.until(`${all}/search`, ({ body }) => body.status.readyReplicas === 1)
  await api.step('ready', 'GET', `${all}/search`, undefined, { pick: ({ status: { conditions: _, ...rest } }) => rest })
  await api.must('DELETE', `${pods}/${pod.metadata.name}`)
  await api.until(pods, ({ body }) => body.items.length === 1 && body.items[0].metadata.uid !== pod.metadata.uid)
  await api.must('DELETE', `${all}/search`)
  await api.until(pods, ({ body }) => body.items.length === 0)
})

scenario('a job ends with its pod', async (api) => {
  const ns = await api.namespace()
  const all = `/apis/batch/v1/namespaces/${ns}/jobs`
  const pods = `${core}/namespaces/${ns}/pods`
  await api.must('POST', all, {
    metadata: { name: 'key' },
    spec: { template: { spec: { ...template.spec, restartPolicy: 'OnFailure' } } },
  })
  const { body } = await api.until(pods, ({ body }) => body.items.length === 1)
  const [pod] = body.items
  api.note('labels', Object.keys(pod.metadata.labels).sort())
  await api.must(
    'PATCH',
    `${core}/namespaces/${ns}/pods/${pod.metadata.name}/status`,
    { status: { phase: 'Succeeded' } },
    { headers: { 'content-type': 'application/merge-patch+json' } },
  )
  const done = await api.until(`${all}/key`, ({ body }) =>
    body.status.conditions?.some(
      ({ type, status }: { type: string; status: string }) => type === 'Complete' && status === 'True',
    ),
  )
  api.note('status', {
    succeeded: done.body.status.succeeded,
    active: done.body.status.active ?? 0,
    finished: done.body.status.completionTime !== undefined,
  })
})

scenario('a request for a certificate is signed when it is approved', async (api) => {
  const all = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
  const name = api.unique('request')
  api.atEnd('DELETE', `${all}/${name}`)
  const { request } = await createCertificateRequest({
    commonName: 'system:node:*.alpha-hl.team-a.svc.cluster.local',
    organizations: ['system:nodes'],
    dnsNames: ['minio.team-a.svc'],
  })
  const spec = {
    signerName: 'kubernetes.io/kubelet-serving',
    request: Buffer.from(request).toString('base64'),
    usages: ['digital signature', 'server auth'],
    expirationSeconds: 3600,
  }
  api.normalizer.mask(/LS0tLS1CRUdJTi[\w+/=]+/, '<PEM>')
  const { body } = await api.step('create', 'POST', all, { metadata: { name }, spec })
  await api.step(
    'no request',
    'POST',
    all,
    { metadata: { name: 'x' }, spec: { ...spec, request: Buffer.from('x').toString('base64') } },
    {
      pick: ({ reason, details }) => ({ reason, fields: details.causes.map(({ field }: { field: string }) => field) }),
    },
  )
  await api.step(
    'no signer',
    'POST',
    all,
    { metadata: { name: 'x' }, spec: { ...spec, signerName: 'x' } },
    {
      pick: ({ reason, details }) => ({ reason, fields: details.causes.map(({ field }: { field: string }) => field) }),
    },
  )
  await api.step(
    'another spec',
    'PUT',
    `${all}/${name}`,
    { ...body, spec: { ...spec, usages: ['client auth'] } },
    { pick: ({ spec, reason }) => spec?.usages ?? reason },
  )
  const approve = (status: string, type = 'Approved') => ({
    ...body,
    metadata: { name },
    status: { conditions: [{ type, status, reason: 'Test', message: 'by the suite' }] },
  })
  await api.step('approve half', 'PUT', `${all}/${name}/approval`, approve('False'), {
    pick: ({ reason, kind }) => reason ?? kind,
  })
  await api.step('approve', 'PUT', `${all}/${name}/approval`, approve('True'), {
    pick: ({ status }) =>
      status.conditions.map(({ type, reason, status }: Record<string, string>) => ({ type, reason, status })),
  })
  const signed = await api.until(`${all}/${name}`, ({ body }) => body.status.certificate !== undefined)
  const { X509Certificate } = await import('node:crypto')
  const certificate = new X509Certificate(Buffer.from(signed.body.status.certificate, 'base64'))
  api.note('the certificate', {
    subject: certificate.subject,
    names: certificate.subjectAltName,
    hours: Math.round((Date.parse(certificate.validTo) - Date.now()) / 3600_000),
  })
  await api.step('deny what is approved', 'PUT', `${all}/${name}/approval`, approve('True', 'Denied'), {
    pick: ({ reason, kind }) => reason ?? kind,
  })

  const denied = api.unique('denied')
  api.atEnd('DELETE', `${all}/${denied}`)
  const other = await api.must('POST', all, { metadata: { name: denied }, spec })
  await api.step(
    'deny',
    'PUT',
    `${all}/${denied}/approval`,
    { ...other, status: { conditions: [{ type: 'Denied', status: 'True', reason: 'No', message: '' }] } },
    {
      pick: ({ status }) =>
        status.conditions.map(({ type, reason, status }: Record<string, string>) => ({ type, reason, status })),
    },
  )
})
