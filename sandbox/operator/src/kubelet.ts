import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '@stowage/contract/values/quantity'
import { type Kube, resources, type SavedKubeObject, TENANT_LABEL } from '@stowage/kube'
import type { Node, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import { LogBook } from './log-book.ts'
import { recordEvent } from './record-event.ts'
import { ReconcileQueue, undefinedIfMissing, WatchCache } from './watch-cache.ts'

export interface KubeletOptions {
  kube: Kube
  /** Certificates for the connection between kubelet and API server. */
  certificate: { cert: string; key: string; ca: string }
  onError: (what: string, error: unknown) => void
}

const HOSTNAME = 'kubernetes.io/hostname'
/** Time between two attempts to schedule a pod (ms). */
const RETRY_MS = 2_000

/**
 * The nodes of a sandbox: schedules pods by memory, taints and anti-affinity, binds their volumes, and reports them as running.
 * The output of pods is in `logs`.
 */
export class Kubelet implements AsyncDisposable {
  readonly logs = new LogBook()
  readonly #stop = new AbortController()
  readonly #queue: ReconcileQueue
  readonly #pods: WatchCache<Pod>
  readonly #nodes: WatchCache<Node>
  #server: { port: number; close: () => Promise<void> } | undefined
  #addresses = 1

  constructor(private readonly options: KubeletOptions) {
    const { kube, onError } = options
    this.#queue = new ReconcileQueue((name) => this.#reconcile(name), onError)
    this.#pods = new WatchCache(kube, resources.pods, ({ metadata }, isThere) => {
      const name = `${metadata.namespace}/${metadata.name}`
      if (isThere) this.#queue.add(name)
      else this.logs.forget(name)
      // A deleted pod frees its place.
      if (!isThere) for (const pod of this.#pods.all()) if (!pod.spec?.nodeName) this.#queue.add(podKey(pod))
    })
    this.#nodes = new WatchCache(kube, resources.nodes, () => {
      for (const pod of this.#pods.all()) if (!pod.spec?.nodeName) this.#queue.add(podKey(pod))
    })
  }

  async start(): Promise<void> {
    this.#server = await serveLogs(this.options.certificate, this.logs)
    const { signal } = this.#stop
    await Promise.all(
      [this.#nodes, this.#pods].map(
        (cache) =>
          new Promise<void>((resolve, reject) => {
            cache.follow(signal, resolve).catch((error: unknown) => {
              if (signal.aborted) return
              this.options.onError('watch', error)
              reject(error)
            })
          }),
      ),
    )
    for (const node of this.#nodes.all()) await this.#register(node)
  }

  /** Registers the address at which the API server reads logs of the node's pods. */
  async #register({ metadata }: SavedKubeObject<Node>): Promise<void> {
    const { kube } = this.options
    const status = {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: this.#server?.port ?? 0 } },
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', lastTransitionTime: now() }],
    }
    // Patches, because the controllers of a real cluster change nodes too.
    const ready = await kube.mergePatch(resources.nodes, metadata, { status }, { subresource: 'status' })
    // New nodes have this taint until they are ready.
    const taints = (ready.spec?.taints ?? []).filter(({ key }) => key !== 'node.kubernetes.io/not-ready')
    await kube.mergePatch(resources.nodes, metadata, { spec: { taints } })
  }

  async #reconcile(name: string): Promise<void> {
    const [namespace = '', pod = ''] = name.split('/')
    const object = this.#pods.get(namespace, pod)
    if (!object) return
    if (object.metadata.deletionTimestamp) {
      this.logs.forget(name)
      await undefinedIfMissing(
        this.options.kube.delete(resources.pods, { namespace, name: pod }, { gracePeriodSeconds: 0 }),
      )
    } else if (!object.spec?.nodeName) await this.#place(object)
    else if (object.status?.phase !== 'Running') await this.#run(object)
  }

  async #place(pod: SavedKubeObject<Pod>): Promise<void> {
    const { kube } = this.options
    const problems = new Map<string, number>()
    for (const node of this.#nodes.all()) {
      const problem = this.#schedulingProblem(node, pod)
      if (problem) {
        problems.set(problem, (problems.get(problem) ?? 0) + 1)
        continue
      }
      const target = { apiVersion: 'v1', kind: 'Node', name: node.metadata.name }
      const { name, namespace } = pod.metadata
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace }, target }
      await kube.createAt(resources.pods, { namespace, name }, 'binding', binding)
      const message = `Successfully assigned ${namespace}/${name} to ${node.metadata.name}`
      await recordEvent(kube, pod, { reason: 'Scheduled', message, component: 'default-scheduler' })
      return
    }
    const problemTexts = [...problems].map(([problem, count]) => `${count} ${problem}`).join(', ')
    const message = `0/${this.#nodes.all().length} nodes are available: ${problemTexts || 'there are none'}.`
    this.#queue.addLater(podKey(pod), RETRY_MS)
    const unmet = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
    if (unmet?.message === message) return
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastTransitionTime: now(),
    }
    const status = { ...pod.status, phase: 'Pending', conditions: [condition] }
    await kube.update(resources.pods, { ...pod, status }, { subresource: 'status' })
    await recordEvent(kube, pod, {
      type: 'Warning',
      reason: 'FailedScheduling',
      message,
      component: 'default-scheduler',
    })
  }

  /** Returns why a node does not accept a pod, in the scheduler's words. */
  #schedulingProblem(node: SavedKubeObject<Node>, pod: SavedKubeObject<Pod>): string | undefined {
    if (node.spec?.unschedulable) return 'node(s) were unschedulable'
    const isTolerated = (taint: { key: string; effect: string }) =>
      pod.spec?.tolerations?.some(
        ({ key, operator, effect }) =>
          (effect === undefined || effect === taint.effect) && (key === taint.key || (!key && operator === 'Exists')),
      )
    const taint = node.spec?.taints?.find(
      (each) => (each.effect === 'NoSchedule' || each.effect === 'NoExecute') && !isTolerated(each),
    )
    if (taint) return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`
    const wanted = Object.entries(pod.spec?.nodeSelector ?? {})
    if (wanted.some(([label, value]) => node.metadata.labels?.[label] !== value))
      return "node(s) didn't match Pod's node affinity/selector"
    const here = this.#pods.all().filter(({ spec }) => spec?.nodeName === node.metadata.name)
    if (here.some((other) => excludes(pod, other))) return "node(s) didn't match pod anti-affinity rules"
    const free = node.status?.allocatable?.memory
    if (free !== undefined && compareQuantities(requestedMemory([...here, pod]), quantity(free)) > 0)
      return 'Insufficient memory'
    return undefined
  }

  async #run(pod: SavedKubeObject<Pod>): Promise<void> {
    const { kube } = this.options
    const { namespace, name } = pod.metadata
    for (const { persistentVolumeClaim } of pod.spec?.volumes ?? []) {
      if (!persistentVolumeClaim) continue
      const at = { namespace, name: persistentVolumeClaim.claimName }
      const claim = await undefinedIfMissing(kube.get(resources.persistentVolumeClaims, at))
      if (claim && claim.status?.phase !== 'Bound') await this.#bind(claim)
    }
    const component = 'kubelet'
    for (const { image = '' } of pod.spec?.containers ?? []) {
      await recordEvent(kube, pod, {
        reason: 'Pulled',
        message: `Container image "${image}" already present on machine`,
        component,
      })
    }
    const time = now()
    const containerStatuses = (pod.spec?.containers ?? []).map(({ name: container, image = '' }) => ({
      name: container,
      image,
      imageID: image,
      containerID: `sandbox://${pod.metadata.uid}/${container}`,
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: time } },
    }))
    const conditions = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: time,
    }))
    const podIP = `10.244.${this.#addresses >> 8}.${this.#addresses++ & 255}`
    const status = {
      ...pod.status,
      phase: 'Running',
      startTime: time,
      podIP,
      podIPs: [{ ip: podIP }],
      hostIP: '127.0.0.1',
      conditions,
      containerStatuses,
    }
    await kube.update(resources.pods, { ...pod, status }, { subresource: 'status' })
    for (const container of containerStatuses) {
      await recordEvent(kube, pod, { reason: 'Started', message: `Started container ${container.name}`, component })
    }
    // The first pod of a tenant has the output of its process.
    const line = name.endsWith('-0') ? 'Sandbox: this pod has started' : 'Sandbox: no process runs in this pod'
    if (!this.logs.has(podKey(pod))) this.logs.add(podKey(pod), line)
  }

  async #bind(claim: SavedKubeObject<PersistentVolumeClaim>): Promise<void> {
    const { kube } = this.options
    const { namespace, name, uid } = claim.metadata
    const { accessModes = [], resources: wanted, storageClassName } = claim.spec ?? {}
    await kube.create(resources.persistentVolumes, {
      metadata: { name: `pvc-${uid}`, labels: { [TENANT_LABEL]: claim.metadata.labels?.[TENANT_LABEL] ?? '' } },
      spec: {
        accessModes,
        capacity: wanted?.requests ?? {},
        claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, ...(namespace ? { namespace } : {}), uid },
        hostPath: { path: `/sandbox/${uid}` },
        persistentVolumeReclaimPolicy: 'Delete',
        ...(storageClassName ? { storageClassName } : {}),
      },
    })
    await recordEvent(kube, claim, {
      reason: 'ProvisioningSucceeded',
      message: `Successfully provisioned volume pvc-${uid}`,
      component: 'sandbox',
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    this.#queue.close()
    await this.#server?.close()
  }
}

const podKey = ({ metadata }: SavedKubeObject<Pod>) => `${metadata.namespace}/${metadata.name}`
const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z')

function quantity(text: string): Quantity {
  return parseQuantity(text) ?? { digits: 0n, scale: 0, format: 'BinarySI' }
}

function requestedMemory(pods: readonly SavedKubeObject<Pod>[]): Quantity {
  const requests = pods.flatMap(({ spec }) =>
    (spec?.containers ?? []).map(({ resources: wanted }) => quantity(wanted?.requests?.memory ?? '0')),
  )
  return requests.reduce(addQuantities, { digits: 0n, scale: 0, format: 'BinarySI' })
}

/** Whether a pod must not run on the same node as another one. */
function excludes(pod: SavedKubeObject<Pod>, other: SavedKubeObject<Pod>): boolean {
  if (pod.metadata.namespace !== other.metadata.namespace) return false
  const terms = pod.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  return terms.some(({ topologyKey, labelSelector }) => {
    if (topologyKey !== HOSTNAME) return false
    const labels = other.metadata.labels ?? {}
    const expressions = labelSelector?.matchExpressions ?? []
    const isIn = expressions.every(
      ({ key, operator, values = [] }) => operator === 'In' && values.includes(labels[key] ?? ''),
    )
    const matches = Object.entries(labelSelector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value)
    return isIn && matches && (expressions.length > 0 || labelSelector?.matchLabels !== undefined)
  })
}

/** Answers the API server's requests for logs. */
async function serveLogs({ cert, key, ca }: KubeletOptions['certificate'], logs: LogBook) {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'https://kubelet')
    const [, what, namespace = '', pod = ''] = url.pathname.split('/').map(decodeURIComponent)
    const name = `${namespace}/${pod}`
    if (what !== 'containerLogs' || !logs.has(name)) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': 'text/plain' })
    logs.send(name, url.searchParams, response)
  }
  const server = createServer({ cert, key, ca, requestCert: true, rejectUnauthorized: true }, answer)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
