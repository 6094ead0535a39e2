import { resources } from '@stowage/kube'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { tenantBody, useOperatorBrowser } from '../../support/browser/operator-browser.ts'
import { overflowingParts, untranslatedTexts, usePseudoLocale } from '../../support/browser/untranslated.ts'

const browser = useOperatorBrowser({
  namespaces: [{ name: 'minio-operator' }],
  drives: {
    manager: 'directpv',
    list: [{ node: 'node1', name: 'sdb', size: 2e12, status: 'Ready' }],
  },
})

const tenant = 'pseudo-tenant'
let namespace: string

async function prepare() {
  const { operator: o } = browser
  namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: tenantBody(tenant, namespace) })
  await expect
    .poll(async () => (await o.admin.call('getTenant', { params: { namespace, tenant } })).status.health_status, {
      interval: 200,
      timeout: 60_000,
    })
    .toBe('green')
  const labels = { 'v1.min.io/tenant': tenant }
  const request = Buffer.from('-----BEGIN CERTIFICATE REQUEST-----').toString('base64')
  await o.kube.create(resources.certificateSigningRequests, {
    metadata: { name: `${tenant}-client-${namespace}-csr`, labels },
    spec: { request, signerName: 'kubernetes.io/kubelet-serving', usages: ['server auth'] },
  })
}

/** Data on these pages: names, states and texts of the cluster, which no language changes. */
const data = () => [
  namespace,
  tenant,
  `${tenant}-client-${namespace}-csr`,
  `${tenant}-${namespace}-csr`,
  `${tenant}-tls`,
  'Approved',
  'pseudo',
  'minio-operator',
  'team-a',
  'standard',
  'directpv-min-io',
  'system:admin',
  'MINIO_BROWSER',
  'MINIO_ROOT_USER',
  'MINIO_ROOT_PASSWORD',
  'admin',
  ...[
    'pool-0',
    'data0',
    'data1',
    'minio',
    'node1',
    'kubelet',
    'kubernetes.io',
    'server auth',
    'DirectPV',
    'direct-csi',
  ],
  ...['Running', 'Bound', 'Pending', 'Ready', 'Initialized', 'Normal', 'Warning', 'StatefulSet', 'MinIO', 'Operator'],
]

/** Pages below a tenant, and those of the cluster. Logs and events are data of the cluster. */
const SECTIONS = [
  ...['summary', 'security', 'pools', 'pods', 'license', 'volumes', 'drift'],
  ...['configuration', 'identity-provider', 'encryption', 'csr'],
]
const pages = ['/tenants', '/tenants/add', '/storage/volumes', '/storage/drives', '/license']

async function findings(page: Page): Promise<string[]> {
  await page.waitForLoadState('networkidle')
  await page.setViewportSize({ width: 1440, height: 900 })
  const wide = [...(await untranslatedTexts(page, data())), ...(await overflowingParts(page))]
  await page.setViewportSize({ width: 390, height: 844 })
  // Tables change their form after the window has changed its size.
  await expect
    .poll(() => overflowingParts(page), { timeout: 5_000 })
    .toEqual([])
    .catch(() => undefined)
  return [...wide, ...(await overflowingParts(page)).map((part) => `on a phone: ${part}`)]
}

test('in the pseudo-locale no page of operator mode leaves a text in English, or cuts one', async () => {
  await prepare()
  const page = await browser.open('/tenants')
  await usePseudoLocale(page)
  const found: Record<string, string[]> = {}
  const sections = SECTIONS.map((section) => `/namespaces/${namespace}/tenants/${tenant}/${section}`)
  for (const path of [...pages, ...sections]) {
    await page.goto(path.slice(1))
    await page.getByRole('heading').first().waitFor()
    // Tables within are wider than a phone and scroll.
    for (const details of await page.locator('details[open] > summary').all()) await details.click()
    const problems = await findings(page)
    if (problems.length > 0) found[path.replace(namespace, '')] = problems
  }
  expect(found).toEqual({})
})
