import { resources, type SavedKubeObject, tenants } from '@stowage/kube'
import { createAuthority } from '@stowage/sandbox-kube/pki'
import type { Node } from 'kubernetes-types/core/v1'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { tenantBody, useOperatorBrowser } from '../../support/browser/operator-browser.ts'

const node = (n: number, memory: string) => ({
  name: `node${n}`,
  labels: { 'kubernetes.io/hostname': `node${n}`, disktype: n > 2 ? 'nvme' : 'hdd' },
  memory,
})
const browser = useOperatorBrowser({
  nodes: [
    node(1, '64Gi'),
    node(2, '64Gi'),
    node(3, '64Gi'),
    node(4, '64Gi'),
    node(5, '24Gi'),
    { ...node(6, '64Gi'), taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }] },
  ],
})
const { open } = browser

const VERSION = 'minio/minio:RELEASE.2025-09-07T16-13-09Z'
const DAY_MS = 86_400_000
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Creates a tenant whose pods need more memory than a node has. @param memory GiB of each pod */
async function newLargeTenant(name: string, memory: number): Promise<string> {
  const { operator: o } = browser
  const namespace = await o.newNamespace()
  const body = tenantBody(name, namespace)
  const pools = body.pools.map((pool) => ({ ...pool, resources: { requests: { memory: memory * 2 ** 30 } } }))
  await o.admin.call('createTenant', { body: { ...body, image: VERSION, pools } })
  return namespace
}

let slowIn: Promise<string> | undefined
/** A tenant whose pods wait until `addMemory`. */
const slow = () => (slowIn ??= newLargeTenant('slow', 100))

async function addMemory() {
  const { kube } = browser.operator
  for (const name of ['node1', 'node2', 'node3', 'node4']) {
    const found: SavedKubeObject<Node> = await kube.get(resources.nodes, { name })
    const status = { ...found.status, allocatable: { ...found.status?.allocatable, memory: '164Gi' } }
    await kube.update(resources.nodes, { ...found, status }, { subresource: 'status' })
  }
}

const rowWithWord = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`\\b${name}\\b`) })

test('until a tenant is green, its summary names the pods it waits for and why', async () => {
  const { operator: o } = browser
  const namespace = await slow()
  const page = await open(`/namespaces/${namespace}/tenants/slow/summary`)
  const status = page.getByRole('status').filter({ hasText: 'pods ready' })
  await status.getByText('0 of 4 pods ready').waitFor()
  await status.getByRole('link', { name: 'slow-pool-0-3' }).waitFor()
  await status
    .getByText(/0\/6 nodes are available: 5 Insufficient memory/)
    .first()
    .waitFor()

  // Without the right to list pods it does not count them.
  const read = [{ apiGroups: ['minio.min.io'], resources: ['tenants'], verbs: ['get', 'list', 'watch'] }]
  const reader = await open(`/namespaces/${namespace}/tenants/slow/summary`, { token: await o.newToken(read) })
  await reader.getByRole('status').filter({ hasText: 'The operator is working on the tenant.' }).waitFor()
  expect(await reader.getByText('pods ready').count()).toBe(0)

  // The list and the page of pods give the same reason; pods that wait for the same share a notice.
  const list = await open('/tenants')
  await rowWithWord(list, 'slow')
    .getByText(/slow-pool-0-\d has no node: Insufficient memory/)
    .waitFor()
  await rowWithWord(list, 'slow').getByText('0/4', { exact: true }).waitFor()
  const pods = await open(`/namespaces/${namespace}/tenants/slow/pods`)
  const notices = pods.getByRole('status').filter({ hasText: 'Insufficient memory' })
  await notices.getByText('slow-pool-0-0, slow-pool-0-1, slow-pool-0-2, and slow-pool-0-3 have no node.').waitFor()
  expect(await notices.count()).toBe(1)
  expect(await notices.getByRole('term').allInnerTexts()).toEqual(['5 nodes', '1 node'])
  await notices.getByText('Lower the memory request of the pool, or free memory on a node.').waitFor()

  await addMemory()
  await page.getByRole('region', { name: 'Health' }).getByText('Healthy').waitFor()
  await status.waitFor({ state: 'hidden' })
  await rowWithWord(list, 'slow').getByText('4/4', { exact: true }).waitFor()
  await rowWithWord(list, 'slow').getByText('has no node').waitFor({ state: 'hidden' })
})

test('a pending pod is explained by the events of its volume claim, as soon as they happen', async () => {
  const { operator: o } = browser
  const namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: tenantBody('claims', namespace) })
  const labels = { 'v1.min.io/tenant': 'claims', 'v1.min.io/pool': 'pool-0' }
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '3Gi' } }, storageClassName: 'lost' }
  const metadata = { name: 'data0-claims-late', namespace, labels }
  const claim = await o.kube.create(resources.persistentVolumeClaims, { metadata, spec })
  await o.kube.create(resources.pods, {
    metadata: { name: 'claims-late', namespace, labels },
    spec: {
      containers: [{ name: 'minio', image: 'minio/minio:old' }],
      nodeSelector: { no: 'where' },
      volumes: [{ name: 'data0', persistentVolumeClaim: { claimName: metadata.name } }],
    },
  })
  const page = await open(`/namespaces/${namespace}/tenants/claims/pods`)
  const notice = page.getByRole('status').filter({ hasText: 'claims-late' })
  await notice.getByText("didn't match Pod's node affinity/selector").waitFor()
  expect(await notice.getByText('PersistentVolumeClaim/').count()).toBe(0)
  await o.kube.create(resources.events, {
    metadata: { name: o.freshName('event'), namespace },
    involvedObject: {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace },
      ...{ name: metadata.name, uid: claim.metadata.uid },
    },
    type: 'Warning',
    reason: 'ProvisioningFailed',
    message: 'storageclass "lost" not found',
    lastTimestamp: new Date().toISOString(),
    source: { component: 'persistentvolume-controller' },
  })
  await notice.getByText('PersistentVolumeClaim/data0-claims-late: storageclass "lost" not found').waitFor()
})

test('on a phone a difference shows both sides, an event its whole message, and rows without actions have no menu', async () => {
  const namespace = await newLargeTenant('phone', 500)
  const size = { width: 390, height: 844 }
  const page = await open(`/namespaces/${namespace}/tenants/phone/drift`, size)
  const row = rowWithWord(page, 'phone-pool-0-0')
  for (const text of ['State', 'In the tenant: Ready', 'In the cluster: Pending']) await row.getByText(text).waitFor()
  expect(await row.getByRole('button').count()).toBe(0)
  await page.goto(`namespaces/${namespace}/tenants/phone/pods/phone-pool-0-0`)
  const message = page.getByText(/0\/6 nodes are available: 5 Insufficient memory/)
  await message.waitFor()
  expect(
    await message.evaluate((text) => [text.scrollWidth > text.clientWidth, text.scrollHeight > text.clientHeight]),
  ).toEqual([false, false])
})

test('the list shows pods, usage, version, the next certificate to end and what is wrong, at 1440 and at 390 px', async () => {
  const { operator: o } = browser
  const namespace = await slow()
  await addMemory()
  const pair = await (await createAuthority('test')).issue({
    commonName: 'minio',
    usage: 'server',
    validMs: 6.5 * DAY_MS,
  })
  const data = { 'tls.crt': base64(pair.cert), 'tls.key': base64(pair.key) }
  await o.kube.create(resources.secrets, { metadata: { name: 'own', namespace }, type: 'kubernetes.io/tls', data })
  const externalCertSecret = [{ name: 'own', type: 'kubernetes.io/tls' }]
  await o.kube.mergePatch(tenants, { namespace, name: 'slow' }, { spec: { externalCertSecret } })
  await newLargeTenant('other', 500)
  const page = await open('/tenants')
  for (const name of ['Name', 'Namespace', 'Capacity', '# of Pools', 'State', 'Pods', 'Version', 'Certificate'])
    await page.getByRole('columnheader', { name, exact: true }).waitFor()
  await page.getByRole('columnheader', { name: 'What Is Wrong' }).waitFor()
  const row = rowWithWord(page, 'slow')
  for (const text of ['4/4', '2025-09-07', '6 days', '0% used', 'Its certificate own ends in 6 days.'])
    await row.getByText(text, { exact: true }).waitFor()
  // The flags of the header filter the list.
  await rowWithWord(page, 'other').waitFor()
  await page.getByRole('button', { name: '1 certificate ends soon' }).click()
  await rowWithWord(page, 'other').waitFor({ state: 'hidden' })
  await row.waitFor()
  await page.getByRole('button', { name: '1 certificate ends soon' }).click()
  await rowWithWord(page, 'other').waitFor()
  const table = page.getByRole('table')
  expect(
    await table.evaluate(({ scrollWidth, parentElement }) => scrollWidth - (parentElement?.clientWidth ?? 0)),
  ).toBe(0)
  for (const cell of await row.getByRole('cell').all()) expect((await cell.boundingBox())?.height).toBe(40)

  await page.setViewportSize({ width: 390, height: 844 })
  for (const text of ['4 of 4 pods ready', '2025-09-07', '6 days', '0% used', 'Its certificate own ends in 6 days.'])
    await row.getByText(text, { exact: true }).filter({ visible: true }).waitFor()

  // Without the right to read StatefulSets and secrets, the list shows what the tenants themselves contain.
  const rules = [{ apiGroups: ['minio.min.io'], resources: ['tenants'], verbs: ['list', 'watch'] }]
  const other = await open('/tenants', { token: await o.newToken(rules) })
  await rowWithWord(other, 'slow').getByText('2025-09-07', { exact: true }).waitFor()
  expect(await rowWithWord(other, 'slow').getByRole('cell').allInnerTexts()).toEqual(expect.arrayContaining(['–']))
  await other.getByText('you may not watch').waitFor({ state: 'hidden' })
})

test('the size step shows how the servers spread over the nodes, and warns if there are too few', async () => {
  const namespace = await browser.operator.newNamespace()
  const page = await open('/tenants/add')
  await page.getByLabel('Advanced Mode').click()
  await page.getByLabel('Tenant Name').fill('spread')
  await page.getByLabel('Namespace').fill(namespace)
  const step = (name: string) => page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name })
  await step('Tenant Size').click()
  const spread = page.getByRole('region', { name: 'Spread over Nodes' })
  await spread.getByText('4 servers on 4 of 5 nodes, one on each.').waitFor()
  await page.getByLabel('Number of Drives per Server').fill('4')
  const first = spread.getByRole('row').nth(1)
  for (const volume of ['1.1', '1.5', '1.9', '1.13']) await first.getByText(volume, { exact: true }).waitFor()
  await spread.getByText('These nodes take no pods: node6 (dedicated=gpu:NoSchedule).').waitFor()

  await step('Pod Affinity').click()
  await page.getByLabel('Node Selector').click()
  await page.getByLabel('Key', { exact: true }).selectOption('disktype')
  await page.getByLabel('Value', { exact: true }).selectOption('nvme')
  await step('Tenant Size').click()
  await spread.getByText(/^There is no node for 1 of 4 servers: each needs a node of its own/).waitFor()
  await step('Pod Affinity').click()
  await page.getByLabel('With Pod Anti-Affinity').click()
  await step('Tenant Size').click()
  await spread.getByText('4 servers on 3 of 3 nodes. A node may run several servers, which fail with it.').waitFor()
})

test('a late answer about the memory of nodes never replaces a newer one', async () => {
  const namespace = await browser.operator.newNamespace()
  const page = await open('/tenants/add')
  await page.getByLabel('Tenant Name').fill('late')
  await page.getByLabel('Namespace').fill(namespace)
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  const memory = page.locator('dt:has-text("Memory that each Node has") + dd')
  await expect.poll(async () => await memory.textContent()).toMatch(/^(64|164) GiB$/)
  const [before] = await memory.allTextContents()

  // The smallest of five nodes has less memory. Its answer is held until that for four servers is shown.
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let arrived = () => {}
  const answered = new Promise<void>((resolve) => (arrived = resolve))
  await page.route('**/max-allocatable-memory?num_nodes=5', async (route) => {
    const response = await route.fetch()
    await released
    // The page may have given up the request.
    await route.fulfill({ response }).catch(() => undefined)
    arrived()
  })
  const asked = page.waitForRequest('**/max-allocatable-memory?num_nodes=5')
  await page.getByLabel('Number of Servers').fill('5')
  await asked
  await page.getByLabel('Number of Servers').fill('4')
  await expect.poll(async () => await memory.textContent()).toBe(before)
  release()
  await answered
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  expect(await memory.textContent()).toBe(before)
  // With five servers it is what the page shows.
  await page.unroute('**/max-allocatable-memory?num_nodes=5')
  await page.getByLabel('Number of Servers').fill('5')
  await expect.poll(async () => await memory.textContent()).toBe('24 GiB')
})

test('creating a namespace is offered after every failed lookup, and says what is known [WIZ-08]', async () => {
  const { operator: o } = browser
  const namespace = await o.newNamespace()
  const rule = (group: string, plural: string) => ({ apiGroups: [group], resources: [plural], verbs: ['get', 'list'] })
  const page = await open('/tenants/add', { token: await o.newToken([rule('minio.min.io', 'tenants')]) })
  const offer = page.getByRole('button', { name: 'Create namespace' })
  const dialog = page.getByRole('dialog', { name: 'Create Namespace' })
  await page.getByLabel('Namespace').fill(namespace)
  await offer.click()
  await dialog.getByText(/may exist, because its quota could not be read \(Forbidden\)\. Create it\?/).waitFor()
  expect(await dialog.getByText('does not exist').count()).toBe(0)

  const admin = await open('/tenants/add')
  await admin.getByLabel('Namespace').fill(o.freshName('nowhere'))
  await admin.getByRole('button', { name: 'Create namespace' }).click()
  await admin
    .getByRole('dialog', { name: 'Create Namespace' })
    .getByText(/does not exist yet\. Create it\?/)
    .waitFor()
})
