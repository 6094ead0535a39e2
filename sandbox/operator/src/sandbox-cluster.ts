import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  defineResource,
  type Kube,
  type KubeObject,
  type KubeResource,
  openCluster,
  readKubeconfig,
  resources,
} from '@stowage/kube'
import { type OidcOptions, type Sandbox, type SandboxFault, startSandbox } from '@stowage/sandbox-kube'
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1'
import { parse } from 'yaml'
import { directCsiDefinitions, directPvDefinitions, type OperatorRelease, tenantDefinition } from './definitions.ts'
import { Kubelet } from './kubelet.ts'
import { TenantOperator } from './tenant-operator.ts'
import { createIfMissing, undefinedIfMissing } from './watch-cache.ts'

/** The content of a sandbox cluster; all of it is optional. */
export interface ClusterScenario {
  /** Release of the operator whose definition of a tenant is used. Default 4.3. */
  release?: OperatorRelease
  nodes?: {
    name: string
    labels?: Record<string, string>
    cpu?: string
    memory?: string
    taints?: { key: string; value?: string; effect: string }[]
    unschedulable?: boolean
  }[]
  storageClasses?: string[]
  namespaces?: { name: string; quota?: Record<string, string> }[]
  /** Local drives, as reported by direct-csi or DirectPV. */
  drives?: {
    manager: 'direct-csi' | 'directpv'
    list: { node: string; name: string; size: number; status: string; filesystem?: string }[]
  }
  faults?: SandboxFault[]
  /** Identity provider whose ID tokens the API server accepts. */
  oidc?: OidcOptions
}

const DEFAULTS: Required<Pick<ClusterScenario, 'release' | 'nodes' | 'storageClasses'>> = {
  release: '4.3',
  nodes: [1, 2, 3, 4, 5, 6].map((n) => ({
    name: `node${n}`,
    labels: {
      'kubernetes.io/hostname': `node${n}`,
      'topology.kubernetes.io/zone': `zone-${(n - 1) % 3}`,
      disktype: 'nvme',
    },
    cpu: '16',
    memory: '64Gi',
  })),
  storageClasses: ['standard', 'directpv-min-io'],
}

/** An API server whose nodes the sandbox can be. */
export type SandboxApiServer = Pick<Sandbox, 'server' | 'ca' | 'token' | 'kubeconfig' | 'kubeletCertificate'> &
  AsyncDisposable

export interface JoinClusterOptions {
  /** Folder for the data of the tenants, and for the cluster if it is started too. */
  folder: string
  /** The built program that is run for tenants. */
  program: string
  /** Number of tenants with real processes. Default 3. */
  stores?: number
  scenario?: ClusterScenario
  onError?: (what: string, error: unknown) => void
}

export interface SandboxClusterOptions extends JoinClusterOptions {
  port?: number
}

export interface SandboxCluster<Server extends SandboxApiServer = Sandbox> extends AsyncDisposable {
  sandbox: Server
  /** The cluster, with administrator rights. */
  kube: Kube
}

/** Starts a cluster on loopback, with an operator and nodes that run its tenants. */
export async function startSandboxCluster(options: SandboxClusterOptions): Promise<SandboxCluster> {
  const { folder, scenario = {}, onError = () => {} } = options
  const sandbox = await startSandbox({
    folder: join(folder, 'cluster'),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(scenario.faults ? { faults: scenario.faults } : {}),
    ...(scenario.oidc ? { oidc: scenario.oidc } : {}),
    onError,
  })
  return await joinCluster(sandbox, options)
}

/** Starts an operator and nodes in a cluster without either. */
export async function joinCluster<Server extends SandboxApiServer>(
  server: Server,
  options: JoinClusterOptions,
): Promise<SandboxCluster<Server>> {
  const { folder, program, stores = 3, scenario = {}, onError = () => {} } = options
  const cluster = openCluster({ server: server.server, ca: server.ca })
  const kube = cluster.as(server.token)
  await createScenarioObjects(kube, scenario)
  const kubelet = new Kubelet({ kube, certificate: await server.kubeletCertificate(), onError })
  const operator = new TenantOperator({
    kube,
    logs: kubelet.logs,
    program,
    folder: join(folder, 'tenants'),
    stores,
    onError,
  })
  await kubelet.start()
  await operator.start()
  return {
    sandbox: server,
    kube,
    async [Symbol.asyncDispose]() {
      await operator[Symbol.asyncDispose]()
      await kubelet[Symbol.asyncDispose]()
      await cluster[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

/**
 * Opens the API server of a kubeconfig with an administrator's token. `kubelet.json` beside it has the certificates of a
 * kubelet; only `npm run kube` writes it, so a cluster with nodes of its own is never joined.
 */
export async function openApiServer(kubeconfig: string): Promise<SandboxApiServer> {
  const { cluster, token } = await readKubeconfig(kubeconfig)
  if (!cluster.ca || !token) throw new Error(`${kubeconfig} needs a certificate authority and a token`)
  return {
    server: cluster.server,
    ca: cluster.ca,
    token,
    kubeconfig,
    async kubeletCertificate() {
      const path = join(dirname(kubeconfig), 'kubelet.json')
      const text = await readFile(path, 'utf8').catch(() => {
        throw new Error(`${path} is missing, so nodes cannot be simulated there. See npm run kube`)
      })
      return JSON.parse(text) as Awaited<ReturnType<SandboxApiServer['kubeletCertificate']>>
    },
    async [Symbol.asyncDispose]() {},
  }
}

const MEMBERS = ['release', 'nodes', 'storageClasses', 'namespaces', 'drives', 'faults', 'oidc']
const RELEASES = ['4.3', '5', '6', '7']

/**
 * Reads a scenario from a YAML file.
 * @throws TypeError for a member that a scenario does not have: a mistyped one must not be ignored
 */
export async function readScenario(path: string): Promise<ClusterScenario> {
  const read: unknown = parse(await readFile(path, 'utf8')) ?? {}
  if (typeof read !== 'object' || Array.isArray(read)) throw new TypeError(`${path} is not a scenario`)
  for (const name of Object.keys(read as object))
    if (!MEMBERS.includes(name)) throw new TypeError(`${path}: a scenario has no ${name}, only ${MEMBERS.join(', ')}`)
  const scenario = read as ClusterScenario
  // YAML reads 7 as a number.
  const release = scenario.release === undefined ? undefined : String(scenario.release)
  if (release !== undefined && !RELEASES.includes(release))
    throw new TypeError(`${path}: the release is ${release}, but must be one of ${RELEASES.join(', ')}`)
  return { ...scenario, ...(release === undefined ? {} : { release: release as OperatorRelease }) }
}

/** Adds the objects of a scenario that do not exist yet. */
export async function createScenarioObjects(kube: Kube, scenario: ClusterScenario): Promise<void> {
  const { release, nodes, storageClasses } = { ...DEFAULTS, ...scenario }
  await defineKind(kube, tenantDefinition(release))
  for (const { name, labels = {}, cpu = '8', memory = '32Gi', taints, unschedulable } of nodes) {
    const spec = { ...(taints ? { taints } : {}), ...(unschedulable ? { unschedulable } : {}) }
    await createIfMissing(kube, resources.nodes, { metadata: { name, labels }, spec })
    // A patch, because the controllers of a real cluster change nodes too.
    const status = { allocatable: { cpu, memory }, capacity: { cpu, memory } }
    await kube.mergePatch(resources.nodes, { name }, { status }, { subresource: 'status' })
  }
  for (const name of storageClasses)
    await createIfMissing(kube, resources.storageClasses, {
      metadata: { name },
      provisioner: 'sandbox.stowage/volumes',
    })
  for (const { name, quota } of scenario.namespaces ?? []) {
    await createIfMissing(kube, resources.namespaces, { metadata: { name } })
    if (quota)
      await createIfMissing(kube, resources.resourceQuotas, {
        metadata: { name: `${name}-storagequota`, namespace: name },
        spec: { hard: quota },
      })
  }
  if (scenario.drives) await createScenarioDrives(kube, scenario.drives)
}

/** Defines a kind, and waits until the server serves it. */
async function defineKind(kube: Kube, definition: CustomResourceDefinition): Promise<void> {
  await createIfMissing(kube, resources.customResourceDefinitions, definition)
  const name = definition.metadata?.name ?? ''
  const stop = new AbortController()
  try {
    for await (const event of kube.watch(resources.customResourceDefinitions, { signal: stop.signal })) {
      const objects = event.type === 'list' ? event.objects : 'object' in event ? [event.object] : []
      const found = objects.find(({ metadata }) => metadata.name === name)
      if (found?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) return
    }
  } finally {
    stop.abort()
  }
}

async function createScenarioDrives(
  kube: Kube,
  { manager, list }: NonNullable<ClusterScenario['drives']>,
): Promise<void> {
  const isOld = manager === 'direct-csi'
  for (const definition of isOld ? directCsiDefinitions('v1beta1') : directPvDefinitions())
    await defineKind(kube, definition)
  const group = isOld ? 'direct.csi.min.io' : 'directpv.min.io'
  const kind = (name: string): KubeResource<KubeObject & { status?: unknown }> =>
    defineResource({ group, version: 'v1beta1', plural: `${name.toLowerCase()}s`, kind: name, namespaced: false })
  if (isOld) {
    for (const { node, name, size, status, filesystem } of list)
      await createIfMissing(kube, kind('DirectCSIDrive'), {
        metadata: { name: `${node}-${name}` },
        status: {
          path: `/dev/${name}`,
          nodeName: node,
          driveStatus: status,
          totalCapacity: size,
          allocatedCapacity: 0,
          filesystem,
        },
      } as KubeObject)
    return
  }
  for (const { node, name, size, status } of list.filter((each) => each.status === 'Ready'))
    await createIfMissing(kube, kind('DirectPVDrive'), {
      metadata: { name: `${node}-${name}`, labels: { [`${group}/node`]: node, [`${group}/drive-name`]: name } },
      status: { totalCapacity: size, allocatedCapacity: 0, status },
    } as KubeObject)
  for (const node of new Set(list.map((each) => each.node))) {
    const free = list.filter((each) => each.node === node && each.status !== 'Ready')
    const devices = free.map(({ name, size, status, filesystem }) => ({
      name,
      id: `${node}-${name}`,
      size,
      fsType: filesystem ?? '',
      ...(status === 'Available' ? {} : { deniedReason: status }),
    }))
    if (!(await undefinedIfMissing(kube.get(kind('DirectPVNode'), { name: node }))))
      await kube.create(kind('DirectPVNode'), { metadata: { name: node }, status: { devices } } as KubeObject)
  }
}
