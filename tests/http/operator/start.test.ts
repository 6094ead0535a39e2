import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineResource, type KubeObject, resources } from '@stowage/kube'
import { createAuthority } from '@stowage/sandbox-kube/pki'
import type { Pod } from 'kubernetes-types/core/v1'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { startOperator, type TestOperator } from '../../support/operator/start-operator.ts'

const program = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url))
const manifest = fileURLToPath(new URL('../../../deploy/operator.yaml', import.meta.url))

let o: TestOperator
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stowage-start-'))
  o = await startOperator({ release: '7', env: { STOWAGE_SESSION_HOURS: '2' } })
})
afterAll(async () => {
  await o?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** Starts the console and returns its exit code and what it has written. */
async function start(env: Record<string, string>): Promise<[code: number | null, written: string]> {
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      STOWAGE_MODE: 'operator',
      STOWAGE_PORT: '0',
      STOWAGE_DATA: folder,
      ...env,
    },
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (written += chunk))
  const [code] = (await once(child, 'exit')) as [number | null]
  return [code, written]
}

test.each([
  ['accepts any token, as kubectl proxy does', 201],
  ['answers an unknown token with 403', 403],
  ['answers an unknown token with 500', 500],
])('a server that %s is refused at the start', async (_, status) => {
  const authority = await createAuthority('proxy')
  const pair = await authority.issue({ commonName: 'kubectl-proxy', addresses: ['127.0.0.1'], usage: 'server' })
  const review = { kind: 'SelfSubjectReview', status: { userInfo: { username: 'system:admin' } } }
  const proxy = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(review))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const ca = join(folder, 'proxy-ca.pem')
  await writeFile(ca, authority.cert)
  const [code, written] = await start({
    STOWAGE_KUBE_SERVER: `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    STOWAGE_KUBE_CA: ca,
  })
  proxy.close()
  proxy.closeAllConnections()
  expect([code, written]).toEqual([1, expect.stringContaining('does not refuse an unknown token with 401')])
})

test('outside of a pod there is no default address of the API server', async () => {
  expect(await start({})).toEqual([1, expect.stringContaining('STOWAGE_KUBE_SERVER is not set')])
})

test('the program names no file of a pod except the certificate of its cluster, so never its token', async () => {
  const text = await readFile(program, 'utf8')
  expect([...new Set(text.match(/[\w./-]*serviceaccount\/[\w./-]+/g))]).toEqual([
    '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt',
  ])
})

test('a token without an end is a session for the configured hours', async () => {
  const { expires } = await o.admin.call('getSession', {})
  const left = Date.parse(expires ?? '') - Date.now()
  expect(left).toBeGreaterThan(1.9 * 3_600_000)
  expect(left).toBeLessThanOrEqual(2 * 3_600_000)
})

test('the manifest is accepted as it is, and its pod has no token of the cluster', async () => {
  const documents = parseAllDocuments(await readFile(manifest, 'utf8')).map((each) => each.toJS() as KubeObject)
  const namespace = 'stowage'
  await o.kube.create(resources.namespaces, { metadata: { name: namespace } })
  const kinds = {
    ServiceAccount: resources.serviceAccounts,
    Deployment: resources.deployments,
    Service: resources.services,
  }
  for (const object of documents) {
    const kind = kinds[object.kind as keyof typeof kinds]
    await o.kube.create(defineResource<KubeObject>(kind), object, { fieldValidation: 'Strict' })
  }
  expect(documents.map(({ kind }) => kind)).toEqual(['ServiceAccount', 'Deployment', 'Service'])
  const { template } = (documents[1] as unknown as { spec: { template: Pod } }).spec
  const pod = await o.kube.create(resources.pods, {
    ...template,
    metadata: { ...template.metadata, name: 'stowage-0', namespace },
  })
  expect(pod.spec?.volumes?.map(({ name }) => name)).toEqual(['data', 'tmp', 'cluster-ca'])
  expect(JSON.stringify(pod)).not.toMatch(/serviceAccountToken|kube-api-access/)
})
