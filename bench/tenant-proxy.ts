/** Measures downloads through Manage Tenant, with and without TLS to the tenant; called by `bench/operator.ts`. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { MiB } from '@stowage/contract/values/units'
import { resources } from '@stowage/kube'
import { readConfigEnv } from '@stowage/kube/config-env'
import { createAuthority } from '@stowage/sandbox-kube/pki'
import { Agent, request } from 'undici'
import { waitForReady } from '../tests/support/console/start-console.ts'
import { startOperator, type TestOperator } from '../tests/support/operator/start-operator.ts'
import { compareTargets, timed } from './lib/measure.ts'
import { withPeakMemory } from './lib/memory.ts'

interface TenantName {
  namespace: string
  tenant: string
}

interface Options {
  runs: number
  mib: number
  /** The built program of the console. */
  program: string
  /** Options of Node for the proxy. */
  execArgv: string[]
  note: (target: string, name: string, unit: string, ...own: number[]) => void
}

const PATH = 'api/v1/buckets/bench/objects/download?prefix=big'
const RELAY_ARGUMENT = '--relay'

if (process.argv[2] === RELAY_ARGUMENT) serveRelay(Number(process.argv[3]))

/** @param o an operator that reaches its tenants over plain HTTP */
export async function benchTenantProxy(o: TestOperator, at: TenantName, options: Options): Promise<void> {
  const { namespace, tenant } = at
  const secret = await o.kube.get(resources.secrets, { namespace, name: `${tenant}-env-configuration` })
  const text = Buffer.from(secret.data?.['config.env'] ?? '', 'base64').toString()
  const { MINIO_ROOT_USER = '', MINIO_ROOT_PASSWORD = '' } = readConfigEnv(text, 'plain')
  const keys = { user: MINIO_ROOT_USER, password: MINIO_ROOT_PASSWORD }
  const readNodePort = async (name: string) =>
    (await o.kube.get(resources.services, { namespace, name })).spec?.ports?.[0]?.nodePort ?? 0
  const store = `http://127.0.0.1:${await readNodePort('minio')}`
  await putObject(store, keys, options.mib)

  const consolePort = await readNodePort(`${tenant}-console`)
  const relay = fork(fileURLToPath(import.meta.url), [RELAY_ARGUMENT, String(consolePort)])
  const [relayPort] = (await once(relay, 'message')) as [number]
  const direct = `http://127.0.0.1:${consolePort}`
  await measure('', o, at, keys, { direct, relay: `http://127.0.0.1:${relayPort}` }, options)
  relay.kill()

  // The tenants of the sandbox have no TLS, so a console with TLS in front of the same store takes the place of theirs.
  const secure = await startSecureConsole(options.program, store)
  try {
    const cluster = { sandbox: o.sandbox, kube: o.kube, async [Symbol.asyncDispose]() {} }
    await using other = await startOperator({
      cluster,
      execArgv: options.execArgv,
      env: {
        NODE_ENV: 'production',
        STOWAGE_TENANT_URL: `https://127.0.0.1:${secure.port}`,
        STOWAGE_EGRESS_ALLOW: '127.0.0.1',
      },
    })
    const data = { 'public.crt': Buffer.from(secure.ca).toString('base64') }
    await o.kube.mergePatch(resources.secrets, { namespace, name: `${tenant}-tls` }, { data })
    await measure(' over TLS', other, at, keys, { direct: `https://127.0.0.1:${secure.port}` }, options, secure.ca)
  } finally {
    await secure[Symbol.asyncDispose]()
  }
}

interface Keys {
  user: string
  password: string
}

async function putObject(endpoint: string, { user, password }: Keys, mib: number): Promise<void> {
  const credentials = { accessKeyId: user, secretAccessKey: password }
  const s3 = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  await s3.send(new CreateBucketCommand({ Bucket: 'bench' }))
  await s3.send(new PutObjectCommand({ Bucket: 'bench', Key: 'big', Body: Buffer.alloc(mib * MiB, 'stowage ') }))
  s3.destroy()
}

/** @param origins of the tenant's console itself, and of other ways to it */
async function measure(
  suffix: string,
  o: TestOperator,
  params: TenantName,
  keys: Keys,
  origins: { direct: string; relay?: string },
  { runs, mib, note }: Options,
  ca?: string,
): Promise<void> {
  const dispatcher = new Agent(ca === undefined ? {} : { connect: { ca } })
  // The name of the console's cookie depends on the host.
  const own = { cookie: await signIn(origins.direct, keys, dispatcher), host: new URL(origins.direct).host }
  const { url } = await o.admin.call('openTenantConsole', { params, body: { page: 'console' } })
  const entered = await fetch(url, { redirect: 'manual' })
  const cookie = (entered.headers.get('set-cookie') ?? '').replace(/;.*/, '')
  const { origin, pathname } = new URL(url)
  const ways = [
    ...Object.entries(origins).map(([name, base]) => ({ name, url: `${base}/${PATH}`, headers: own })),
    { name: 'proxy', url: `${origin}${pathname}${PATH}`, headers: { cookie } },
  ]
  const used: number[] = []
  const run = async ({ name, url, headers }: (typeof ways)[number]) => {
    const before = await cpuSeconds(o.pid)
    const ms = await timed(() => download(url, headers, mib * MiB, dispatcher))
    if (name === 'proxy') used.push(((await cpuSeconds(o.pid)) - before) / (mib / 1024))
    return mib / (ms / 1000)
  }
  const name = `GET of ${mib} MiB${suffix}`
  const { result, peak } = await withPeakMemory(o.pid, () => compareTargets({ name, unit: 'MiB/s', run }, ways, runs))
  for (const [i, way] of ways.entries()) {
    const target = way.name === 'proxy' ? '≥ 90 % of direct' : '–'
    note(target, `${name}, ${LABELS[way.name]}`, 'MiB/s', ...(result.figures[i] ?? []))
  }
  note('–', `CPU of the proxy for 1 GiB${suffix}`, 's', ...used.slice(1))
  note('flat', 'memory of the console meanwhile', 'MiB', peak)
  await dispatcher.close()
}

const LABELS: Readonly<Record<string, string>> = {
  direct: "from the tenant's console, direct",
  relay: 'through a process that only copies from socket to socket',
  proxy: 'through the proxy',
}

/** @returns a `Cookie` header */
async function signIn(origin: string, { user, password }: Keys, dispatcher: Agent): Promise<string> {
  const { headers, body } = await request(`${origin}/api/v1/login`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ accessKey: user, secretKey: password }),
  })
  await body.dump()
  return [headers['set-cookie'] ?? []]
    .flat()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
}

async function download(url: string, headers: Record<string, string>, size: number, dispatcher: Agent): Promise<void> {
  const answer = await request(url, { headers, dispatcher })
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`)
  let read = 0
  for await (const chunk of answer.body) read += (chunk as Uint8Array).length
  if (read !== size) throw new Error(`${read} bytes instead of ${size}`)
}

/** Returns the CPU time of a process with all its threads. */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  // Linux counts it in hundredths of a second.
  return (user + system) / 100
}

/** Starts a console with TLS in front of a store. */
async function startSecureConsole(program: string, store: string) {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-bench-tls-'))
  const authority = await createAuthority('tenant')
  const { cert, key } = await authority.issue({ commonName: 'console', addresses: ['127.0.0.1'], usage: 'server' })
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await writeFile(certFile, cert)
  await writeFile(keyFile, key)
  const child: ChildProcess = fork(program, [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      STOWAGE_DATA: folder,
      STOWAGE_PORT: '0',
      STOWAGE_SERVER: store,
      STOWAGE_TLS_CERT: certFile,
      STOWAGE_TLS_KEY: keyFile,
    },
  })
  const { url } = await waitForReady(child, () => '')
  return {
    port: Number(new URL(url).port),
    ca: authority.cert,
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit')
      child.kill()
      await exit
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What one more hop costs at least: copies bytes both ways, in a few reused buffers, without reading them. */
function serveRelay(port: number): void {
  const server = createServer((client) => {
    const free: Buffer[] = []
    let pending = 0
    const upstream = connect({
      port,
      host: '127.0.0.1',
      onread: {
        buffer: () => free.pop() ?? Buffer.allocUnsafeSlow(512 * 1024),
        callback(size, memory) {
          pending++
          client.write(memory.subarray(0, size), () => {
            free.push(memory as Buffer)
            if (--pending === 3) upstream.resume()
          })
          return pending < 4
        },
      },
    })
    client.on('data', (chunk) => upstream.write(chunk))
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      socket.on('error', () => {}).on('close', () => other.destroy())
  }).listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}
