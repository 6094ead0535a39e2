import { type Api, scenario } from './support/scenario.ts'

const core = '/api/v1'
const rbac = '/apis/rbac.authorization.k8s.io/v1'
const authorization = '/apis/authorization.k8s.io/v1'
const authentication = '/apis/authentication.k8s.io/v1'

/** Creates a service account with rules in its namespace, and its token. */
async function account(api: Api, ns: string, name: string, rules: object[] = []) {
  await api.must('POST', `${core}/namespaces/${ns}/serviceaccounts`, { metadata: { name } })
  if (rules.length > 0) {
    await api.must('POST', `${rbac}/namespaces/${ns}/roles`, { metadata: { name }, rules })
    await api.must('POST', `${rbac}/namespaces/${ns}/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: ns }],
    })
  }
  return await newToken(api, ns, name)
}

async function newToken(api: Api, ns: string, name: string, spec: object = {}) {
  const { status } = await api.must('POST', `${core}/namespaces/${ns}/serviceaccounts/${name}/token`, { spec })
  return status.token as string
}

async function clusterRole(api: Api, ns: string, accountName: string, rules: object[]) {
  const name = api.unique('cluster-role')
  await api.must('POST', `${rbac}/clusterroles`, { metadata: { name }, rules })
  await api.must('POST', `${rbac}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name: accountName, namespace: ns }],
  })
  api.atEnd('DELETE', `${rbac}/clusterroles/${name}`)
  api.atEnd('DELETE', `${rbac}/clusterrolebindings/${name}`)
  return name
}

/** Waits until the server's authorizer has seen a change; it reads roles with a short delay. */
async function allowed(api: Api, token: string, path: string, status = 200) {
  const deadline = Date.now() + 20_000
  while ((await api.send('GET', path, undefined, { token })).status !== status)
    if (Date.now() > deadline) throw new Error(`${path} does not answer ${status}`)
}

scenario('who somebody is', async (api) => {
  const ns = await api.namespace()
  const token = await account(api, ns, 'reader')
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const pick = ({ status, ...rest }: { status?: { userInfo: { extra?: object } } }) =>
    // Every token has an ID, which some servers report.
    ({ ...rest, status: status && { userInfo: { ...status.userInfo, extra: undefined } } })
  await api.step('a service account', 'POST', `${authentication}/selfsubjectreviews`, review, { token, pick })
  await api.step('the administrator', 'POST', `${authentication}/selfsubjectreviews`, review, { pick })
  await api.step('nobody', 'POST', `${authentication}/selfsubjectreviews`, review, { token: '' })
  await api.step('a wrong token', 'POST', `${authentication}/selfsubjectreviews`, review, { token: 'wrong' })
  for (const [what, header] of [
    ['basic', 'Basic YTpi'],
    ['an empty bearer', 'Bearer '],
    ['a bearer of spaces', 'Bearer    '],
    ['lower case', `bearer ${token}`],
    ['two words', `Bearer ${token} x`],
  ])
    await api.step(`${what}`, 'GET', '/api', undefined, {
      token: '',
      headers: { authorization: `${header}` },
      pick: (body) => body.reason ?? body.kind,
    })
  await api.step('versions for a service account', 'GET', '/api', undefined, {
    token,
    pick: ({ kind, versions }) => ({ kind, versions }),
  })
  await api.step('versions for nobody', 'GET', '/api', undefined, { token: '' })
  await api.step('the version for nobody', 'GET', '/version', undefined, {
    token: '',
    pick: ({ major, minor, gitVersion }) => ({ major, minor, gitVersion }),
  })
  await api.step('health for nobody', 'GET', '/healthz', undefined, { token: '' })
  await api.step('readiness for nobody', 'GET', '/readyz', undefined, { token: '' })
})

scenario('tokens of service accounts', async (api) => {
  const ns = await api.namespace()
  const at = `${core}/namespaces/${ns}/serviceaccounts`
  await api.must('POST', at, { metadata: { name: 'a' } })
  const pick = ({
    spec,
    status,
    ...rest
  }: {
    spec?: object
    status?: { token: string; expirationTimestamp: string }
  }) => {
    if (!status?.token) return { ...rest, spec, status }
    const [head = '', payload = ''] = status.token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, number>
    const { exp = 0, iat = 0, nbf = 0, jti: _, ...others } = claims
    const expires = Math.abs(Date.parse(status.expirationTimestamp) / 1000 - exp) < 2
    return {
      ...rest,
      spec,
      claims: { ...others, seconds: exp - iat, nbf: nbf - iat },
      expires,
      algorithm: JSON.parse(Buffer.from(head, 'base64url').toString()).alg,
    }
  }
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' }
  await api.step('by default', 'POST', `${at}/a/token`, { ...request, spec: {} }, { pick })
  await api.step('of ten minutes', 'POST', `${at}/a/token`, { ...request, spec: { expirationSeconds: 600 } }, { pick })
  await api.step('too short', 'POST', `${at}/a/token`, { ...request, spec: { expirationSeconds: 599 } })
  await api.step('too long', 'POST', `${at}/a/token`, { ...request, spec: { expirationSeconds: 2 ** 33 } })
  await api.step(
    'for another audience',
    'POST',
    `${at}/a/token`,
    { ...request, spec: { audiences: ['elsewhere'] } },
    { pick },
  )
  await api.step('of no account', 'POST', `${at}/none/token`, { ...request, spec: {} })
  await api.step('read', 'GET', `${at}/a/token`)
  const elsewhere = await newToken(api, ns, 'a', { audiences: ['elsewhere'] })
  await api.step('a token for another audience', 'GET', '/api', undefined, { token: elsewhere })
  const token = await newToken(api, ns, 'a')
  const [head, payload = '', signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'system:serviceaccount:kube-system:default' })).toString(
    'base64url',
  )
  await api.step('a forged token', 'GET', '/api', undefined, { token: `${head}.${forged}.${signature}` })
  const unsigned = Buffer.from('{"alg":"none"}').toString('base64url')
  await api.step('an unsigned token', 'GET', '/api', undefined, { token: `${unsigned}.${payload}.` })
  await api.step('an account', 'GET', '/api', undefined, { token, pick: ({ kind }) => kind })
  await api.must('DELETE', `${at}/a`)
  await allowed(api, token, '/api', 401)
  await api.step('an account that is gone', 'GET', '/api', undefined, { token })
  await api.must('POST', at, { metadata: { name: 'a' } })
  await api.step('an account made anew', 'GET', '/api', undefined, { token })
})

scenario('a token is bound to a pod or a secret', async (api) => {
  const ns = await api.namespace()
  await api.must('POST', `${core}/namespaces/${ns}/secrets`, { metadata: { name: 's' } })
  await api.must('POST', `${core}/namespaces/${ns}/secrets`, {
    metadata: { name: 'legacy', annotations: { 'kubernetes.io/service-account.name': 'default' } },
    type: 'kubernetes.io/service-account-token',
  })
  const { body } = await api.until(
    `${core}/namespaces/${ns}/secrets/legacy`,
    ({ body }) => body.data?.token !== undefined,
  )
  const token = Buffer.from(body.data.token, 'base64').toString()
  api.note('the keys of a secret with a token', Object.keys(body.data).sort())
  await api.step('it works', 'GET', '/api', undefined, { token, pick: ({ kind }) => kind })
  await api.must('DELETE', `${core}/namespaces/${ns}/secrets/legacy`)
  await allowed(api, token, '/api', 401)
})

scenario('rules decide by verb, kind, name and namespace', async (api) => {
  const ns = await api.namespace()
  const other = await api.namespace('other')
  await api.must('POST', `${core}/namespaces/${ns}/secrets`, { metadata: { name: 'mine' } })
  await api.must('POST', `${core}/namespaces/${ns}/secrets`, { metadata: { name: 'theirs' } })
  const token = await account(api, ns, 'limited', [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'create'] },
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['mine'], verbs: ['get', 'delete'] },
    { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
    { apiGroups: ['apps'], resources: ['*'], verbs: ['*'] },
  ])
  const all = `${core}/namespaces/${ns}`
  await allowed(api, token, `${all}/configmaps`)
  const as = { token, pick: (body: { kind: string; items?: unknown }) => (body.kind === 'Status' ? body : body.kind) }
  await api.step('list', 'GET', `${all}/configmaps`, undefined, as)
  await api.step('create', 'POST', `${all}/configmaps`, { metadata: { name: 'a' } }, as)
  await api.step('delete', 'DELETE', `${all}/configmaps/a`, undefined, as)
  await api.step('replace', 'PUT', `${all}/configmaps/a`, { metadata: { name: 'a' } }, as)
  await api.step('patch', 'PATCH', `${all}/configmaps/a`, [], {
    ...as,
    headers: { 'content-type': 'application/json-patch+json' },
  })
  await api.step('watch', 'GET', `${all}/configmaps?watch=true`, undefined, as)
  await api.step('delete all', 'DELETE', `${all}/configmaps`, undefined, as)
  await api.step('another namespace', 'GET', `${core}/namespaces/${other}/configmaps`, undefined, as)
  await api.step('all namespaces', 'GET', `${core}/configmaps`, undefined, as)
  await api.step('a cluster kind', 'GET', `${core}/nodes`, undefined, as)
  await api.step('one of the cluster', 'GET', `${core}/nodes/none`, undefined, as)
  await api.step('the namespace', 'GET', all, undefined, as)
  await api.step('a named secret', 'GET', `${all}/secrets/mine`, undefined, as)
  await api.step('another secret', 'GET', `${all}/secrets/theirs`, undefined, as)
  await api.step('all secrets', 'GET', `${all}/secrets`, undefined, as)
  await api.step('one secret by list', 'GET', `${all}/secrets?fieldSelector=metadata.name%3Dmine`, undefined, as)
  await api.step('a pod', 'GET', `${all}/pods/a`, undefined, as)
  await api.step('the log of a pod that is not there', 'GET', `${all}/pods/a/log`, undefined, as)
  await api.step('all of a group', 'GET', `/apis/apps/v1/namespaces/${ns}/statefulsets`, undefined, as)
  await api.step('an unknown kind', 'GET', `${all}/widgets`, undefined, as)
  await api.step('an unknown group', 'GET', '/apis/example.com/v1/widgets', undefined, as)
  await api.step('a path', 'GET', '/metrics', undefined, as)
  await api.step('a token of another', 'POST', `${all}/serviceaccounts/default/token`, { spec: {} }, as)
  await api.step('nobody', 'GET', `${all}/configmaps`, undefined, { token: '' })
})

scenario('nobody gives away rights of others', async (api) => {
  const ns = await api.namespace()
  const token = await account(api, ns, 'granter', [
    {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['roles', 'rolebindings'],
      verbs: ['create', 'update', 'get'],
    },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
  ])
  await allowed(api, token, `${core}/namespaces/${ns}/configmaps/kube-root-ca.crt`)
  const roles = `${rbac}/namespaces/${ns}/roles`
  const rule = (resources: string[], verbs: string[]) => ({ apiGroups: [''], resources, verbs })
  const pick = (body: { kind: string; reason?: string }) => body.reason ?? body.kind
  await api.step(
    'a right that it has',
    'POST',
    roles,
    { metadata: { name: 'a' }, rules: [rule(['configmaps'], ['get'])] },
    { token, pick },
  )
  await api.step(
    'a right that it lacks',
    'POST',
    roles,
    { metadata: { name: 'b' }, rules: [rule(['secrets'], ['get'])] },
    { token, pick },
  )
  const binding = (kind: string, name: string) => ({
    metadata: { name: `to-${name}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: [{ kind: 'ServiceAccount', name: 'granter', namespace: ns }],
  })
  const bindings = `${rbac}/namespaces/${ns}/rolebindings`
  await api.step('a role that it has', 'POST', bindings, binding('Role', 'a'), { token, pick })
  await api.step('all rights', 'POST', bindings, binding('ClusterRole', 'cluster-admin'), { token, pick })
  await api.step(
    'another role for a binding',
    'PUT',
    `${bindings}/to-a`,
    { ...binding('Role', 'granter'), metadata: { name: 'to-a' } },
    { token },
  )
  await api.step('a subject of no kind', 'POST', bindings, {
    ...binding('Role', 'a'),
    metadata: { name: 'x' },
    subjects: [{ kind: 'Robot', name: 'r' }],
  })
  await api.step('a binding to nothing', 'POST', bindings, { metadata: { name: 'y' }, subjects: [] })
  await api.step('a rule without verbs', 'POST', roles, {
    metadata: { name: 'z' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: [] }],
  })
  await api.step('paths in a namespace', 'POST', roles, {
    metadata: { name: 'z' },
    rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
  })
})

scenario('a review tells what somebody may do', async (api) => {
  const ns = await api.namespace()
  const token = await account(api, ns, 'reviewed', [
    { apiGroups: ['minio.min.io'], resources: ['tenants'], verbs: ['*'] },
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['mine'], verbs: ['get'] },
  ])
  const cluster = await clusterRole(api, ns, 'reviewed', [
    { apiGroups: [''], resources: ['nodes'], verbs: ['list'] },
    { nonResourceURLs: ['/metrics', '/logs/*'], verbs: ['get'] },
  ])
  await allowed(api, token, `${core}/nodes`)
  const ask = (step: string, resourceAttributes: object, options: { token?: string } = { token }) =>
    api.step(
      step,
      'POST',
      `${authorization}/selfsubjectaccessreviews`,
      { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } },
      options,
    )
  await ask('allowed', { verb: 'create', group: 'minio.min.io', resource: 'tenants', namespace: ns })
  await ask('another namespace', { verb: 'create', group: 'minio.min.io', resource: 'tenants', namespace: 'other' })
  await ask('no namespace', { verb: 'list', group: 'minio.min.io', resource: 'tenants' })
  await ask('another group', { verb: 'create', group: 'min.io', resource: 'tenants', namespace: ns })
  await ask('a name', { verb: 'get', resource: 'secrets', namespace: ns, name: 'mine' })
  await ask('no name', { verb: 'get', resource: 'secrets', namespace: ns })
  await ask('of the cluster', { verb: 'list', resource: 'nodes' })
  await ask('a subresource', {
    verb: 'get',
    group: 'minio.min.io',
    resource: 'tenants',
    subresource: 'status',
    namespace: ns,
  })
  await ask('the administrator', { verb: 'delete', resource: 'nodes' }, {})
  await ask('a verb that nobody has', { verb: 'juggle', group: 'minio.min.io', resource: 'tenants', namespace: ns })
  const reviews = `${authorization}/selfsubjectaccessreviews`
  await api.step(
    'a path',
    'POST',
    reviews,
    { spec: { nonResourceAttributes: { path: '/logs/x', verb: 'get' } } },
    { token },
  )
  await api.step(
    'another path',
    'POST',
    reviews,
    { spec: { nonResourceAttributes: { path: '/x', verb: 'get' } } },
    { token },
  )
  await api.step('nothing', 'POST', reviews, { spec: {} }, { token })
  await api.step(
    'both',
    'POST',
    reviews,
    {
      spec: {
        nonResourceAttributes: { path: '/x', verb: 'get' },
        resourceAttributes: { verb: 'get', resource: 'pods' },
      },
    },
    { token },
  )
  await api.step(
    'nobody',
    'POST',
    reviews,
    { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } },
    { token: '' },
  )
  const rules = `${authorization}/selfsubjectrulesreviews`
  const sorted = (body: { status: { resourceRules: { resources: string[] }[]; nonResourceRules: unknown[] } }) => ({
    ...body,
    status: {
      ...body.status,
      resourceRules: body.status.resourceRules.map((rule) => JSON.stringify(rule)).sort(),
      nonResourceRules: body.status.nonResourceRules.map((rule) => JSON.stringify(rule)).sort(),
    },
  })
  await api.step('rules', 'POST', rules, { spec: { namespace: ns } }, { token, pick: sorted })
  await api.step('rules elsewhere', 'POST', rules, { spec: { namespace: 'default' } }, { token, pick: sorted })
  await api.step('rules of no namespace', 'POST', rules, { spec: {} }, { token })
  await api.step('of another', 'POST', `${authorization}/subjectaccessreviews`, {
    spec: {
      user: `system:serviceaccount:${ns}:reviewed`,
      groups: [],
      resourceAttributes: { verb: 'list', resource: 'nodes' },
    },
  })
  await api.step(
    'of another, by one who may not',
    'POST',
    `${authorization}/subjectaccessreviews`,
    {
      spec: { user: 'x', resourceAttributes: { verb: 'list', resource: 'nodes' } },
    },
    { token },
  )
  await api.must('DELETE', `${rbac}/clusterrolebindings/${cluster}`)
  await allowed(api, token, `${core}/nodes`, 403)
  await ask('after the binding has gone', { verb: 'list', resource: 'nodes' })
})

scenario('whose token it is', async (api) => {
  const ns = await api.namespace()
  const token = await account(api, ns, 'a')
  const elsewhere = await newToken(api, ns, 'a', { audiences: ['elsewhere'] })
  const pick = ({ status, kind }: { kind: string; status?: { user?: { extra?: object } } }) => ({
    kind,
    status: status?.user ? { ...status, user: { ...status.user, extra: undefined } } : status,
  })
  const review = (spec: object) => ({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec })
  await api.step('a good one', 'POST', `${authentication}/tokenreviews`, review({ token }), { pick })
  await api.step('a wrong one', 'POST', `${authentication}/tokenreviews`, review({ token: 'x' }), {
    pick: (body) => ({ authenticated: body.status.authenticated ?? false }),
  })
  await api.step(
    'for another audience',
    'POST',
    `${authentication}/tokenreviews`,
    review({ token: elsewhere, audiences: ['elsewhere'] }),
    { pick },
  )
  await api.step('none', 'POST', `${authentication}/tokenreviews`, review({}))
  await api.step('by one who may not', 'POST', `${authentication}/tokenreviews`, review({ token }), { token })
})
