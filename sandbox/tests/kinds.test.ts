import { scenario } from './support/scenario.ts'

const core = '/api/v1'

/** Some messages contain Go's memory addresses; compare only the parts that clients use. */
const causes = (body: { details?: { causes?: { reason: string; field: string }[] }; reason?: string; kind: string }) =>
  body.details?.causes
    ? body.details.causes.map(({ reason, field }) => `${reason} ${field}`)
    : (body.reason ?? body.kind)

scenario('secrets', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/secrets`
  await api.step('a text becomes data', 'POST', all, {
    metadata: { name: 'a' },
    data: { b: 'Yg==' },
    stringData: { a: 'ä', b: 'wins' },
  })
  await api.step('its type stays', 'PUT', `${all}/a`, { metadata: { name: 'a' }, type: 'example.com/x' })
  await api.step('immutable', 'PUT', `${all}/a`, { metadata: { name: 'a' }, immutable: true, data: { a: 'YQ==' } })
  await api.step('data of an immutable one', 'PUT', `${all}/a`, {
    metadata: { name: 'a' },
    immutable: true,
    data: { a: 'Yg==' },
  })
  await api.step('mutable again', 'PUT', `${all}/a`, { metadata: { name: 'a' }, data: { a: 'YQ==' } })
  await api.step('labels of an immutable one', 'PUT', `${all}/a`, {
    metadata: { name: 'a', labels: { x: 'y' } },
    immutable: true,
    data: { a: 'YQ==' },
  })
  await api.step('no Base64', 'POST', all, { metadata: { name: 'b' }, data: { a: '!' } })
  await api.step('a bad key', 'POST', all, { metadata: { name: 'b' }, data: { 'a b': 'YQ==' } })
  await api.step('TLS without a key', 'POST', all, {
    metadata: { name: 'b' },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': 'YQ==' },
  })
  await api.step('TLS', 'POST', all, {
    metadata: { name: 'b' },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': 'YQ==', 'tls.key': 'YQ==' },
  })
  await api.step('registry without its file', 'POST', all, {
    metadata: { name: 'c' },
    type: 'kubernetes.io/dockerconfigjson',
  })
  await api.step('registry without JSON', 'POST', all, {
    metadata: { name: 'c' },
    type: 'kubernetes.io/dockerconfigjson',
    stringData: { '.dockerconfigjson': 'x' },
  })
  await api.step('registry', 'POST', all, {
    metadata: { name: 'c' },
    type: 'kubernetes.io/dockerconfigjson',
    stringData: { '.dockerconfigjson': '{}' },
  })
  await api.step(
    'too large',
    'POST',
    all,
    { metadata: { name: 'd' }, data: { a: Buffer.alloc(2 ** 20 + 1).toString('base64') } },
    { pick: causes },
  )
  await api.step('a type of nobody', 'POST', all, { metadata: { name: 'e' }, type: '' }, { pick: ({ type }) => type })
})

scenario('config maps', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/configmaps`
  await api.step('bytes', 'POST', all, { metadata: { name: 'a' }, data: { a: 'x' }, binaryData: { b: '/w==' } })
  await api.step('a key in both', 'POST', all, { metadata: { name: 'b' }, data: { a: 'x' }, binaryData: { a: '/w==' } })
  await api.step('immutable', 'POST', all, { metadata: { name: 'c' }, data: { a: 'x' }, immutable: true })
  await api.step('data of an immutable one', 'PUT', `${all}/c`, {
    metadata: { name: 'c' },
    data: { a: 'y' },
    immutable: true,
  })
})

scenario('pods', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/pods`
  api.normalizer.mask(/kube-api-access-[a-z0-9]{5}\b/, '<account volume>')
  const spec = { containers: [{ name: 'minio', image: 'minio/minio:RELEASE.2025-10-15T17-29-55Z' }] }
  const full = await api.step('defaults', 'POST', all, { metadata: { name: 'a', labels: { app: 'x' } }, spec })
  await api.step('details', 'POST', all, {
    metadata: { name: 'full' },
    spec: {
      automountServiceAccountToken: false,
      restartPolicy: 'Never',
      nodeSelector: { disk: 'nvme' },
      securityContext: { runAsUser: 1000, runAsNonRoot: true, fsGroup: 1000, fsGroupChangePolicy: 'OnRootMismatch' },
      tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }],
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              labelSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
              topologyKey: 'kubernetes.io/hostname',
            },
          ],
        },
      },
      initContainers: [{ name: 'init', image: 'busybox', command: ['true'] }],
      containers: [
        {
          name: 'minio',
          image: 'minio',
          args: ['server'],
          env: [
            { name: 'A', value: 'b' },
            { name: 'E', value: '' },
            { name: 'P', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
            { name: 'S', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
          ],
          ports: [{ containerPort: 9000 }],
          resources: { requests: { memory: '2048Mi', cpu: '0.5' }, limits: { memory: '4Gi' } },
          volumeMounts: [{ name: 'data0', mountPath: '/export' }],
          readinessProbe: { httpGet: { path: '/ready', port: 9000 } },
        },
        { name: 'sidecar', image: 'sidecar:latest', imagePullPolicy: 'Never' },
      ],
      volumes: [
        { name: 'data0', persistentVolumeClaim: { claimName: 'data0' } },
        { name: 'config', secret: { secretName: 'c' } },
        { name: 'certs', projected: { sources: [{ secret: { name: 'tls', items: [{ key: 'a', path: 'b' }] } }] } },
        { name: 'tmp', emptyDir: {} },
      ],
    },
  })
  await api.step('no spec', 'POST', all, { metadata: { name: 'b' } }, { pick: causes })
  await api.step('no container', 'POST', all, { metadata: { name: 'b' }, spec: { containers: [] } }, { pick: causes })
  await api.step('no image', 'POST', all, { metadata: { name: 'b' }, spec: { containers: [{ name: 'a' }] } })
  await api.step('two of a name', 'POST', all, {
    metadata: { name: 'b' },
    spec: { containers: [...spec.containers, ...spec.containers] },
  })
  await api.step('a bad container name', 'POST', all, {
    metadata: { name: 'b' },
    spec: { containers: [{ name: 'A_b', image: 'x' }] },
  })
  await api.step('a mount of no volume', 'POST', all, {
    metadata: { name: 'b' },
    spec: { containers: [{ name: 'a', image: 'x', volumeMounts: [{ name: 'none', mountPath: '/x' }] }] },
  })
  await api.step('more requested than allowed', 'POST', all, {
    metadata: { name: 'b' },
    spec: {
      containers: [{ name: 'a', image: 'x', resources: { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } } }],
    },
  })
  await api.step('an unknown policy', 'POST', all, {
    metadata: { name: 'b' },
    spec: { ...spec, restartPolicy: 'Sometimes' },
  })
  await api.step('an unknown account', 'POST', all, {
    metadata: { name: 'b' },
    spec: { ...spec, serviceAccountName: 'none' },
  })
  const changed = (image: string, extra = {}) => ({
    ...full.body,
    metadata: { name: 'a' },
    spec: { ...full.body.spec, ...extra, containers: [{ ...full.body.spec.containers[0], image }] },
  })
  await api.step('another image', 'PUT', `${all}/a`, changed('minio/minio:new'), {
    pick: ({ spec }) => spec.containers[0].image,
  })
  await api.step('another policy', 'PUT', `${all}/a`, changed('minio/minio:new', { restartPolicy: 'Never' }), {
    pick: causes,
  })
  await api.step('bind', 'POST', `${all}/a/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'a' },
    target: { kind: 'Node', name: 'node-of-nobody' },
  })
  await api.step('bind again', 'POST', `${all}/a/binding`, {
    metadata: { name: 'a' },
    target: { kind: 'Node', name: 'other' },
  })
  await api.step('bound', 'GET', `${all}/a`, undefined, {
    pick: ({ spec, status }) => ({
      nodeName: spec.nodeName,
      conditions: status.conditions.map(({ type, status }: { type: string; status: string }) => [type, status]),
    }),
  })
  await api.step('on a node', 'GET', `${all}?fieldSelector=spec.nodeName%3Dnode-of-nobody`, undefined, {
    pick: ({ items }) => items.length,
  })
  const status = {
    phase: 'Running',
    podIP: '10.1.2.3',
    podIPs: [{ ip: '10.1.2.3' }],
    containerStatuses: [
      {
        name: 'minio',
        ready: true,
        restartCount: 2,
        image: 'minio',
        imageID: 'x',
        state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
      },
    ],
  }
  await api.step(
    'status',
    'PUT',
    `${all}/a/status`,
    { metadata: { name: 'a' }, spec: {}, status },
    { pick: ({ spec, status }) => ({ image: spec.containers[0].image, status }) },
  )
  await api.step(
    'status by another path',
    'PATCH',
    `${all}/a`,
    { status: { phase: 'Failed' } },
    { headers: { 'content-type': 'application/merge-patch+json' }, pick: ({ status }) => status.phase },
  )
  await api.step('running', 'GET', `${all}?fieldSelector=status.phase%3DRunning`, undefined, {
    pick: ({ items }) => items.length,
  })
  await api.step('delete asks the node', 'DELETE', `${all}/a`, undefined, {
    pick: ({ metadata, kind }) => ({
      kind,
      seconds: metadata.deletionGracePeriodSeconds,
      deleting: metadata.deletionTimestamp !== undefined,
    }),
  })
  await api.step('still there', 'GET', `${all}/a`, undefined, {
    pick: ({ metadata }) => metadata.deletionGracePeriodSeconds,
  })
  await api.step(
    'the node has ended it',
    'DELETE',
    `${all}/a`,
    { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 },
    { pick: ({ kind, metadata }) => ({ kind, seconds: metadata.deletionGracePeriodSeconds }) },
  )
  await api.step('gone', 'GET', `${all}/a`, undefined, { pick: ({ reason }) => reason })
  await api.step('one without a node goes at once', 'DELETE', `${all}/full`, undefined, {
    pick: ({ kind, metadata }) => ({ kind, seconds: metadata.deletionGracePeriodSeconds }),
  })
  await api.step('gone too', 'GET', `${all}/full`, undefined, { pick: ({ reason }) => reason })
})

scenario('services', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/services`
  api.normalizer.mask(/\b10\.96\.\d+\.\d+\b/, '<address>')
  const ports = [{ name: 'http-minio', port: 80, targetPort: 9000 }]
  const { body } = await api.step('an address is given', 'POST', all, {
    metadata: { name: 'minio' },
    spec: { ports, selector: { a: 'b' } },
  })
  await api.step('headless', 'POST', all, {
    metadata: { name: 'hl' },
    spec: { clusterIP: 'None', ports: [{ port: 9000 }], publishNotReadyAddresses: true },
  })
  api.normalizer.mask(/\b3[0-2]\d\d\d\b/, '<node port>')
  await api.step(
    'a load balancer',
    'POST',
    all,
    { metadata: { name: 'lb' }, spec: { type: 'LoadBalancer', ports } },
    {
      pick: ({ spec, status }) => ({
        ...spec,
        ports: spec.ports.map((port: { nodePort: number }) => ({ ...port, nodePort: port.nodePort >= 30000 })),
        status,
      }),
    },
  )
  await api.step(
    'its address',
    'PATCH',
    `${all}/lb/status`,
    { status: { loadBalancer: { ingress: [{ hostname: 'lb.example.com' }] } } },
    { headers: { 'content-type': 'application/merge-patch+json' }, pick: ({ status }) => status },
  )
  await api.step('another name', 'POST', all, {
    metadata: { name: 'ext' },
    spec: { type: 'ExternalName', externalName: 'example.com' },
  })
  await api.step('no ports', 'POST', all, { metadata: { name: 'x' }, spec: {} })
  await api.step('two ports without names', 'POST', all, {
    metadata: { name: 'x' },
    spec: { ports: [{ port: 1 }, { port: 2 }] },
  })
  await api.step('a port out of range', 'POST', all, { metadata: { name: 'x' }, spec: { ports: [{ port: 70000 }] } })
  await api.step('a bad type', 'POST', all, { metadata: { name: 'x' }, spec: { ports, type: 'Tunnel' } })
  await api.step('a name that starts with a digit', 'POST', all, { metadata: { name: '1a' }, spec: { ports } })
  await api.step(
    'another address',
    'PUT',
    `${all}/minio`,
    {
      ...body,
      metadata: { name: 'minio' },
      spec: { ...body.spec, clusterIP: '10.96.0.77', clusterIPs: ['10.96.0.77'] },
    },
    { pick: causes },
  )
  await api.step(
    'no address keeps it',
    'PUT',
    `${all}/minio`,
    { metadata: { name: 'minio' }, spec: { ports, selector: { a: 'c' } } },
    { pick: ({ spec }) => ({ kept: spec.clusterIP === body.spec.clusterIP, selector: spec.selector }) },
  )
})

scenario('claims and volumes', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/persistentvolumeclaims`
  const growing = api.unique('growing')
  for (const [name, allowVolumeExpansion] of [[growing, true]] as const) {
    await api.must('POST', '/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name },
      provisioner: 'example.com/none',
      allowVolumeExpansion,
    })
    api.atEnd('DELETE', `/apis/storage.k8s.io/v1/storageclasses/${name}`)
  }
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: growing,
  }
  const { body: claim } = await api.step(
    'pending',
    'POST',
    all,
    { metadata: { name: 'a' }, spec },
    { pick: ({ metadata, ...rest }) => ({ ...rest, finalizers: metadata.finalizers }) },
  )
  await api.step('no mode', 'POST', all, { metadata: { name: 'b' }, spec: { ...spec, accessModes: [] } })
  await api.step(
    'no size',
    'POST',
    all,
    { metadata: { name: 'b' }, spec: { ...spec, resources: {} } },
    { pick: causes },
  )
  await api.step('nothing asked', 'POST', all, {
    metadata: { name: 'b' },
    spec: { ...spec, resources: { requests: { storage: '0' } } },
  })
  await api.step(
    'larger while pending',
    'PUT',
    `${all}/a`,
    {
      metadata: { name: 'a' },
      spec: { ...spec, volumeMode: 'Filesystem', resources: { requests: { storage: '2Gi' } } },
    },
    { pick: causes },
  )
  const volume = api.unique('volume')
  api.atEnd('DELETE', `${core}/persistentvolumes/${volume}`)
  await api.step(
    'a volume for it',
    'POST',
    `${core}/persistentvolumes`,
    {
      metadata: { name: volume },
      spec: {
        capacity: { storage: '1024Mi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: growing,
        persistentVolumeReclaimPolicy: 'Retain',
        hostPath: { path: '/tmp/x' },
        claimRef: {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          namespace: ns,
          name: 'a',
          uid: claim.metadata.uid,
        },
      },
    },
    {
      pick: ({ metadata, spec }) => ({
        finalizers: metadata.finalizers,
        spec: { ...spec, claimRef: { ...spec.claimRef, uid: undefined } },
      }),
    },
  )
  await api.until(`${all}/a`, ({ body }) => body.status.phase === 'Bound')
  await api.until(`${core}/persistentvolumes/${volume}`, ({ body }) => body.status.phase === 'Bound')
  await api.step('bound', 'GET', `${all}/a`, undefined, {
    pick: ({ spec, status, metadata }) => ({ spec, status, annotations: metadata.annotations }),
  })
  const bound = { ...spec, volumeMode: 'Filesystem', volumeName: volume }
  const put = (step: string, extra: object) =>
    api.step(
      step,
      'PUT',
      `${all}/a`,
      { metadata: { name: 'a' }, spec: { ...bound, ...extra } },
      { pick: (body) => (body.reason ? causes(body) : body.spec.resources) },
    )
  await put('larger', { resources: { requests: { storage: '3Gi' } } })
  await put('smaller', { resources: { requests: { storage: '1Mi' } } })
  await put('another class', { storageClassName: 'other', resources: { requests: { storage: '3Gi' } } })
  await api.must('DELETE', `${all}/a`)
  await api.until(`${all}/a`, ({ status }) => status === 404)
  await api.until(`${core}/persistentvolumes/${volume}`, ({ body }) => body.status.phase === 'Released')
  await api.step('the volume is kept', 'GET', `${core}/persistentvolumes/${volume}`, undefined, {
    pick: ({ status }) => status.phase,
  })
})

scenario('the default class goes into claims that name none', async (api) => {
  const ns = await api.namespace()
  const name = api.unique('default-class')
  const classes = '/apis/storage.k8s.io/v1/storageclasses'
  api.atEnd('DELETE', `${classes}/${name}`)
  await api.step('a class', 'POST', classes, {
    metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'example.com/none',
  })
  await api.step('no provisioner', 'POST', classes, { metadata: { name: 'x' } })
  await api.step('another provisioner', 'PUT', `${classes}/${name}`, {
    metadata: { name },
    provisioner: 'example.com/other',
  })
  const claims = `${core}/namespaces/${ns}/persistentvolumeclaims`
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  await api.until(`${classes}/${name}`, ({ status }) => status === 200)
  // The admission plugin learns about classes from its own watch.
  const deadline = Date.now() + 10_000
  while (!(await api.must('POST', `${claims}?dryRun=All`, { metadata: { name: 'a' }, spec })).spec.storageClassName)
    if (Date.now() > deadline) throw new Error('The class does not become the default')
  await api.step(
    'none named',
    'POST',
    claims,
    { metadata: { name: 'a' }, spec },
    { pick: ({ spec }) => spec.storageClassName },
  )
  await api.step(
    'the empty one',
    'POST',
    claims,
    { metadata: { name: 'b' }, spec: { ...spec, storageClassName: '' } },
    { pick: ({ spec }) => spec.storageClassName },
  )
})

scenario('quantities are stored in one form', async (api) => {
  const ns = await api.namespace()
  const quotas = `${core}/namespaces/${ns}/resourcequotas`
  const texts = [
    ...[
      '0',
      '10Gi',
      '1024Mi',
      '1.5Gi',
      '0.5Ki',
      '1073741824',
      '1073741824e3',
      '1000',
      '1500',
      '100000',
      '1E',
      '1e3',
      '1E3',
    ],
    ...[
      '1e-3',
      '0.1',
      '500m',
      '1000m',
      '1500m',
      '.5',
      '5.',
      '+5',
      '1n',
      '0.1n',
      '9223372036854775807',
      '9223372036854775808',
    ],
    ...[
      '8Ei',
      '1e400',
      '0Gi',
      '1Ki',
      '1023',
      '1024',
      '1025Ki',
      '1.1Ki',
      '3e2',
      '100e-2',
      '1u',
      '2000k',
      '12E',
      '',
      '.',
      'Gi',
      '1gi',
      '1 Gi',
      '1GiB',
      '0x10',
      '1,5',
    ],
  ]
  for (const [n, text] of texts.entries())
    await api.step(
      text,
      'POST',
      quotas,
      { metadata: { name: `q${n}` }, spec: { hard: { 'requests.memory': text } } },
      { pick: ({ spec, reason }) => spec?.hard['requests.memory'] ?? reason },
    )
})

scenario('nodes, accounts, leases and events', async (api) => {
  const ns = await api.namespace()
  const node = api.unique('node')
  api.atEnd('DELETE', `${core}/nodes/${node}`)
  await api.step(
    'a node',
    'POST',
    `${core}/nodes`,
    {
      metadata: { name: node, labels: { zone: 'z1' } },
      spec: { taints: [{ key: 'dedicated', value: 'x', effect: 'NoSchedule' }] },
      status: {
        allocatable: { memory: '8589934592', cpu: '4000m' },
        capacity: { memory: '16Gi' },
        addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
        daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      },
    },
    { pick: ({ metadata, spec, status }) => ({ labels: metadata.labels, spec, status }) },
  )
  await api.step(
    'its status',
    'PUT',
    `${core}/nodes/${node}/status`,
    {
      metadata: { name: node },
      spec: { unschedulable: true },
      status: { allocatable: { memory: '4Gi' }, conditions: [{ type: 'Ready', status: 'True' }] },
    },
    {
      pick: ({ spec, status }) => ({
        spec,
        status: { allocatable: status.allocatable, conditions: status.conditions },
      }),
    },
  )
  await api.step('a bad taint', 'POST', `${core}/nodes`, {
    metadata: { name: 'x' },
    spec: { taints: [{ key: 'a', effect: 'Never' }] },
  })
  const all = `${core}/namespaces/${ns}`
  await api.step('an account', 'POST', `${all}/serviceaccounts`, {
    metadata: { name: 'a' },
    imagePullSecrets: [{ name: 's' }],
    automountServiceAccountToken: false,
  })
  const event = {
    metadata: { name: 'e1' },
    involvedObject: { kind: 'Pod', namespace: ns, name: 'a', uid: '3c9b8f4e-0b8f-4c9e-9a52-0d8f3f2a7c11' },
    reason: 'Scheduled',
    message: 'ok',
    type: 'Normal',
    count: 1,
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:01Z',
    source: { component: 'sandbox' },
  }
  await api.step('an event', 'POST', `${all}/events`, event)
  await api.step(
    'of one object',
    'GET',
    `${all}/events?fieldSelector=involvedObject.uid%3D3c9b8f4e-0b8f-4c9e-9a52-0d8f3f2a7c11`,
    undefined,
    { pick: ({ items }) => items.length },
  )
  await api.step('an event elsewhere', 'POST', `${all}/events`, {
    ...event,
    metadata: { name: 'e2' },
    involvedObject: { ...event.involvedObject, namespace: 'default' },
  })
  await api.step('a lease', 'POST', `/apis/coordination.k8s.io/v1/namespaces/${ns}/leases`, {
    metadata: { name: 'l' },
    spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' },
  })
})

scenario('stateful sets', async (api) => {
  const ns = await api.namespace()
  const all = `/apis/apps/v1/namespaces/${ns}/statefulsets`
  const set = (extra: object = {}, meta: object = {}) => ({
    metadata: { name: 'alpha-pool-0', ...meta },
    spec: {
      replicas: 0,
      serviceName: 'alpha-hl',
      selector: { matchLabels: { 'v1.min.io/tenant': 'alpha' } },
      template: {
        metadata: { labels: { 'v1.min.io/tenant': 'alpha' } },
        spec: { containers: [{ name: 'minio', image: 'minio' }] },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data0' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
      ...extra,
    },
  })
  const pick = ({ status: _, ...rest }: { status: unknown }) => rest
  const { body } = await api.step('defaults', 'POST', all, set(), { pick })
  await api.step(
    'a selector that does not fit',
    'POST',
    all,
    set({ selector: { matchLabels: { a: 'b' } } }, { name: 'x' }),
    { pick: causes },
  )
  await api.step('no selector', 'POST', all, set({ selector: undefined }, { name: 'x' }), { pick: causes })
  const put = (step: string, extra: object) =>
    api.step(
      step,
      'PUT',
      `${all}/alpha-pool-0`,
      { ...body, metadata: { name: 'alpha-pool-0' }, spec: { ...body.spec, ...extra } },
      { pick: (each) => (each.reason ? causes(each) : each.metadata.generation) },
    )
  await put('the same', {})
  await put('another image', {
    template: set().spec.template && {
      ...body.spec.template,
      spec: { ...body.spec.template.spec, containers: [{ ...body.spec.template.spec.containers[0], image: 'new' }] },
    },
  })
  await put('another service', { serviceName: 'other' })
  await put('other claims', { volumeClaimTemplates: [] })
  await put('another selector', { selector: { matchLabels: { a: 'b' } } })
  await put('negative replicas', { replicas: -1 })
})

scenario('deployments and jobs', async (api) => {
  const ns = await api.namespace()
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a' }] } }
  await api.step('a deployment', 'POST', `/apis/apps/v1/namespaces/${ns}/deployments?dryRun=All`, {
    metadata: { name: 'a' },
    spec: { selector: { matchLabels: { app: 'a' } }, template },
  })
  const pick = (body: {
    metadata: { labels?: object }
    spec: { selector: object; template: { metadata: object; spec: object } }
  }) => ({
    ...body,
    spec: { ...body.spec, selector: undefined, template: { ...body.spec.template, metadata: undefined } },
    metadata: { ...body.metadata, labels: undefined },
  })
  await api.step(
    'a job',
    'POST',
    `/apis/batch/v1/namespaces/${ns}/jobs?dryRun=All`,
    { metadata: { name: 'a' }, spec: { template: { spec: { ...template.spec, restartPolicy: 'OnFailure' } } } },
    { pick },
  )
  await api.step('a job that restarts always', 'POST', `/apis/batch/v1/namespaces/${ns}/jobs?dryRun=All`, {
    metadata: { name: 'a' },
    spec: { template },
  })
})
