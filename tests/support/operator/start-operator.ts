import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  defineResource,
  type Kube,
  KubeError,
  type KubeObject,
  type KubeResource,
  openCluster,
  resources,
  type SavedKubeObject,
} from '@stowage/kube'
import { type OidcOptions, type Sandbox, startSandbox } from '@stowage/sandbox-kube'
import {
  type JoinClusterOptions,
  joinCluster,
  openApiServer,
  type SandboxCluster,
  startSandboxCluster,
} from '@stowage/sandbox-operator'
import { type OperatorRelease, tenantDefinition } from '@stowage/sandbox-operator/definitions'
import { TestCaller } from '../console/caller.ts'
import { waitForReady } from '../console/start-console.ts'
import { reportCrash } from '../processes/processes.ts'

const main = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url))
const stoppedTimeouts = new URL('stopped-timeouts.mjs', import.meta.url).href

export interface TestOperator extends AsyncDisposable {
  url: string
  /** Process of the console. */
  pid: number
  sandbox: Sandbox
  /** The cluster, with administrator rights. */
  kube: Kube
  /** A caller signed in as the administrator. */
  admin: TestCaller
  data: string
  output(): string
  /** A caller who is not signed in. */
  anonymous(): TestCaller
  /** Returns the token of a new service account with these rights, in all namespaces or in one. */
  newToken(rules: readonly RbacRule[], namespace?: string): Promise<string>
  /** Creates a service account and signs it in. */
  signInWith(rules: readonly RbacRule[], namespace?: string): Promise<TestCaller>
  signIn(token: string): Promise<TestCaller>
  /** Returns a unique name. */
  freshName(prefix?: string): string
  newNamespace(): Promise<string>
  /** Advances the console's clock, with `stopTimeouts`. */
  pass(ms: number): Promise<void>
  /** Starts another console for the same cluster, as behind a load balancer, with a caller signed in as the administrator. */
  secondConsole(): Promise<{ url: string; admin: TestCaller; pass(ms: number): Promise<void> } & AsyncDisposable>
}

export interface RbacRule {
  apiGroups: string[]
  resources: string[]
  verbs: string[]
}

export interface TestOperatorOptions {
  /** Release of the definition of a tenant; `none`: the cluster does not have this kind. */
  release?: OperatorRelease | 'none'
  env?: Record<string, string>
  /** Options of Node for the console. */
  execArgv?: string[]
  /** Stops the clock of the console's limits of outgoing calls, and of its timers of a minute or more: `pass` advances it. */
  stopTimeouts?: boolean
  /** Identity provider whose ID tokens the cluster accepts; not with `cluster`. */
  oidc?: OidcOptions
  /** A prepared cluster, which is stopped with the console. */
  cluster?: SandboxCluster
}

/** An external cluster keeps the names of earlier runs. */
const RUN = randomBytes(2).toString('hex')
let names = 0
const freshName = (prefix = 'test') => `${prefix}-${++names}-${RUN}`

/** Returns nodes and a storage class, as in the recordings of the original. */
function nodesAndStorageClass() {
  const nodes = [1, 2, 3, 4].map((n) => ({
    metadata: {
      name: `node${n}`,
      labels: { disktype: 'nvme', 'kubernetes.io/hostname': `node${n}`, zone: `z${(n - 1) % 2}` },
    },
    status: { allocatable: { cpu: '8', memory: '16Gi' }, capacity: { cpu: '8', memory: '16Gi' } },
  }))
  return { nodes, storageClass: { metadata: { name: 'standard' }, provisioner: 'example.com/standard' } }
}

async function prepareCluster(kube: Kube, release: OperatorRelease | 'none'): Promise<void> {
  if (release !== 'none') {
    await define(kube, tenantDefinition(release))
    await waitUntilEstablished(kube, 'tenants.minio.min.io')
  }
  const { nodes, storageClass } = nodesAndStorageClass()
  for (const node of nodes) {
    await getOrCreate(kube, resources.nodes, { metadata: node.metadata })
    // Patches, because the controllers of a real cluster change nodes too.
    const at = { name: node.metadata.name }
    await kube.mergePatch(resources.nodes, at, { status: node.status }, { subresource: 'status' })
    // No kubelet reports that it is ready.
    await kube.mergePatch(resources.nodes, at, { spec: { taints: null, unschedulable: null } })
  }
  await getOrCreate(kube, resources.storageClasses, storageClass)
}

/** Creates an object; a cluster that outlives a test may have it already. */
export async function getOrCreate<T extends KubeObject>(
  kube: Kube,
  kind: KubeResource<T>,
  object: T,
): Promise<SavedKubeObject<T>> {
  try {
    return await kube.create(kind, object)
  } catch (error) {
    if (!(error instanceof KubeError) || error.code !== 'AlreadyExists') throw error
    return await kube.get(kind, { name: object.metadata?.name ?? '' })
  }
}

/** Defines a tenant, or changes the definition to that of another release. */
async function define(kube: Kube, definition: ReturnType<typeof tenantDefinition>): Promise<void> {
  const found = await getOrCreate(kube, resources.customResourceDefinitions, definition)
  if (JSON.stringify(found.spec?.versions) !== JSON.stringify(definition.spec.versions))
    await kube.mergePatch(
      resources.customResourceDefinitions,
      { name: definition.metadata?.name ?? '' },
      {
        spec: definition.spec,
      },
    )
}

/** False in front of the cluster of `STOWAGE_TEST_KUBE`, which fails only by itself. */
export const runsOnSandbox = process.env.STOWAGE_TEST_KUBE === undefined

/**
 * The cluster of `STOWAGE_TEST_KUBE`, a kubeconfig with an administrator's token. It has no faults on demand, so tests that need
 * the sandbox fail there with a clear message.
 */
async function externalCluster(path: string): Promise<Sandbox> {
  const none = () => {
    throw new Error('Only the sandbox cluster can do this.')
  }
  return {
    ...(await openApiServer(path)),
    setFaults: (faults) => {
      if (faults.length > 0) none()
    },
    forgetHistory: none,
    watches: none,
  }
}

async function startCluster(oidc: OidcOptions | undefined): Promise<Sandbox> {
  const external = process.env.STOWAGE_TEST_KUBE
  // An external cluster does not accept the tokens of a provider that a test starts.
  if (external && !oidc) return await externalCluster(external)
  return await startSandbox({ onError: (name, error) => console.error(name, error), ...(oidc ? { oidc } : {}) })
}

/**
 * Starts the operator and the nodes of the sandbox: in a new cluster, or in that of `STOWAGE_TEST_KUBE`, if it has no nodes of its
 * own. There it deletes what other tests left, and at the end what this one leaves.
 */
export async function startTenantCluster(options: JoinClusterOptions): Promise<SandboxCluster> {
  const external = process.env.STOWAGE_TEST_KUBE
  if (!external) return await startSandboxCluster(options)
  const sandbox = await externalCluster(external)
  // Fails for a cluster with real nodes.
  await sandbox.kubeletCertificate()
  const clean = async () => {
    await using cluster = openCluster(sandbox)
    await clear(cluster.as(sandbox.token))
  }
  await clean()
  const joined = await joinCluster(sandbox, options)
  return {
    ...joined,
    async [Symbol.asyncDispose]() {
      await joined[Symbol.asyncDispose]()
      await clean()
    },
  }
}

/** Deletes all workloads and nodes, and the definitions of MinIO's kinds with their objects. */
async function clear(kube: Kube): Promise<void> {
  const definitions = async () =>
    (await kube.list(resources.customResourceDefinitions)).objects.filter(({ metadata }) =>
      metadata.name.endsWith('.min.io'),
    )
  const remove = async (kind: KubeResource<KubeObject>, objects: SavedKubeObject<KubeObject>[]) => {
    for (const { metadata } of objects) await kube.delete(kind, metadata, { gracePeriodSeconds: 0 })
  }
  for (const { spec } of await definitions()) {
    if (!spec) continue
    const kind = defineResource<KubeObject>({
      group: spec.group,
      version: spec.versions.find(({ storage }) => storage)?.name ?? '',
      plural: spec.names.plural,
      kind: spec.names.kind,
      namespaced: spec.scope === 'Namespaced',
    })
    // Nobody else removes the finalizers of these objects, which keep their definition.
    for (const { metadata } of (await kube.list(kind)).objects)
      if (metadata.finalizers) await kube.mergePatch(kind, metadata, { metadata: { finalizers: null } } as never)
  }
  await remove(resources.customResourceDefinitions, await definitions())
  const kinds: KubeResource<KubeObject>[] = [
    resources.deployments,
    resources.statefulSets,
    resources.nodes,
    resources.pods,
  ]
  for (const kind of kinds) await remove(kind, (await kube.list(kind)).objects)
  const left = async () =>
    (await kube.list(resources.pods)).objects.length + (await kube.list(resources.nodes)).objects.length
  while ((await left()) + (await definitions()).length > 0) await setTimeout(100)
}

/** Starts the built console in operator mode, with a new cluster, or that of `STOWAGE_TEST_KUBE`. */
export async function startOperator(options: TestOperatorOptions = {}): Promise<TestOperator> {
  const sandbox = options.cluster?.sandbox ?? (await startCluster(options.oidc))
  const cluster = openCluster({ server: sandbox.server, ca: sandbox.ca })
  const kube = cluster.as(sandbox.token)
  if (!options.cluster) await prepareCluster(kube, options.release ?? '4.3')

  const data = await mkdtemp(join(tmpdir(), 'stowage-operator-'))
  const ca = join(data, 'cluster-ca.pem')
  await writeFile(ca, sandbox.ca)
  const startConsole = async (folder: string) => {
    const child = fork(main, [], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [...(options.execArgv ?? []), ...(options.stopTimeouts ? ['--import', stoppedTimeouts] : [])],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        STOWAGE_MODE: 'operator',
        STOWAGE_PORT: '0',
        STOWAGE_DATA: folder,
        STOWAGE_KUBE_SERVER: sandbox.server,
        STOWAGE_KUBE_CA: ca,
        ...options.env,
      },
    })
    let written = ''
    child.stdout?.on('data', (chunk) => (written += chunk))
    child.stderr?.on('data', (chunk) => (written += chunk))
    reportCrash(child, () => written)
    const { url } = await waitForReady(child, () => written)
    const stop = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill()
      await exit
    }
    return { child, url, output: () => written, stop }
  }
  const { child, url, output, stop } = await startConsole(data)
  const signInAt = async (address: string, token: string) => {
    const caller = new TestCaller(address)
    const { sessionId } = await caller.call('loginOperator', { body: { jwt: token } })
    caller.session = sessionId
    return caller
  }
  const signIn = (token: string) => signInAt(url, token)
  const newToken = async (rules: readonly RbacRule[], namespace?: string) => {
    const name = freshName('account')
    const home = namespace ?? 'default'
    await kube.create(resources.serviceAccounts, { metadata: { name, namespace: home } })
    const subjects = [{ kind: 'ServiceAccount', name, namespace: home }]
    const apiGroup = 'rbac.authorization.k8s.io'
    if (namespace === undefined) {
      await kube.create(resources.clusterRoles, { metadata: { name }, rules: [...rules] })
      const roleRef = { apiGroup, kind: 'ClusterRole', name }
      await kube.create(resources.clusterRoleBindings, { metadata: { name }, roleRef, subjects })
    } else {
      await kube.create(resources.roles, { metadata: { name, namespace }, rules: [...rules] })
      const roleRef = { apiGroup, kind: 'Role', name }
      await kube.create(resources.roleBindings, { metadata: { name, namespace }, roleRef, subjects })
    }
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } }
    const at = { namespace: home, name }
    const issued = await kube.createAt<{ status: { token: string } }>(resources.serviceAccounts, at, 'token', request)
    const { token } = issued.status
    const [rule] = rules
    if (rule) {
      const [verb = '', plural = '', group = ''] = [rule.verbs[0], rule.resources[0], rule.apiGroups[0]]
      const action = { verb, resource: { group, plural }, ...(namespace === undefined ? {} : { namespace }) }
      // A real API server applies a new role some time after it has stored it.
      while (!(await cluster.as(token).can(action)).allowed);
    }
    return token
  }
  return {
    url,
    pid: child.pid ?? 0,
    sandbox,
    kube,
    admin: await signIn(sandbox.token),
    data,
    output,
    anonymous: () => new TestCaller(url),
    newToken,
    signIn,
    signInWith: async (rules, namespace) => await signIn(await newToken(rules, namespace)),
    freshName,
    newNamespace: async () => {
      const name = freshName('ns')
      await kube.create(resources.namespaces, { metadata: { name } })
      return name
    },
    pass: (passMs) => passTime(child, passMs),
    secondConsole: async () => {
      const other = await startConsole(join(data, 'second'))
      return {
        url: other.url,
        admin: await signInAt(other.url, sandbox.token),
        pass: (passMs) => passTime(other.child, passMs),
        [Symbol.asyncDispose]: other.stop,
      }
    },
    async [Symbol.asyncDispose]() {
      await stop()
      await cluster[Symbol.asyncDispose]()
      await (options.cluster ?? sandbox)[Symbol.asyncDispose]()
      await rm(data, { recursive: true, force: true })
    },
  }
}

async function passTime(child: ChildProcess, passMs: number): Promise<void> {
  const passed = once(child, 'message')
  child.send({ passMs })
  await passed
}

/** Resolves when the API server serves a newly defined kind. */
export async function waitUntilEstablished(kube: Kube, name: string): Promise<void> {
  const stop = new AbortController()
  const events = kube.watch(resources.customResourceDefinitions, { signal: stop.signal })
  try {
    for await (const event of events) {
      const objects = event.type === 'list' ? event.objects : 'object' in event ? [event.object] : []
      const found = objects.find(({ metadata }) => metadata.name === name)
      if (found?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) return
    }
  } finally {
    stop.abort()
  }
}
