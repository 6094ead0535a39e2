import { fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Kube, openCluster, resources, tenants } from '@stowage/kube'
import { startSandbox } from '@stowage/sandbox-kube'
import { readScenario, startSandboxCluster } from '@stowage/sandbox-operator'
import { afterAll, beforeAll, expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url))
const child = fileURLToPath(new URL('../../support/operator/sandbox-process.ts', import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stowage-state-'))
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))

const configMap = (name: string) => ({ metadata: { name, namespace: 'default' }, data: { name } })

test('its token and objects are readable by their owner only, also in files that existed before', async () => {
  const own = join(folder, 'rights')
  await (await startSandbox({ folder: own }))[Symbol.asyncDispose]()
  for (const name of await readdir(own)) await chmod(join(own, name), 0o644)
  await chmod(own, 0o755)
  await using sandbox = await startSandbox({ folder: own })
  expect(sandbox.token).toMatch(/^[0-9a-f]{64}$/)
  const fileMode = async (path: string) => (await stat(path)).mode & 0o777
  expect(await fileMode(own)).toBe(0o700)
  const modes = await Promise.all((await readdir(own)).map(async (name) => [name, await fileMode(join(own, name))]))
  expect(modes).toEqual([
    ['keys.json', 0o600],
    ['kubeconfig', 0o600],
    ['objects.jsonl', 0o600],
  ])
})

test('it listens on loopback only', async () => {
  await using sandbox = await startSandbox()
  const { hostname, port } = new URL(sandbox.server)
  expect(hostname).toBe('127.0.0.1')
  const others = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).flatMap(({ address, family, internal }) => (family === 'IPv4' && !internal ? [address] : [])),
  )
  for (const host of others) {
    const socket = connect(Number(port), host)
    const outcome = await new Promise((resolve) => {
      socket.once('connect', () => resolve('connected'))
      socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
    })
    socket.destroy()
    expect([host, outcome]).toEqual([host, 'ECONNREFUSED'])
  }
})

test('objects, their versions, the authority and the token survive a restart', async () => {
  const own = join(folder, 'restart')
  const use = async <T>(run: (kube: Kube) => Promise<T>) => {
    await using sandbox = await startSandbox({ folder: own })
    await using cluster = openCluster({ server: sandbox.server, ca: sandbox.ca })
    return { result: await run(cluster.as(sandbox.token)), token: sandbox.token, ca: sandbox.ca }
  }
  const first = await use(async (kube) => {
    await kube.create(resources.configMaps, configMap('gone'))
    await kube.delete(resources.configMaps, { namespace: 'default', name: 'gone' })
    return await kube.create(resources.configMaps, configMap('kept'))
  })
  const second = await use(async (kube) => {
    const found = await kube.get(resources.configMaps, { namespace: 'default', name: 'kept' })
    const changed = await kube.update(resources.configMaps, { ...found, data: { name: 'changed' } })
    const { objects } = await kube.list(resources.configMaps, {
      namespace: 'default',
      fieldSelector: 'metadata.name=gone',
    })
    return { found, changed, gone: objects }
  })
  expect([second.token, second.ca]).toEqual([first.token, first.ca])
  expect(second.result.found).toEqual({ ...first.result, apiVersion: 'v1', kind: 'ConfigMap' })
  expect(second.result.gone).toEqual([])
  expect(Number(second.result.changed.metadata.resourceVersion)).toBeGreaterThan(
    Number(first.result.metadata.resourceVersion),
  )
})

test('every acknowledged change survives kill -9, also if the last line of the file is cut', async () => {
  const own = join(folder, 'killed')
  const start = async () => {
    const process_ = fork(child, [own], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const [{ server, ca, token }] = (await once(process_, 'message')) as [Record<string, string>]
    const cluster = openCluster({ server: server ?? '', ca, retry: { attempts: 1 } })
    const end = async () => {
      const exit = once(process_, 'exit')
      process_.kill('SIGKILL')
      await exit
      await cluster[Symbol.asyncDispose]()
    }
    return { kube: cluster.as(token), end }
  }
  const before = await start()
  await before.kube.create(resources.configMaps, configMap('gone'))
  await before.kube.delete(resources.configMaps, { namespace: 'default', name: 'gone' })
  const acknowledged: string[] = []
  const writing = Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; ; n++) {
        const name = `map-${writer}-${n}`
        await before.kube.create(resources.configMaps, configMap(name))
        acknowledged.push(name)
      }
    }),
  ).catch(() => 'ended')
  await expect.poll(() => acknowledged.length).toBeGreaterThan(50)
  await before.end()
  expect(await writing).toBe('ended')
  await appendFile(join(own, 'objects.jsonl'), '{"revision":999999,"kind":"configmaps","object":{"metadata":{"na')
  const after = await start()
  const { objects } = await after.kube.list(resources.configMaps, { namespace: 'default' })
  await after.end()
  const found = new Set(objects.map(({ metadata }) => metadata.name))
  expect(acknowledged.filter((name) => !found.has(name))).toEqual([])
  expect(found.has('gone')).toBe(false)
})

test('a scenario with a member that does not exist is refused, and YAML may write a release as a number', async () => {
  const path = join(folder, 'scenario.yaml')
  const read = async (text: string) => {
    await writeFile(path, text)
    return await readScenario(path)
  }
  expect(await read('release: 7\nnodes: []\n')).toEqual({ release: '7', nodes: [] })
  expect(await read('')).toEqual({})
  await expect(read('node: []\n')).rejects.toThrow('a scenario has no node')
  await expect(read('release: 8\n')).rejects.toThrow('must be one of 4.3, 5, 6, 7')
  await expect(read('- a\n')).rejects.toThrow('is not a scenario')
})

test('a tenant without a place starts when another is deleted; one whose store cannot start is not restarted at once', async () => {
  const failures: string[] = []
  await using cluster = await startSandboxCluster({
    folder: join(folder, 'places'),
    program,
    stores: 1,
    onError: (what, error) => failures.push(`${what}: ${error}`),
  })
  const { kube } = cluster
  const create = async (namespace: string, password: string) => {
    await kube.create(resources.namespaces, { metadata: { name: namespace } })
    const file = `export MINIO_ROOT_USER="rootuser"\nexport MINIO_ROOT_PASSWORD="${password}"\n`
    await kube.create(resources.secrets, {
      metadata: { name: 'env', namespace },
      data: { 'config.env': Buffer.from(file).toString('base64') },
    })
    const storage = { requests: { storage: '1Gi' } }
    const volumeClaimTemplate = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: storage },
    }
    await kube.create(tenants, {
      metadata: { name: 'alpha', namespace },
      spec: {
        configuration: { name: 'env' },
        requestAutoCert: false,
        pools: [{ name: 'pool-0', servers: 1, volumesPerServer: 4, volumeClaimTemplate }],
      },
    })
  }
  const color = async (namespace: string) =>
    (await kube.get(tenants, { namespace, name: 'alpha' })).status?.healthStatus
  // The store refuses a password of four characters, and ends.
  await create('bad', 'four')
  await expect.poll(() => failures.length, { interval: 50 }).toBeGreaterThan(0)
  await create('first', 'long-enough')
  await expect.poll(() => color('first'), { interval: 100 }).toBe('green')
  // Without pauses there would be a failure every few hundred milliseconds.
  expect(failures.length).toBeLessThan(6)
  await kube.delete(tenants, { namespace: 'bad', name: 'alpha' })
  await create('second', 'long-enough')
  // Its pods run, so nothing but a free place changes its state.
  await expect
    .poll(async () => (await kube.get(tenants, { namespace: 'second', name: 'alpha' })).status, { interval: 50 })
    .toMatchObject({ healthMessage: expect.stringContaining('Not started'), pools: [{ state: 'PoolInitialized' }] })
  await kube.delete(tenants, { namespace: 'first', name: 'alpha' })
  await expect.poll(() => color('second'), { interval: 100 }).toBe('green')
})
