import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { Authorizer } from './auth/authorizer.ts'
import { BOOTSTRAP_ROLES } from './auth/bootstrap-roles.ts'
import { type OidcOptions, OidcTokens } from './auth/oidc.ts'
import { type CertificateAuthority, createAuthority, openAuthority, type PemKeyPair } from './auth/pki.ts'
import { createTokenKeys, ServiceAccountTokens, type TokenKeys } from './auth/tokens.ts'
import { certificateController } from './controllers/certificate-controller.ts'
import { type ControllerContext, ControllerRunner, createAsController } from './controllers/controller.ts'
import { definitionController } from './controllers/definition-controller.ts'
import { expireEvents } from './controllers/event-expiry.ts'
import { garbageController } from './controllers/garbage-controller.ts'
import { namespaceController } from './controllers/namespace-controller.ts'
import { quotaController } from './controllers/quota-controller.ts'
import { tokenSecretController } from './controllers/token-secret-controller.ts'
import { volumeController } from './controllers/volume-controller.ts'
import { workloadControllers } from './controllers/workload-controllers.ts'
import { type SandboxFault, SandboxFaults } from './http/faults.ts'
import { handleKubeRequest } from './http/server.ts'
import { OpenWatches } from './http/watch-objects.ts'
import { KindRegistry } from './kinds/kind-registry.ts'
import { KubeOperations } from './operations/operations.ts'
import { createMemoryJournal, openFileJournal } from './store/journal.ts'
import { KubeObjectStore } from './store/store.ts'

export interface SandboxOptions {
  /** Folder for objects, keys and the administrator's token; absent: nothing is stored. */
  readonly folder?: string
  /** Default: a free port. Always on loopback. */
  readonly port?: number
  /** Number of changes that are remembered for watches. Default 10,000. */
  readonly history?: number
  readonly faults?: readonly SandboxFault[]
  /** Identity provider whose ID tokens are accepted; absent: only tokens of service accounts. */
  readonly oidc?: OidcOptions
  readonly now?: () => Date
  /** Called with the error of a controller, which then retries. */
  readonly onError?: (controller: string, error: unknown) => void
}

export interface Sandbox extends AsyncDisposable {
  readonly server: string
  /** Authority of the server's certificate (PEM). */
  readonly ca: string
  /** The administrator's token. */
  readonly token: string
  /** File with all three for clients; absent if nothing is stored. */
  readonly kubeconfig: string | undefined
  /** Creates what a kubelet needs: its certificate, and the authority of the API server that connects to it. */
  kubeletCertificate(): Promise<PemKeyPair & { ca: string }>
  setFaults(faults: readonly SandboxFault[]): void
  /** Drops the remembered changes, so that earlier watches must list again. */
  forgetHistory(): void
  /** Returns the number of open watches of a resource in a namespace. */
  watches(resource: string, namespace: string): number
}

interface Keys {
  token: string
  authority: PemKeyPair
  tokens: TokenKeys
}

const HISTORY = 10_000
const NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

/** Starts an API server on loopback. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { folder, now = () => new Date(), onError = () => {} } = options
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
  }
  const keys = await loadKeys(folder)
  const authority = await openAuthority(keys.authority)
  const [serving, asking] = await Promise.all([
    authority.issue({
      commonName: 'kube-apiserver',
      dnsNames: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
      addresses: ['127.0.0.1', '10.96.0.1'],
      usage: 'server',
    }),
    authority.issue({ commonName: 'kube-apiserver', usage: 'client' }),
  ])

  const journal = folder === undefined ? createMemoryJournal() : openFileJournal(folder)
  const store = new KubeObjectStore({ journal, history: options.history ?? HISTORY })
  const registry = new KindRegistry(store)
  const authorizer = new Authorizer(store)
  const tokens = new ServiceAccountTokens(
    store,
    keys.tokens,
    keys.token,
    now,
    options.oidc && new OidcTokens(options.oidc, now),
  )
  const operations = new KubeOperations(store, authorizer, now)
  const context: ControllerContext = { store, registry, operations, tokens, authority, now }
  bootstrap(context)
  const controllers = new ControllerRunner(
    store,
    [
      definitionController(context),
      namespaceController(context),
      garbageController(context),
      quotaController(context),
      tokenSecretController(context),
      volumeController(context),
      certificateController(context),
      ...workloadControllers(context),
    ],
    onError,
  )
  const stopExpiry = expireEvents(context)
  const faults = new SandboxFaults()
  faults.set(options.faults ?? [])

  const kubelets = { ...asking, ca: authority.cert }
  const watches = new OpenWatches()
  const fault: typeof faults.apply = (info, response) => faults.apply(info, response)
  const parts = { store, registry, operations, authorizer, tokens, kubelets, watches, now, fault }
  const server = createServer(
    { ...serving, keepAliveTimeout: 90_000 },
    (request, response) => void handleKubeRequest(request, response, parts),
  )
  // Watches and logs have no time limit.
  server.requestTimeout = 0
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const kubeconfig = folder === undefined ? undefined : join(folder, 'kubeconfig')
  if (kubeconfig !== undefined) await writeSecret(kubeconfig, kubeconfigText(url, authority.cert, keys.token))

  return {
    server: url,
    ca: authority.cert,
    token: keys.token,
    kubeconfig,
    kubeletCertificate: async () => ({ ...(await kubeletPair(authority)), ca: authority.cert }),
    setFaults: (list) => faults.set(list),
    forgetHistory: () => store.compact(),
    watches: (resource, namespace) => watches.count(resource, namespace),
    async [Symbol.asyncDispose]() {
      stopExpiry()
      controllers.close()
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
      store.close()
    },
  }
}

function kubeletPair(authority: CertificateAuthority): Promise<PemKeyPair> {
  return authority.issue({ commonName: 'kubelet', addresses: ['127.0.0.1'], usage: 'server' })
}

async function loadKeys(folder: string | undefined): Promise<Keys> {
  const path = folder === undefined ? undefined : join(folder, 'keys.json')
  if (path !== undefined) {
    try {
      const keys = JSON.parse(await readFile(path, 'utf8')) as Keys
      await chmod(path, 0o600)
      return keys
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  const { cert, key } = await createAuthority('stowage sandbox')
  const keys: Keys = {
    token: randomBytes(32).toString('hex'),
    authority: { cert, key },
    tokens: await createTokenKeys(),
  }
  if (path !== undefined) await writeSecret(path, JSON.stringify(keys))
  return keys
}

/** Writes a file that only its owner can read, even if it existed before. */
async function writeSecret(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 })
  await chmod(path, 0o600)
}

/** Creates the built-in objects of every cluster. */
function bootstrap(context: ControllerContext): void {
  const { store } = context
  for (const name of NAMESPACES)
    if (!store.get('namespaces', undefined, name))
      createAsController(context, 'namespaces', undefined, { metadata: { name } })
  const rbac = 'rbac.authorization.k8s.io'
  for (const { name, rules, subjects } of BOOTSTRAP_ROLES) {
    const metadata = { name, labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' } }
    if (!store.get(`clusterroles.${rbac}`, undefined, name))
      createAsController(context, `clusterroles.${rbac}`, undefined, { metadata, rules })
    if (store.get(`clusterrolebindings.${rbac}`, undefined, name)) continue
    const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name }
    createAsController(context, `clusterrolebindings.${rbac}`, undefined, { metadata, roleRef, subjects })
  }
}

/** Returns a kubeconfig. */
export function kubeconfigText(server: string, ca: string, token: string): string {
  const name = 'stowage-sandbox'
  return `${JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      contexts: [{ name, context: { cluster: name, user: 'admin' } }],
      clusters: [{ name, cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
      users: [{ name: 'admin', user: { token } }],
    },
    null,
    2,
  )}\n`
}
