import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kubeconfigText } from '@stowage/sandbox-kube'
import { createAuthority } from '@stowage/sandbox-kube/pki'
import { Agent, request } from 'undici'
import { freePorts } from '../../../packages/object-store/src/events/targets/testing/free-ports.ts'
import type { ReferencePrograms } from './build-reference.ts'

export interface ReferenceServer extends AsyncDisposable {
  readonly server: string
  readonly token: string
  /** Beside it is `kubelet.json`: the certificate that the kubelet of a node must present, and the authority of its clients. */
  readonly kubeconfig: string
}

/** Starts etcd, kube-apiserver and kube-controller-manager on loopback, in a folder that is deleted at the end. */
export async function startReferenceServer(
  programs: ReferencePrograms,
  options: { nodePorts?: string } = {},
): Promise<ReferenceServer> {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-kube-'))
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const children: ChildProcess[] = []
  const run = (name: string, program: string, args: string[]) => {
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (chunk: Buffer) => (output = (output + chunk).slice(-20_000))
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('exit', (code) => {
      if (!stopping) console.error(`${name} ended with ${code}:\n${output}`)
    })
    children.push(child)
  }
  let stopping = false
  const stop = async () => {
    stopping = true
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    }
    await rm(folder, { recursive: true, force: true })
  }

  try {
    const etcdPort = await freePorts(4)
    const [peerPort, port, controllerPort] = [etcdPort + 1, etcdPort + 2, etcdPort + 3]
    const authority = await createAuthority('stowage judge')
    const ca = await file('ca.crt', authority.cert)
    const caKey = await file('ca.key', authority.key)
    const serving = await authority.issue({ commonName: 'kube-apiserver', addresses: ['127.0.0.1'], usage: 'server' })
    const asking = await authority.issue({ commonName: 'kube-apiserver', usage: 'client' })
    const etcd = await authority.issue({ commonName: 'etcd', addresses: ['127.0.0.1'], usage: 'server' })
    const accounts = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const token = randomBytes(32).toString('hex')
    const server = `https://127.0.0.1:${port}`
    const clientCert = await file('asking.crt', asking.cert)
    const clientKey = await file('asking.key', asking.key)
    const accountKey = await file('accounts.key', accounts.privateKey)
    const kubeconfig = await file('kubeconfig', kubeconfigText(server, authority.cert, token))

    const etcdUrl = `https://127.0.0.1:${etcdPort}`
    const peerUrl = `http://127.0.0.1:${peerPort}`
    run('etcd', programs.etcd, [
      ...['--data-dir', join(folder, 'etcd'), '--name', 'judge'],
      ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', `judge=${peerUrl}`],
      ...['--cert-file', await file('etcd.crt', etcd.cert), '--key-file', await file('etcd.key', etcd.key)],
      ...['--client-cert-auth', '--trusted-ca-file', ca],
    ])
    run('kube-apiserver', programs.apiServer, [
      ...[`--etcd-servers=${etcdUrl}`, `--etcd-cafile=${ca}`],
      ...[`--etcd-certfile=${clientCert}`, `--etcd-keyfile=${clientKey}`],
      ...['--bind-address=127.0.0.1', `--secure-port=${port}`, '--endpoint-reconciler-type=none'],
      `--tls-cert-file=${await file('serving.crt', serving.cert)}`,
      `--tls-private-key-file=${await file('serving.key', serving.key)}`,
      ...[
        '--service-account-issuer=https://kubernetes.default.svc',
        `--service-account-signing-key-file=${accountKey}`,
      ],
      `--service-account-key-file=${await file('accounts.pub', accounts.publicKey)}`,
      ...['--service-cluster-ip-range=10.96.0.0/16', '--authorization-mode=RBAC'],
      `--token-auth-file=${await file('tokens.csv', `${token},admin,admin,system:masters\n`)}`,
      ...[`--kubelet-client-certificate=${clientCert}`, `--kubelet-client-key=${clientKey}`],
      ...[`--kubelet-certificate-authority=${ca}`, '--kubelet-preferred-address-types=InternalIP'],
      '--profiling=false',
      ...(options.nodePorts ? [`--service-node-port-range=${options.nodePorts}`] : []),
    ])
    run('kube-controller-manager', programs.controllerManager, [
      ...[`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--bind-address=127.0.0.1'],
      ...[`--secure-port=${controllerPort}`, `--service-account-private-key-file=${accountKey}`],
      ...[`--root-ca-file=${ca}`, `--cluster-signing-cert-file=${ca}`, `--cluster-signing-key-file=${caKey}`],
      // Nodes here have no kubelet that reports every ten seconds, so they would be tainted and their pods evicted.
      '--controllers=*,-node-lifecycle-controller,-cloud-node-lifecycle-controller,-node-ipam-controller',
      '--profiling=false',
    ])
    await ready(server, authority.cert, token, () => stopping || children.some(({ exitCode }) => exitCode !== null))
    const kubelet = await authority.issue({ commonName: 'kubelet', addresses: ['127.0.0.1'], usage: 'server' })
    await file('kubelet.json', JSON.stringify({ ...kubelet, ca: authority.cert }))
    return { server, token, kubeconfig, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Waits until the server is ready and the controllers have created the default namespace's service account. */
async function ready(server: string, ca: string, token: string, ended: () => boolean): Promise<void> {
  const agent = new Agent({ connect: { ca } })
  const headers = { authorization: `Bearer ${token}` }
  const answers = async (path: string) => {
    try {
      const { statusCode, body } = await request(server + path, { dispatcher: agent, headers })
      await body.dump()
      return statusCode === 200
    } catch {
      // Not listening yet.
      return false
    }
  }
  const deadline = Date.now() + 90_000
  for (const path of ['/readyz', '/api/v1/namespaces/default/serviceaccounts/default']) {
    while (!(await answers(path))) {
      if (ended()) throw new Error('The judge ended while it was starting')
      if (Date.now() > deadline) throw new Error(`The judge is not ready after 90 s: ${path}`)
      await sleep(200)
    }
  }
  await agent.close()
}
