// `npm run operator:sandbox`: starts a cluster on this machine with an operator whose tenants are real stores, and the console
// in operator mode. Options: --folder (default ./data/operator-sandbox), --port of the console (9090), --scenario FILE, and
// --kubeconfig FILE to use the API server of `npm run kube` in place of the simulated one.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { joinCluster, openApiServer, readScenario, startSandboxCluster } from './sandbox-cluster.ts'

const program = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url))

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    port: { type: 'string' },
    scenario: { type: 'string' },
    kubeconfig: { type: 'string' },
  },
})
const stores = process.env.STOWAGE_SANDBOX_STORES ?? '3'
if (!/^\d{1,3}$/.test(stores)) {
  process.stderr.write(
    `STOWAGE_SANDBOX_STORES is ${JSON.stringify(stores)}, but must be the number of tenants that run.\n`,
  )
  process.exit(1)
}
const folder = resolve(values.folder ?? 'data/operator-sandbox')
await mkdir(folder, { recursive: true, mode: 0o700 })
const options = {
  folder,
  program,
  stores: Number(stores),
  ...(values.scenario ? { scenario: await readScenario(values.scenario) } : {}),
  onError: (what: string, error: unknown) =>
    process.stderr.write(`${what}: ${error instanceof Error ? error.message : String(error)}\n`),
}
const cluster = await (values.kubeconfig
  ? joinCluster(await openApiServer(values.kubeconfig), options)
  : startSandboxCluster(options))
const caFile = join(folder, 'cluster-ca.pem')
await writeFile(caFile, cluster.sandbox.ca)
const child: ChildProcess = fork(program, [], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: {
    PATH: process.env.PATH,
    STOWAGE_MODE: 'operator',
    STOWAGE_PORT: values.port ?? '9090',
    STOWAGE_DATA: join(folder, 'console'),
    STOWAGE_KUBE_SERVER: cluster.sandbox.server,
    STOWAGE_KUBE_CA: caFile,
    STOWAGE_TENANT_URL: 'http://127.0.0.1:{nodePort}',
    STOWAGE_EGRESS_ALLOW: '127.0.0.1',
  },
})
child.on('message', (message: { type?: string }) => {
  if (message.type !== 'ready') return
  process.stdout.write(
    `\n  token           ${cluster.sandbox.token}\n  kubeconfig      ${cluster.sandbox.kubeconfig}\n`,
  )
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
const [code] = (await once(child, 'exit')) as [number | null]
await cluster[Symbol.asyncDispose]()
process.exit(code ?? 1)
