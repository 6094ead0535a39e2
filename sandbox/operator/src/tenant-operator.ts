import { quantityValue } from '@stowage/contract/values/quantity'
import {
  type Kube,
  POOL_LABEL,
  resources,
  type SavedKubeObject,
  TENANT_LABEL,
  type TenantObject,
  type TenantStatus,
  tenants,
} from '@stowage/kube'
import { detectConfigForm, readConfigEnv } from '@stowage/kube/config-env'
import { createMadmin, type Madmin } from '@stowage/madmin'
import type { StatefulSet } from 'kubernetes-types/apps/v1'
import type { Pod } from 'kubernetes-types/core/v1'
import type { LogBook } from './log-book.ts'
import { OPERATOR_COMPONENT, recordEvent } from './record-event.ts'
import { TenantCertificates } from './tenant-certificates.ts'
import { containerImage, poolName, poolStatefulSet, templateHashAnnotation, tenantServices } from './tenant-objects.ts'
import { type TenantPorts, TenantProcess } from './tenant-process.ts'
import { ReconcileQueue, undefinedIfMissing, WatchCache } from './watch-cache.ts'

export interface TenantOperatorOptions {
  kube: Kube
  logs: LogBook
  /** The built program that is run for tenants. */
  program: string
  /** Folder for the data of tenants. */
  folder: string
  /** Number of tenants with real processes; the others are only objects and never become green. */
  stores: number
  onError: (what: string, error: unknown) => void
}

/** A tenant is checked again after this time while something is missing (ms). */
const AGAIN_MS = 400
/** Pause before a process that ended is started again, doubled each time it ends before it is ready, and its maximum (ms). */
const RESTART_MS = 500
const MAX_RESTART_MS = 60_000
/** Users that could not be created are created again after this time (ms). */
const USERS_AGAIN_MS = 5_000
/** The usage of a tenant with a process is read again after this time (ms). */
const USAGE_MS = 5_000
const PROVISIONING_USERS = 'Provisioning initial users'

interface Running {
  uid: string
  /** UID of the first pod, which has the process; absent until that pod exists. */
  pod?: string
  starting: Promise<TenantProcess>
  process?: TenantProcess | undefined
  /** When its usage is read again (ms since 1970). */
  usageDue?: number
}

/**
 * The operator of the sandbox: brings tenants into the state that their objects request, as an ordinary client of the API
 * server.
 */
export class TenantOperator implements AsyncDisposable {
  readonly #stop = new AbortController()
  readonly #queue: ReconcileQueue
  readonly #tenants: WatchCache<TenantObject>
  readonly #pods: WatchCache<Pod>
  readonly #certificates: TenantCertificates
  readonly #processes = new Map<string, Running>()
  /** The ports of processes by the tenant's UID, which are kept when its first pod is replaced. */
  readonly #ports = new Map<string, TenantPorts>()
  /** The tenants whose process has ended, by uid: how often in a row before it was ready, and when it may start again. */
  readonly #ended = new Map<string, { times: number; until: number }>()

  constructor(private readonly options: TenantOperatorOptions) {
    const { kube, onError } = options
    this.#queue = new ReconcileQueue((name) => this.#reconcile(name), onError)
    this.#certificates = new TenantCertificates(kube, (name) => this.#queue.addLater(name, AGAIN_MS))
    this.#tenants = new WatchCache(kube, tenants, ({ metadata }) =>
      this.#queue.add(`${metadata.namespace}/${metadata.name}`),
    )
    this.#pods = new WatchCache(kube, resources.pods, ({ metadata }) => {
      const tenant = metadata.labels?.[TENANT_LABEL]
      if (tenant) this.#queue.add(`${metadata.namespace}/${tenant}`)
    })
  }

  async start(): Promise<void> {
    const { signal } = this.#stop
    const following = (cache: WatchCache<TenantObject> | WatchCache<Pod>) =>
      new Promise<void>((resolve, reject) => {
        cache.follow(signal, resolve).catch((error: unknown) => {
          if (signal.aborted) return
          this.options.onError('watch', error)
          reject(error)
        })
      })
    await Promise.all([following(this.#tenants), following(this.#pods)])
  }

  async #reconcile(name: string): Promise<void> {
    const [namespace = '', tenantName = ''] = name.split('/')
    const tenant = this.#tenants.get(namespace, tenantName)
    if (!tenant || tenant.metadata.deletionTimestamp) {
      this.#ports.delete(this.#processes.get(name)?.uid ?? '')
      await this.#end(name)
      return
    }
    const problem = specProblem(tenant)
    if (problem) return await this.#report(tenant, { currentState: problem })
    const others = this.#tenants.all().filter(({ metadata }) => metadata.namespace === namespace)
    const [first] = others.sort((a, b) => (creationOrder(a) < creationOrder(b) ? -1 : 1))
    if (first && first.metadata.uid !== tenant.metadata.uid)
      return await this.#report(tenant, { currentState: 'Another MinIO Tenant already exists in the namespace' })
    if (!tenant.status) return await this.#report(tenant, {})
    const running = await this.#ensureRunning(name, tenant)
    if (running === 'no credentials') {
      const currentState = 'Tenant credentials are not set properly'
      if (tenant.status.currentState !== currentState)
        await this.#record(tenant, 'MissingCreds', 'Tenant is missing root credentials', 'Warning')
      return await this.#report(tenant, { currentState })
    }

    if (await this.#certificates.make(tenant))
      return await this.#report(tenant, { currentState: 'Waiting for MinIO TLS Certificate' })
    const made = await this.#makeServices(tenant, running)
    if (made) return await this.#report(tenant, { currentState: made })
    const changed = await this.#makeSets(tenant)
    if (changed) return await this.#report(tenant, { currentState: changed })
    await this.#reportHealth(tenant, running)
  }

  /** Returns the process of a tenant, `waiting` while it starts, `none` if it has none. */
  async #ensureRunning(
    name: string,
    tenant: SavedKubeObject<TenantObject>,
  ): Promise<TenantProcess | 'waiting' | 'none' | 'no credentials'> {
    const { namespace, uid } = tenant.metadata
    const firstPod = `${tenant.metadata.name}-${poolName(tenant.spec?.pools[0], 0)}-0`
    const known = this.#processes.get(name)
    if (known) {
      const pod = this.#pods.get(namespace ?? '', firstPod)?.metadata.uid ?? known.pod
      if (pod !== undefined) known.pod ??= pod
      if (known.pod === pod) return known.process ?? 'waiting'
      // A new pod has a new process, which reads the configuration again.
      known.process = undefined
      this.#end(name).then(
        () => this.#queue.add(name),
        (error: unknown) => this.options.onError(name, error),
      )
      return 'waiting'
    }
    const credentials = await this.#rootCredentials(tenant)
    if (!credentials) return 'no credentials'
    if (this.#processes.size >= this.options.stores) return 'none'
    const pause = (this.#ended.get(uid)?.until ?? 0) - Date.now()
    if (pause > 0) {
      this.#queue.addLater(name, pause)
      return 'waiting'
    }
    const pod = `${namespace}/${firstPod}`
    this.options.logs.add(pod, 'Sandbox: starting the store of this tenant')
    const starting = TenantProcess.start(
      {
        program: this.options.program,
        folder: this.options.folder,
        name: uid,
        ...credentials,
        ports: this.#ports.get(uid),
        onLine: (line) => this.options.logs.add(pod, line),
      },
      () => {
        if (this.#processes.get(name)?.uid !== uid || this.#stop.signal.aborted) return
        this.#processes.delete(name)
        const times = (this.#ended.get(uid)?.times ?? 0) + 1
        this.#ended.set(uid, { times, until: Date.now() + Math.min(MAX_RESTART_MS, RESTART_MS * 2 ** (times - 1)) })
        this.#checkAll()
      },
    )
    const entry: Running = { uid, starting }
    const present = this.#pods.get(namespace ?? '', firstPod)?.metadata.uid
    if (present !== undefined) entry.pod = present
    this.#processes.set(name, entry)
    starting.then(
      (started) => {
        entry.process = started
        this.#ports.set(uid, [started.storePort, started.consolePort])
        this.#ended.delete(uid)
        this.#queue.add(name)
      },
      (error: unknown) => this.options.onError(name, error),
    )
    return 'waiting'
  }

  async #rootCredentials(tenant: SavedKubeObject<TenantObject>) {
    const { namespace } = tenant.metadata
    const read = async (secret: string | undefined, key: string) => {
      const found = secret
        ? await undefinedIfMissing(this.options.kube.get(resources.secrets, { namespace, name: secret }))
        : undefined
      return Buffer.from(found?.data?.[key] ?? '', 'base64').toString('utf8')
    }
    const file = await read(tenant.spec?.configuration?.name, 'config.env')
    const variables = readConfigEnv(file, detectConfigForm(tenant.spec?.image, file))
    const rootUser = variables.MINIO_ROOT_USER || (await read(tenant.spec?.credsSecret?.name, 'accesskey'))
    const rootPassword = variables.MINIO_ROOT_PASSWORD || (await read(tenant.spec?.credsSecret?.name, 'secretkey'))
    return rootUser && rootPassword ? { rootUser, rootPassword } : undefined
  }

  /** @returns the state while they are being created */
  async #makeServices(
    tenant: SavedKubeObject<TenantObject>,
    running: TenantProcess | 'waiting' | 'none',
  ): Promise<string | undefined> {
    const { kube } = this.options
    const { namespace } = tenant.metadata
    const process = typeof running === 'object' ? running : undefined
    for (const [state, created, object, nodePort] of tenantServices(tenant, process)) {
      const at = { namespace, name: object.metadata?.name ?? '' }
      const found = await undefinedIfMissing(kube.get(resources.services, at))
      if (!found) {
        await kube.create(resources.services, object)
        await this.#record(tenant, 'SvcCreated', created)
        return state
      }
      if (nodePort && found.spec?.ports?.[0]?.nodePort !== nodePort) {
        await kube.update(resources.services, {
          ...found,
          spec: { ...found.spec, ...object.spec, clusterIP: found.spec?.clusterIP ?? '' },
        })
        return state
      }
      if (found.spec?.type === 'LoadBalancer' && !found.status?.loadBalancer?.ingress) {
        const status = { loadBalancer: { ingress: [{ ip: '127.0.0.1' }] } }
        await kube.update(resources.services, { ...found, status }, { subresource: 'status' })
      }
    }
    return undefined
  }

  /** @returns the state while StatefulSets are being created or changed */
  async #makeSets(tenant: SavedKubeObject<TenantObject>): Promise<string | undefined> {
    const { kube } = this.options
    const { namespace, name } = tenant.metadata
    let state: string | undefined
    for (const [index, pool] of (tenant.spec?.pools ?? []).entries()) {
      const wanted = poolStatefulSet(tenant, pool, index)
      const at = { namespace, name: wanted.metadata?.name ?? '' }
      const found = await undefinedIfMissing(kube.get(resources.statefulSets, at))
      if (!found) {
        const isNew = tenant.status?.currentState === 'Initialized'
        await kube.create(resources.statefulSets, wanted)
        await this.#record(tenant, 'PoolCreated', `Tenant pool ${poolName(pool, index)} created`)
        state ??= isNew ? 'Restarting MinIO' : 'Provisioning MinIO Statefulset'
      } else if (found.spec?.replicas !== pool.servers)
        return `Can't modify server count for pool ${poolName(pool, index)}`
      else if (templateHashAnnotation(found) !== templateHashAnnotation(wanted)) {
        await kube.update(resources.statefulSets, {
          ...found,
          metadata: {
            ...found.metadata,
            annotations: { ...found.metadata.annotations, ...wanted.metadata?.annotations },
          },
          spec: { ...found.spec, template: wanted.spec?.template } as NonNullable<StatefulSet['spec']>,
        })
        if (containerImage(found) === containerImage(wanted)) continue
        await this.#record(tenant, 'PoolUpdated', `Tenant pool ${poolName(pool, index)} updated`)
        state ??= 'Updating MinIO Version'
      }
    }
    const names = (tenant.spec?.pools ?? []).map((pool, index) => `${name}-${poolName(pool, index)}`)
    const { objects } = await kube.list(resources.statefulSets, { namespace, labelSelector: `${TENANT_LABEL}=${name}` })
    for (const { metadata } of objects)
      if (!names.includes(metadata.name)) {
        await kube.delete(resources.statefulSets, { namespace, name: metadata.name })
        await this.#record(tenant, 'PoolRemoved', `Tenant pool ${metadata.name} removed`)
      }
    return state
  }

  async #reportHealth(
    tenant: SavedKubeObject<TenantObject>,
    running: TenantProcess | 'waiting' | 'none',
  ): Promise<void> {
    const pools = tenant.spec?.pools ?? []
    const { namespace, name } = tenant.metadata
    const pods = this.#pods
      .all()
      .filter(({ metadata }) => metadata.namespace === namespace && metadata.labels?.[TENANT_LABEL] === name)
    const up = pods.filter(({ metadata, status }) => !metadata.deletionTimestamp && status?.phase === 'Running')
    const servers = pools.reduce((sum, pool) => sum + pool.servers, 0)
    const drives = pools.reduce((sum, pool) => sum + pool.servers * pool.volumesPerServer, 0)
    // Pods of a tenant without a process show as running, but nothing in them opens drives.
    const serving = running === 'none' ? [] : up
    const online = serving.reduce((sum, { metadata }) => {
      const pool = pools.find((each, index) => poolName(each, index) === metadata.labels?.[POOL_LABEL])
      return sum + (pool?.volumesPerServer ?? 0)
    }, 0)
    const raw = pools.reduce((sum, pool) => {
      const each = pool.volumeClaimTemplate?.spec?.resources?.requests?.storage ?? '0'
      return sum + Number(quantityValue(each)) * pool.servers * pool.volumesPerServer
    }, 0)
    const quorum = Math.floor(drives / 2) + 1
    const all = up.length === servers
    const status = {
      pools: pools.map((pool, index) => ({
        ssName: `${name}-${poolName(pool, index)}`,
        state: all ? 'PoolInitialized' : 'PoolCreated',
        legacySecurityContext: false,
      })),
      availableReplicas: serving.length,
      drivesOnline: online,
      drivesOffline: drives - online,
      writeQuorum: quorum,
      usage: {
        ...tenant.status?.usage,
        rawCapacity: raw,
        capacity: Math.floor(raw / 2),
        ...(typeof running === 'object' ? await this.#storeUsage(tenant, running) : {}),
      },
    }
    const isFirst = tenant.status?.currentState !== 'Initialized' && !tenant.status?.drivesOnline
    if (running === 'none')
      return await this.#report(tenant, {
        ...status,
        currentState: 'Waiting for Pods to be ready',
        healthStatus: 'red',
        healthMessage: 'Not started: the sandbox starts at most STOWAGE_SANDBOX_STORES tenants',
      })
    if (running === 'waiting' || (!all && isFirst)) {
      if (running === 'waiting') this.#queue.addLater(`${namespace}/${name}`, AGAIN_MS)
      if (!isFirst)
        return await this.#report(tenant, {
          ...status,
          currentState: 'Restarting MinIO',
          healthStatus: 'red',
          healthMessage: 'Service Unavailable',
        })
      return await this.#report(tenant, {
        ...status,
        currentState: running === 'waiting' ? 'Provisioning MinIO Statefulset' : 'Waiting for Pods to be ready',
      })
    }
    const healthStatus = online === drives ? 'green' : online >= quorum ? 'yellow' : 'red'
    const healthMessage = { green: '', yellow: 'Reduced Availability', red: 'Service Unavailable' }[healthStatus]
    const health = { ...status, syncVersion: 'v4.3.0', healthStatus, healthMessage }
    const provisionedUsers = await this.#makeUsers(tenant, running)
    await this.#report(tenant, {
      ...health,
      ...(provisionedUsers ? { currentState: 'Initialized', provisionedUsers } : { currentState: PROVISIONING_USERS }),
    })
  }

  /** Returns how much of a tenant is used, if that is to be read again; the store keeps every byte twice. */
  async #storeUsage(tenant: SavedKubeObject<TenantObject>, { storePort }: TenantProcess) {
    const name = `${tenant.metadata.namespace}/${tenant.metadata.name}`
    const running = this.#processes.get(name)
    if (!running || (running.usageDue ?? 0) > Date.now()) return {}
    running.usageDue = Date.now() + USAGE_MS
    this.#queue.addLater(name, USAGE_MS)
    try {
      const { size = 0 } = await (await this.#openMadmin(tenant, storePort)).dataUsage()
      return { usage: size, rawUsage: 2 * size }
    } catch {
      // The next reading may succeed.
      return {}
    }
  }

  async #openMadmin(tenant: SavedKubeObject<TenantObject>, storePort: number): Promise<Madmin> {
    const root = await this.#rootCredentials(tenant)
    return createMadmin({
      endpoint: `http://127.0.0.1:${storePort}`,
      credentials: { accessKey: root?.rootUser ?? '', secretKey: root?.rootPassword ?? '' },
    })
  }

  /** Creates the first users of a tenant, once. @returns false if they cannot be created yet */
  async #makeUsers(tenant: SavedKubeObject<TenantObject>, { storePort }: TenantProcess): Promise<boolean> {
    const { namespace, name } = tenant.metadata
    const users = tenant.spec?.users ?? []
    if (tenant.status?.provisionedUsers || users.length === 0) return true
    try {
      const madmin = await this.#openMadmin(tenant, storePort)
      for (const { name: secret = '' } of users) {
        const { data = {} } = await this.options.kube.get(resources.secrets, { namespace, name: secret })
        const read = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString('utf8')
        const [accessKey, secretKey] = [read('CONSOLE_ACCESS_KEY'), read('CONSOLE_SECRET_KEY')]
        // Names of a directory have no secret key, and the store here has no directory.
        if (!accessKey || !secretKey) continue
        await madmin.addUser(accessKey, { secretKey })
        await madmin.setPolicyMapping({ user: accessKey, policies: ['consoleAdmin'] })
      }
      await this.#record(tenant, 'UsersCreated', 'Users created')
      return true
    } catch (error) {
      const message = `Users creation failed: ${error instanceof Error ? error.message : String(error)}`
      if (tenant.status?.currentState !== PROVISIONING_USERS)
        await this.#record(tenant, 'UsersCreationFailed', message, 'Warning')
      this.#queue.addLater(`${namespace}/${name}`, USERS_AGAIN_MS)
      return false
    }
  }

  async #record(
    tenant: SavedKubeObject<TenantObject>,
    reason: string,
    message: string,
    type = 'Normal',
  ): Promise<void> {
    await recordEvent(this.options.kube, tenant, { type, reason, message, component: OPERATOR_COMPONENT })
  }

  /** Writes the status of a tenant if it has changed. */
  async #report(tenant: SavedKubeObject<TenantObject>, reportedStatus: TenantStatus): Promise<void> {
    const before = tenant.status ?? {}
    const status: TenantStatus = {
      availableReplicas: 0,
      currentState: '',
      pools: [],
      revision: 0,
      syncVersion: '',
      certificates: { autoCertEnabled: tenant.spec?.requestAutoCert ?? true },
      ...before,
      ...reportedStatus,
    }
    if (JSON.stringify(sorted(status)) === JSON.stringify(sorted(before))) return
    await this.options.kube.update(tenants, { ...tenant, status }, { subresource: 'status' })
  }

  async #end(name: string): Promise<void> {
    const known = this.#processes.get(name)
    if (!known) return
    await (await known.starting.catch(() => undefined))?.[Symbol.asyncDispose]()
    // Not before its end: whoever stops the operator waits for the processes that are left.
    this.#processes.delete(name)
    this.#ended.delete(known.uid)
    this.#checkAll()
  }

  /** A process has ended, so a tenant that has waited for its place can start. */
  #checkAll(): void {
    for (const { metadata } of this.#tenants.all()) this.#queue.add(`${metadata.namespace}/${metadata.name}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    this.#queue.close()
    await Promise.all([...this.#processes.keys()].map((name) => this.#end(name)))
  }
}

const creationOrder = ({ metadata }: SavedKubeObject<TenantObject>) => `${metadata.creationTimestamp}${metadata.uid}`
function specProblem({ spec }: TenantObject): string | undefined {
  if (!spec?.pools?.length) return 'pools must be configured'
  const wrong = spec.pools.find(({ servers, volumesPerServer }) => servers < 1 || volumesPerServer < 1)
  return wrong ? `pool ${wrong.name ?? ''}: servers and volumesPerServer must be greater than 0` : undefined
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}
