import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { resources } from '@stowage/kube'
import { type ClusterScenario, startSandboxCluster } from '@stowage/sandbox-operator'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { startOperator, type TestOperator } from '../operator/start-operator.ts'
import { launchChromium } from './chromium.ts'

const program = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url))

export interface OperatorOpenOptions {
  /** Default: the administrator's token. */
  token?: string
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
}

export interface OperatorBrowser {
  operator: TestOperator
  open(path: string, options?: OperatorOpenOptions): Promise<Page>
}

type Env = Record<string, string>

/**
 * Starts one Chromium, and a console in operator mode with a sandbox cluster, for the tests of a file.
 * @param env settings, or a function that chooses them when the console starts
 */
export function useOperatorBrowser(
  scenario: ClusterScenario = {},
  env: Env | (() => Promise<Env>) = {},
): OperatorBrowser {
  let browser: Browser
  let folder: string
  let publicUrl: string | undefined
  const tools = {
    operator: undefined as unknown as TestOperator,
    async open(path: string, options: OperatorOpenOptions = {}): Promise<Page> {
      const url = publicUrl ?? tools.operator.url
      const context = await browser.newContext({
        baseURL: `${url}/`,
        viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
        colorScheme: options.colorScheme ?? 'light',
        acceptDownloads: true,
      })
      const page = await context.newPage()
      const data = { jwt: options.token ?? tools.operator.sandbox.token }
      if (publicUrl === undefined) {
        // Sent like a page: a script would get a cookie that browsers cannot use.
        const headers = { origin: new URL(url).origin }
        const answer = await context.request.post('api/v1/login/operator', { data, headers })
        if (!answer.ok()) throw new Error(`signing in failed: ${answer.status()} ${await answer.text()}`)
      } else {
        // Only the browser resolves that name.
        await page.goto('api/v1/login')
        const status = await page.evaluate(async (body) => {
          const headers = { 'content-type': 'application/json' }
          return (await fetch('login/operator', { method: 'POST', headers, body })).status
        }, JSON.stringify(data))
        if (status >= 300) throw new Error(`signing in failed: ${status}`)
      }
      page.setDefaultTimeout(Number(process.env.STOWAGE_TEST_WAIT_MS ?? 40_000))
      onTestFinished(async ({ task }) => {
        if (task.result?.state === 'fail') {
          mkdirSync('tests/browser/failures', { recursive: true })
          const name = task.name.replace(/[^a-z0-9]+/gi, '-').slice(0, 80)
          await page.screenshot({ path: `tests/browser/failures/${name}.png` }).catch(() => undefined)
        }
        await context.close()
      })
      await page.goto(path.replace(/^\//, ''))
      return page
    },
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stowage-cluster-'))
    const cluster = await startSandboxCluster({
      folder,
      program,
      stores: 1,
      scenario,
      onError: (what, error) => console.error(what, error),
    })
    const settings = typeof env === 'function' ? await env() : env
    publicUrl = settings.STOWAGE_PUBLIC_URL
    tools.operator = await startOperator({
      cluster,
      env: { STOWAGE_TENANT_URL: 'http://127.0.0.1:{nodePort}', STOWAGE_EGRESS_ALLOW: '127.0.0.1', ...settings },
    })
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await tools.operator?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })
  return tools
}

/** Returns a tenant with one pool, as the wizard creates it. */
export function tenantBody(name: string, namespace: string, servers = 4) {
  return {
    name,
    namespace,
    pools: [
      {
        name: 'pool-0',
        servers,
        volumes_per_server: 2,
        volume_configuration: { size: 26843545600, storage_class_name: 'standard' },
        resources: { requests: { memory: 2147483648 } },
      },
    ],
  }
}

/** Creates a tenant whose console is what listens at a port. */
export async function newForeignTenant({ kube, admin, newNamespace }: TestOperator, name: string, nodePort: number) {
  const namespace = await newNamespace()
  await kube.create(resources.services, {
    metadata: { name: `${name}-console`, namespace },
    spec: { type: 'NodePort', ports: [{ name: 'https-console', port: 9443, nodePort }] },
  })
  await admin.call('createTenant', { body: tenantBody(name, namespace) })
  return { namespace, tenant: name }
}
