/**
 * Measures operator mode: `nice npx tsx bench/operator.ts [--runs 5] [--tenants 500] [--pods 8000] [--tabs 60] [--mib 1024]
 * [--lines 300000] [--chromium PATH] [--only NAME]`. Needs a build. Small: `--runs 1 --tenants 20 --pods 100 --mib 32 --lines 20000`.
 *
 * `--kube KUBECONFIG` measures the first table on a real API server (`npm run kube`), which it fills the first time and does not clean
 * up; `--peer URL --peer-token JWT` measures another console of that cluster in turns with ours. `--only` is one of `cluster`,
 * `calls` (the first two rows of `cluster`), `sandbox`, `proxy`, `log`.
 */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { resources, type SavedKubeObject, type TenantObject, tenants } from '@stowage/kube'
import { startSandboxCluster } from '@stowage/sandbox-operator'
import type { Pod } from 'kubernetes-types/core/v1'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../tests/support/browser/chromium.ts'
import { openLiveClient } from '../tests/support/console/live-socket.ts'
import { startOperator, type TestOperator } from '../tests/support/operator/start-operator.ts'
import { type BenchRow, compareTargets, summarizeFigures, timed } from './lib/measure.ts'
import { withPeakMemory } from './lib/memory.ts'
import { benchTenantProxy } from './tenant-proxy.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    tenants: { type: 'string', default: '500' },
    pods: { type: 'string', default: '8000' },
    tabs: { type: 'string', default: '60' },
    mib: { type: 'string', default: '1024' },
    lines: { type: 'string', default: '300000' },
    chromium: { type: 'string' },
    kube: { type: 'string' },
    peer: { type: 'string' },
    'peer-token': { type: 'string' },
    only: { type: 'string' },
  },
})
const runs = Number(values.runs)
const tenantCount = Number(values.tenants)
const podCount = Number(values.pods)
const program = fileURLToPath(new URL('../dist/server/main.js', import.meta.url))
/** The options with which `npm start` runs. */
const AS_STARTED = ['--max-semi-space-size=2', '--heap-growing-percent=100']
/** Tests let the console check its own answers. */
const PRODUCTION = { NODE_ENV: 'production' }
if (values.chromium) process.env.CHROMIUM_PATH = values.chromium
if (values.kube) process.env.STOWAGE_TEST_KUBE = values.kube

/** A figure, and what the issue asks for. */
interface Figure extends BenchRow {
  target: string
}
const figures: Figure[] = []
const add = (target: string, row: BenchRow) => figures.push({ ...row, target })
const note = (target: string, name: string, unit: string, ...own: number[]) =>
  add(target, { name, unit, figures: [own] })

const wants = (name: string) => values.only === undefined || values.only === name
if (wants('cluster') || wants('calls')) await benchCluster()
if (wants('sandbox') || wants('proxy')) await benchSandbox()
if (wants('log')) await benchLog()

const names = ['Stowage', ...(values.peer ? ['peer'] : [])]
console.log(`| operator mode | unit | target | ${names.join(' | ')} |`)
console.log(`|---|---|---|${names.map(() => '---|').join('')}`)
for (const { name, unit, target, figures: each } of figures) {
  const cells = names.map((_, i) => summarizeFigures(each[i] ?? []))
  console.log(`| ${name} | ${unit} | ${target} | ${cells.join(' | ')} |`)
}
process.exit(0)

/** Many tenants and pods, as objects alone. */
async function benchCluster(): Promise<void> {
  await using o = await startOperator({ release: '7', execArgv: AS_STARTED, env: PRODUCTION })
  const namespaces = await fill(o)
  const browser = await launchChromium()
  try {
    const { peak } = await withPeakMemory(o.pid, async () => {
      await benchCalls(o, namespaces[0] ?? '')
      if (!wants('cluster')) return
      await benchPage(o, browser, namespaces[0] ?? '')
      await benchTabs(o)
    })
    note('≤ 200', `memory of the console, ${tenantCount} tenants, ${podCount} pods`, 'MiB', peak)
  } finally {
    await browser.close()
  }
}

async function fill(o: TestOperator): Promise<string[]> {
  const namespaces = Array.from({ length: tenantCount }, (_, n) => `bench-${String(n).padStart(4, '0')}`)
  const each = Math.ceil(podCount / tenantCount)
  const found = await o.kube.list(resources.namespaces, {})
  if (found.objects.some(({ metadata }) => metadata.name === namespaces.at(-1))) return namespaces
  await inTurns(namespaces, async (namespace) => {
    await o.kube.create(resources.namespaces, { metadata: { name: namespace } })
    const made = await o.kube.create(tenants, { ...tenantObject(namespace) })
    const status = {
      ...{ currentState: 'Initialized', healthStatus: 'green', availableReplicas: 4, drivesOnline: 8 },
      ...{ pools: [], revision: 0, syncVersion: '', certificates: { autoCertEnabled: true } },
    }
    await o.kube.update(tenants, { ...made, status } as SavedKubeObject<TenantObject>, { subresource: 'status' })
  })
  const pods = namespaces.flatMap((namespace) => Array.from({ length: each }, (_, n) => ({ namespace, n })))
  await inTurns(pods.slice(0, podCount), async ({ namespace, n }) => {
    const labels = { 'v1.min.io/tenant': 'alpha', 'v1.min.io/pool': 'pool-0' }
    const spec = { containers: [{ name: 'minio', image: 'minio/minio:RELEASE.2025-04-22T22-12-26Z' }] }
    const pod: Pod = { metadata: { name: `alpha-pool-0-${n}`, namespace, labels }, spec }
    await o.kube.create(resources.pods, pod)
  })
  return namespaces
}

function tenantObject(namespace: string): TenantObject {
  return {
    metadata: { name: 'alpha', namespace },
    spec: {
      image: 'minio/minio:RELEASE.2025-04-22T22-12-26Z',
      pools: [
        {
          name: 'pool-0',
          servers: 4,
          volumesPerServer: 2,
          volumeClaimTemplate: {
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '25Gi' } } },
          },
        },
      ],
    },
  }
}

/** Works on many items, 32 at a time. */
async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values()
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (const item of left) await work(item)
    }),
  )
}

async function benchCalls(o: TestOperator, namespace: string): Promise<void> {
  const targets = [{ name: 'Stowage', get: getter(o.url, { authorization: `Bearer ${o.admin.session}` }) }]
  if (values.peer) targets.push({ name: 'peer', get: getter(values.peer, await peerHeaders(values.peer)) })
  for (const path of ['tenants?limit=1000', `namespaces/${namespace}/tenants/alpha`]) {
    const row = await compareTargets(
      { name: `GET ${path}`, unit: 'ms', run: async ({ get }) => await timed(() => get(path)) },
      targets,
      runs,
    )
    add('beside the original', row)
  }
  // Read after the first rows of the list.
  const own = targets.slice(0, 1)
  for (const path of ['tenant-readiness', 'tenant-certificates'])
    add(
      '–',
      await compareTargets(
        { name: `GET ${path}`, unit: 'ms', run: async ({ get }) => await timed(() => get(path)) },
        own,
        runs,
      ),
    )
}

function getter(url: string, headers: Record<string, string>) {
  return async (path: string) => {
    const answer = await fetch(`${url}/api/v1/${path}`, { headers })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    await answer.arrayBuffer()
  }
}

async function peerHeaders(url: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/v1/login/operator`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jwt: values['peer-token'] ?? '' }),
  })
  if (!answer.ok) throw new Error(`the sign-in at the peer answered ${answer.status}`)
  const [cookie = ''] = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '')
  return { cookie }
}

/** What a page shows, and when. */
async function benchPage(o: TestOperator, browser: Browser, namespace: string): Promise<void> {
  const context = await browser.newContext({ baseURL: `${o.url}/` })
  const data = { jwt: o.sandbox.token }
  await context.request.post('api/v1/login/operator', { data, headers: { origin: new URL(o.url).origin } })
  const page = await context.newPage()
  const row = (name: string) => page.getByRole('link', { name, exact: true })
  const firstRow = async () =>
    await timed(async () => {
      await page.goto('tenants')
      await row('alpha').first().waitFor()
    })
  await firstRow()
  const first: number[] = []
  for (let run = 0; run < runs; run++) first.push(await firstRow())
  note('≤ 300', `page of ${tenantCount} tenants until its first rows`, 'ms', ...first)

  await page.getByPlaceholder('Search Tenants').fill('changed-')
  const seen: number[] = []
  for (let run = 0; run < runs; run++) {
    const name = `changed-${run}`
    await o.kube.create(resources.namespaces, { metadata: { name } })
    seen.push(
      await timed(async () => {
        await o.kube.create(tenants, { ...tenantObject(name), metadata: { name, namespace: name } })
        await row(name).waitFor()
      }),
    )
  }
  note('≤ 1,000', 'a change until the page shows it', 'ms', ...seen)

  await page.goto(`namespaces/${namespace}/tenants/alpha/pods`)
  await page.getByRole('link', { name: 'alpha-pool-0-0', exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  let requests = 0
  page.on('request', () => requests++)
  await sleep(5_000)
  note('0', 'requests of a page at rest, in 5 s', 'requests', requests)
  await context.close()
}

/** Each watch has a connection of its own, so it counts connections between the console and the API server. */
async function benchTabs(o: TestOperator): Promise<void> {
  const tabs = Number(values.tabs)
  const token = await o.newToken([{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }])
  const caller = await o.signIn(token)
  const follow = () => openLiveClient(caller, 'followCluster', { query: { kinds: 'tenants,pods' } })
  const first = await follow()
  for (let listed = 0; listed < 2; ) if ((await first.message()).what === 'listed') listed++
  const port = Number(new URL(o.sandbox.server).port)
  const one = await connectionsTo(port)
  const others = await Promise.all(Array.from({ length: tabs - 1 }, follow))
  for (const tab of others) await tab.message()
  const all = await connectionsTo(port)
  note('0', `further watches for ${tabs - 1} more tabs, two kinds`, 'connections', all - one)
  const name = `changed-for-${tabs}`
  const everywhere = await timed(async () => {
    await o.kube.create(resources.namespaces, { metadata: { name } })
    await o.kube.create(tenants, { ...tenantObject(name), metadata: { name, namespace: name } })
    for (const tab of [first, ...others]) while ((await tab.message()).name !== name);
  })
  note('≤ 1,000', `a change until ${tabs} tabs have its message`, 'ms', everywhere)
  await Promise.all([first, ...others].map((tab) => tab[Symbol.asyncDispose]()))
}

/** Returns the number of established connections to a port of this machine. */
async function connectionsTo(port: number): Promise<number> {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n')
  return lines.filter((line) => {
    const [, , remote = '', state] = line.trim().split(/\s+/)
    return remote.endsWith(wanted) && state === '01'
  }).length
}

/** A cluster whose tenant is a real store. */
async function benchSandbox(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-bench-cluster-'))
  try {
    const begun = performance.now()
    const cluster = await startSandboxCluster({ folder, program, stores: 1 })
    note('≤ 2,000', 'sandbox cluster until it is ready', 'ms', performance.now() - begun)
    await using o = await startOperator({
      cluster,
      execArgv: AS_STARTED,
      env: { ...PRODUCTION, STOWAGE_TENANT_URL: 'http://127.0.0.1:{nodePort}', STOWAGE_EGRESS_ALLOW: '127.0.0.1' },
    })
    const params = { namespace: await o.newNamespace(), tenant: 'media' }
    const pool = { name: 'pool-0', servers: 4, volumes_per_server: 2, volume_configuration: { size: 25 * 2 ** 30 } }
    const toGreen = await timed(async () => {
      await o.admin.call('createTenant', { body: { name: 'media', namespace: params.namespace, pools: [pool] } })
      while ((await o.admin.call('getTenant', { params })).status.health_status !== 'green') await sleep(100)
    })
    note('≤ 15,000', 'Create until the tenant is green', 'ms', toGreen)
    if (wants('proxy'))
      await benchTenantProxy(o, params, { runs, mib: Number(values.mib), program, execArgv: AS_STARTED, note })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A kubelet that writes lines as fast as they are read. */
async function benchLog(): Promise<void> {
  if (values.kube) return
  await using o = await startOperator({ release: '7', execArgv: AS_STARTED, env: PRODUCTION })
  const lines = Number(values.lines)
  const { ca, cert, key } = await o.sandbox.kubeletCertificate()
  const write = async (response: ServerResponse) => {
    for (let n = 0; n < lines; n += 100) {
      const chunk = Array.from({ length: 100 }, (_, i) => `API: PutObject bucket=media object=${n + i} 200 OK\n`).join(
        '',
      )
      if (!response.write(chunk)) await once(response, 'drain')
    }
  }
  const options = { ca, cert, key, requestCert: true, rejectUnauthorized: true }
  const server = createServer(options, (_, response) => void write(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const node = await o.kube.create(resources.nodes, { metadata: { name: 'kubelet' } })
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: (server.address() as AddressInfo).port } },
  }
  await o.kube.update(resources.nodes, { ...node, status }, { subresource: 'status' })
  const namespace = await o.newNamespace()
  await o.kube.create(tenants, tenantObject(namespace))
  await o.kube.create(resources.pods, {
    metadata: { name: 'alpha-pool-0-0', namespace, labels: { 'v1.min.io/tenant': 'alpha' } },
    spec: { nodeName: 'kubelet', containers: [{ name: 'minio', image: 'minio/minio:x' }] },
  })
  const rates: number[] = []
  const params = { namespace, tenant: 'alpha', pod: 'alpha-pool-0-0' }
  const { peak } = await withPeakMemory(o.pid, async () => {
    for (let run = 0; run < runs; run++) {
      const live = await openLiveClient(o.admin, 'followPodLog', { params })
      const ms = await timed(async () => {
        for (let read = 0; read < lines; ) read += (await live.nextOfKind('messages')).messages.length
      })
      rates.push(lines / (ms / 1000))
      await live[Symbol.asyncDispose]()
    }
  })
  note('≥ 10,000', `followed log of ${lines} lines`, 'lines/s', ...rates)
  note('flat', 'memory of the console meanwhile', 'MiB', peak)
  server.closeAllConnections()
  server.close()
}
