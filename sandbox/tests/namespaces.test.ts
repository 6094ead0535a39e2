import { scenario } from './support/scenario.ts'

const core = '/api/v1'

scenario('a namespace has a phase, a label and an account of its own', async (api) => {
  const name = api.unique('space')
  api.atEnd('DELETE', `${core}/namespaces/${name}`)
  await api.step('create', 'POST', `${core}/namespaces`, { metadata: { name } })
  await api.step('again', 'POST', `${core}/namespaces`, { metadata: { name } })
  await api.until(`${core}/namespaces/${name}/serviceaccounts/default`, ({ status }) => status === 200)
  await api.until(`${core}/namespaces/${name}/configmaps/kube-root-ca.crt`, ({ status }) => status === 200)
  await api.step('its account', 'GET', `${core}/namespaces/${name}/serviceaccounts/default`)
  await api.step('its authority', 'GET', `${core}/namespaces/${name}/configmaps/kube-root-ca.crt`, undefined, {
    pick: ({ metadata, data }) => ({
      name: metadata.name,
      pem: data['ca.crt'].startsWith('-----BEGIN CERTIFICATE-----'),
    }),
  })
  await api.step('its own label can go', 'PUT', `${core}/namespaces/${name}`, { metadata: { name } })
  await api.step('no finalizer at all', 'PUT', `${core}/namespaces/${name}`, {
    metadata: { name },
    spec: { finalizers: [] },
  })
})

scenario('a namespace goes with all that is in it', async (api) => {
  const name = await api.namespace()
  const all = `${core}/namespaces/${name}`
  await api.must('POST', `${all}/secrets`, { metadata: { name: 'a' } })
  await api.must('POST', `${all}/configmaps`, { metadata: { name: 'held', finalizers: ['example.com/hold'] } })
  await api.step('delete', 'DELETE', all, undefined, {
    pick: ({ status, metadata }) => ({ phase: status.phase, deleting: metadata.deletionTimestamp !== undefined }),
  })
  await api.until(`${all}/secrets/a`, ({ status }) => status === 404)
  await api.until(`${all}/configmaps/held`, ({ body }) => body.metadata.deletionTimestamp !== undefined)
  await api.step('nothing new', 'POST', `${all}/secrets`, { metadata: { name: 'b' } })
  await api.step('what is there may change', 'PUT', `${all}/configmaps/held`, {
    metadata: { name: 'held', finalizers: ['example.com/hold'] },
    data: { k: 'v' },
  })
  await api.step('a name that is taken', 'POST', `${core}/namespaces`, { metadata: { name } })
  const { body } = await api.until(all, ({ body }) =>
    body.status?.conditions?.some(({ message }: { message: string }) =>
      message.includes('remaining: configmaps. has 1 resource instances'),
    ),
  )
  api.note(
    'why it is still there',
    body.status.conditions
      .filter(({ status }: { status: string }) => status === 'True')
      .map(({ lastTransitionTime: _, ...rest }: { lastTransitionTime: string }) => rest),
  )
  await api.must('PUT', `${all}/configmaps/held`, { metadata: { name: 'held' } })
  await api.until(all, ({ status }) => status === 404)
  await api.step('gone', 'GET', all)
})

scenario('namespaces that are always there', async (api) => {
  for (const name of ['default', 'kube-system', 'kube-public']) {
    await api.step(name, 'GET', `${core}/namespaces/${name}`)
    await api.step(`delete ${name}`, 'DELETE', `${core}/namespaces/${name}?dryRun=All`, undefined, {
      pick: (body) => body.reason ?? body.message ?? body.kind,
    })
  }
})

scenario('what an owner owns goes with it', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}`
  const own = async (name: string, owner: { metadata: { name: string; uid: string } }, block = false) =>
    await api.must('POST', `${all}/secrets`, {
      metadata: {
        name,
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            name: owner.metadata.name,
            uid: owner.metadata.uid,
            ...(block ? { blockOwnerDeletion: true } : {}),
          },
        ],
      },
    })
  const options = (propagationPolicy: string) => ({ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy })
  const owner = (name: string) => api.must('POST', `${all}/configmaps`, { metadata: { name } })

  await own('background', await owner('a'))
  await api.step('delete', 'DELETE', `${all}/configmaps/a`)
  await api.until(`${all}/secrets/background`, ({ status }) => status === 404)

  await own('kept', await owner('b'))
  await api.step('orphan', 'DELETE', `${all}/configmaps/b`, options('Orphan'))
  await api.until(`${all}/configmaps/b`, ({ status }) => status === 404)
  await api.step('kept', 'GET', `${all}/secrets/kept`)

  const c = await owner('c')
  await own('before', c, true)
  await api.step('foreground', 'DELETE', `${all}/configmaps/c`, options('Foreground'))
  await api.until(`${all}/configmaps/c`, ({ status }) => status === 404)
  await api.step('gone before', 'GET', `${all}/secrets/before`)

  await own('stale', { metadata: { name: 'd', uid: c.metadata.uid } })
  await api.until(`${all}/secrets/stale`, ({ status }) => status === 404)

  const two = await owner('e')
  const other = await owner('f')
  await api.must('POST', `${all}/secrets`, {
    metadata: {
      name: 'shared',
      ownerReferences: [two, other].map(({ metadata }) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: metadata.name,
        uid: metadata.uid,
      })),
    },
  })
  await api.must('DELETE', `${all}/configmaps/e`)
  await api.until(`${all}/secrets/shared`, ({ body }) => body.metadata.ownerReferences.length === 1)
  await api.step('an owner is left', 'GET', `${all}/secrets/shared`)
  await api.step('an owner without a uid', 'POST', `${all}/secrets`, {
    metadata: { name: 'x', ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'f' }] },
  })
  api.normalizer.mask(/\(0x[0-9a-f]+\)/, '(<pointer>)')
  await api.step('two controllers', 'POST', `${all}/secrets`, {
    metadata: {
      name: 'x',
      ownerReferences: ['1', '2'].map((n) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: n,
        uid: n,
        controller: true,
      })),
    },
  })
})
