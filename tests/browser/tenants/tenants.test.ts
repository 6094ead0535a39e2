import { tenants } from '@stowage/kube'
import { expect, test } from 'vitest'
import { tenantBody, useOperatorBrowser } from '../../support/browser/operator-browser.ts'

const browser = useOperatorBrowser()
const { open } = browser

/** Creates a green tenant; one of them runs a store, the others are only objects. */
async function newTenant(name: string): Promise<{ namespace: string; tenant: string }> {
  const { operator: o } = browser
  const namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: tenantBody(name, namespace) })
  return { namespace, tenant: name }
}

async function greenTenant(name: string) {
  const params = await newTenant(name)
  const { admin } = browser.operator
  await expect
    .poll(async () => (await admin.call('getTenant', { params })).status.health_status, { interval: 200 })
    .toBe('green')
  return params
}

/** Whether nothing covers or cuts off the middle of an element. */
function isInView(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}

let media: { namespace: string; tenant: string } | undefined
const shared = async () => {
  media ??= await greenTenant('media')
  return media
}

test('the list shows tenants with their health, and finds them by name [TNT-01] [TNT-02] [TNT-03] [SHL-18]', async () => {
  const { namespace } = await shared()
  await newTenant('archive')
  const page = await open('/')
  await page.waitForURL('**/tenants')
  const operatorGroup = page.getByRole('navigation').first()
  await operatorGroup.getByRole('link', { name: 'Tenants' }).waitFor()
  await operatorGroup.getByRole('link', { name: 'Storage' }).waitFor()
  for (const name of ['Name', 'Namespace', 'Capacity', '# of Pools', 'State'])
    await page.getByRole('columnheader', { name, exact: true }).waitFor()
  const row = page.getByRole('row', { name: /media/ })
  await row.getByText(namespace).waitFor()
  await row.getByText('200').first().waitFor()
  await row.getByText('Healthy').waitFor({ state: 'attached' })
  await page.getByPlaceholder('Search Tenants').fill('arch')
  await page.getByRole('row', { name: /media/ }).waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'archive', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Create Tenant' }).click()
  await page.getByRole('heading', { name: 'Create New Tenant' }).waitFor()
})

test('a tenant is deleted after its name is typed [TNT-04] [TNT-09]', async () => {
  const { tenant, namespace } = await newTenant('doomed')
  const page = await open(`/namespaces/${namespace}/tenants/${tenant}/summary`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Tenant' })
  const button = dialog.getByRole('button', { name: 'Delete', exact: true })
  await dialog.getByLabel('Tenant Name').fill('doom')
  await dialog.getByText('Tenant name is incorrect').waitFor()
  expect(await button.isDisabled()).toBe(true)
  await dialog.getByLabel('Tenant Name').fill('doomed')
  await dialog.getByLabel('Delete the volumes too').click()
  await button.click()
  await page.getByText('Tenant Deleted').waitFor()
  await page.waitForURL('**/tenants')
  await page.getByRole('link', { name: 'doomed', exact: true }).waitFor({ state: 'hidden' })
})

test('the summary shows the parts of a tenant and its addresses [TNT-06] [TNT-07] [TNT-08] [TNT-14] [TNT-15] [TNT-16] [TNT-17]', async () => {
  const { tenant, namespace } = await shared()
  const page = await open(`/namespaces/${namespace}/tenants/${tenant}`)
  await page.waitForURL('**/summary')
  const sections = page.getByRole('navigation', { name: 'Sections' })
  for (const name of ['Summary', 'Metrics', 'Security', 'Pools', 'Pods', 'License'])
    await sections.getByRole('link', { name, exact: true }).waitFor()
  const details = page.getByRole('region', { name: 'Details' })
  for (const text of ['Capacity', '200 GiB', 'Clusters', 'Instances', 'Volumes', 'Endpoint', 'Console', 'Initialized'])
    await details.getByText(text).first().waitFor()
  // Half of it is parity; the tenants' list shows the usage of this.
  await details.locator('dt:has-text("Usable Capacity") + dd').getByText('100 GiB').waitFor()
  await page.getByRole('region', { name: 'Storage Usage' }).getByText('0 B of 200 GiB').waitFor()
  const health = page.getByRole('region', { name: 'Health' })
  for (const text of ['Drives Online', 'Drives Offline', 'Write Quorum']) await health.getByText(text).waitFor()
  const features = page.getByRole('region', { name: 'Features' })
  for (const text of ['Logs', 'Monitoring', 'MinIO TLS', 'Encryption', 'Active Directory', 'OpenID'])
    await features.getByText(text, { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Manage Tenant' }).click()
  await page.waitForURL('**/hop')
})

test('the image is changed, and its form requires all fields of a registry [TNT-45] [TNT-46]', async () => {
  const { tenant, namespace } = await shared()
  const page = await open(`/namespaces/${namespace}/tenants/${tenant}/summary`)
  await page.getByRole('button', { name: "The operator's default" }).click()
  const dialog = page.getByRole('dialog', { name: 'Update MinIO Version' })
  const save = dialog.getByRole('button', { name: 'Save' })
  const image = dialog.getByLabel("MinIO's Image")
  await image.fill('not an image')
  expect(await save.isDisabled()).toBe(true)
  await image.fill('minio/minio:RELEASE.2025-09-07T16-13-09Z')
  await dialog.getByLabel('Set Custom Image Registry').click()
  expect(await save.isDisabled()).toBe(true)
  await dialog.getByLabel('Endpoint').fill('registry.example.com')
  await dialog.getByLabel('Username').fill('anna')
  await dialog.getByLabel('Password').fill('secret')
  expect(await save.isEnabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Clear' }).click()
  expect(await image.inputValue()).toBe('')
  await image.fill('minio/minio:RELEASE.2025-09-07T16-13-09Z')
  await save.click()
  await page.getByRole('button', { name: 'minio/minio:RELEASE.2025-09-07T16-13-09Z' }).waitFor()
})

test('a tenant without pools says so [TNT-26]', async () => {
  const { operator: o } = browser
  const namespace = await o.newNamespace()
  await o.kube.create(tenants, { metadata: { name: 'bare', namespace }, spec: { pools: [] } })
  const page = await open(`/namespaces/${namespace}/tenants/bare/pools`)
  await page.getByText('No Pools found').waitFor()
  await page.getByRole('button', { name: 'Expand Tenant' }).waitFor()
})

test('a pool is added with the capacity shown in the form [TNT-26] [TNT-27] [TNT-28]', async () => {
  const { tenant, namespace } = await shared()
  const page = await open(`/namespaces/${namespace}/tenants/${tenant}/pools`)
  for (const name of ['Name', 'Capacity', '# of Instances', '# of Drives'])
    await page.getByRole('columnheader', { name, exact: true }).waitFor()
  await page.getByRole('button', { name: 'Expand Tenant' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Pool' })
  await dialog.getByLabel('Volume Size (Gi)').fill('0')
  await dialog.getByText('The pool size must be greater than 1Gi').waitFor()
  await dialog.getByLabel('Volumes per Server').fill('0')
  await dialog.getByText('Number of drives must be at least 1').waitFor()
  await dialog.getByLabel('Number o Nodes').fill('2')
  await dialog.getByLabel('Volume Size (Gi)').fill('10')
  await dialog.getByLabel('Volumes per Server').fill('2')
  await dialog.getByText('40 GiB').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page
    .getByRole('row', { name: /pool-1/ })
    .getByText('40', { exact: false })
    .first()
    .waitFor()
})

test('a pool is edited, and a change by another user is shown beside it and kept', async () => {
  const { operator: o } = browser
  const params = await newTenant('pooled')
  const page = await open(`/namespaces/${params.namespace}/tenants/pooled/pools`)
  const edit = async (name: string) => {
    const row = page.getByRole('row', { name: new RegExp(name) })
    await row.hover()
    await row.getByRole('button', { name: 'Edit' }).click()
    return page.getByRole('dialog', { name: 'Edit Pool' })
  }
  let dialog = await edit('pool-0')
  const save = dialog.getByRole('button', { name: 'Save' })
  expect(await save.isDisabled()).toBe(true)
  await dialog.getByLabel('Memory Request (Gi)').fill('4')
  await dialog.getByLabel('Memory Limit (Gi)').fill('3')
  await dialog.getByText('The limit must not be less than the request').waitFor()
  expect(await save.isDisabled()).toBe(true)
  await dialog.getByLabel('Memory Request (Gi)').fill('2')
  await dialog.getByLabel('Memory Limit (Gi)').fill('8')
  // The sandbox has the definition of operator 4.3.
  await dialog.getByText('The operator of this cluster does not support it.').waitFor()
  expect(await dialog.getByLabel('Runtime Class').isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Add Toleration' }).click()
  await dialog.getByLabel('Key').fill('storage')
  await dialog.getByText('Set a security context').click()
  await dialog.getByLabel('Run As User').fill('1000')
  await dialog.getByLabel('Run As Group').fill('1000')

  // Another user changes a field of the pool that this one changes too, and one that it does not change.
  const { pools, generation } = await o.admin.call('getTenant', { params })
  const [pool] = pools
  if (!pool) throw new Error('the tenant has no pool')
  const theirs = {
    ...pool,
    resources: { requests: { memory: 2 ** 30 }, limits: { memory: 2 ** 34 } },
    node_selector: { disk: 'nvme' },
  }
  const body = {
    pools: [{ ...theirs, tolerations: null, securityContext: null }],
    generation,
  }
  await o.admin.call('setTenantPools', { params, body })
  await save.click()
  await dialog.getByText('The tenant was changed while you edited it').waitFor()
  const conflict = dialog.getByRole('table')
  await expect.poll(async () => await conflict.evaluate(isInView)).toBe(true)
  await conflict.getByRole('row', { name: 'Memory Limit (Gi) 8 16' }).waitFor()
  await conflict.getByRole('row', { name: 'Memory Request (Gi) – 1' }).waitFor()
  expect(await dialog.getByLabel('Memory Limit (Gi)').inputValue()).toBe('8')
  await save.click()
  await dialog.waitFor({ state: 'hidden' })
  const after = await o.admin.call('getTenant', { params })
  expect(after.pools[0]).toMatchObject({
    resources: { requests: { memory: 2 ** 30 }, limits: { memory: 2 ** 33 } },
    node_selector: { disk: 'nvme' },
    tolerations: [{ key: 'storage', operator: 'Exists' }],
    securityContext: { runAsUser: 1000, runAsGroup: 1000, runAsNonRoot: true },
  })
  // What can be set can be removed.
  dialog = await edit('pool-0')
  await dialog.getByText('Set a security context').click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const [left] = (await o.admin.call('getTenant', { params })).pools
  expect([left?.tolerations, left?.securityContext]).toEqual([[], undefined])
})

test('without the right to update tenants neither a pool nor the image can be changed, with the reason', async () => {
  const { operator: o } = browser
  const { tenant, namespace } = await newTenant('locked')
  const rules = [{ apiGroups: ['minio.min.io'], resources: ['tenants'], verbs: ['get', 'list', 'watch'] }]
  const token = await o.newToken(rules, namespace)
  const page = await open(`/namespaces/${namespace}/tenants/${tenant}/pools`, { token })
  const row = page.getByRole('row', { name: /pool-0/ })
  await row.hover()
  const button = row.getByRole('button', { name: 'Edit' })
  await button.hover()
  await page.getByRole('tooltip').getByText('update tenants.minio.min.io').waitFor()
  await button.click({ force: true })
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('link', { name: 'Summary', exact: true }).click()
  const image = page.getByRole('button', { name: "The operator's default" })
  await expect.poll(async () => await image.getAttribute('aria-disabled'), { timeout: 5_000 }).toBe('true')
})

test('a user with rights in one namespace creates and deletes tenants there; with the right to read, neither', async () => {
  const { operator: o } = browser
  const { namespace } = await newTenant('local')
  const rights = (verbs: string[]) => [{ apiGroups: ['minio.min.io'], resources: ['tenants'], verbs }]
  const openAs = async (verbs: string[]) => {
    const page = await open('/tenants', { token: await o.newToken(rights(verbs), namespace) })
    await page.getByLabel('Namespaces').fill(namespace)
    const reviewed = page.waitForResponse((answer) => answer.request().postData()?.includes(`"${namespace}"`) === true)
    await page.getByRole('button', { name: 'Show' }).click()
    await reviewed
    const row = page.getByRole('row', { name: /local/ })
    await row.waitFor()
    return { page, row, create: page.getByRole('button', { name: 'Create Tenant' }) }
  }
  const reader = await openAs(['list', 'get'])
  await expect.poll(async () => await reader.create.getAttribute('aria-disabled')).toBe('true')
  await reader.create.hover()
  await reader.page.getByRole('tooltip').getByText('create tenants.minio.min.io').waitFor()

  const owner = await openAs(['*'])
  // It was true of the whole cluster, before the namespace was entered.
  await owner.page.getByText('you may not watch').waitFor({ state: 'hidden' })
  await owner.row.hover()
  await owner.row.getByRole('button', { name: 'Delete' }).click()
  const dialog = owner.page.getByRole('dialog', { name: 'Delete Tenant' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await owner.create.click()
  await owner.page.getByRole('heading', { name: 'Create New Tenant' }).waitFor()
})

test('pods are listed, read and deleted [TNT-32] [TNT-33] [TNT-34]', async () => {
  const { tenant, namespace } = await shared()
  const page = await open(`/namespaces/${namespace}/tenants/${tenant}/pods`)
  for (const name of ['Name', 'Status', 'Age', 'Pod IP', 'Restarts', 'Node'])
    await page.getByRole('columnheader', { name, exact: true }).waitFor()
  await page.getByRole('link', { name: 'media-pool-0-0', exact: true }).click()
  for (const name of ['Namespace', 'Last Seen', 'Message', 'Event Type', 'Reason'])
    await page.getByRole('columnheader', { name, exact: true }).waitFor()
  await page.getByText('Scheduled').first().waitFor()
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
  await crumbs.getByText('media-pool-0-0', { exact: true }).waitFor()
  expect(await crumbs.getByRole('link', { name: 'Pods', exact: true }).getAttribute('href')).toMatch(/\/pods$/)
  const marked = page.getByRole('navigation', { name: 'Sections' }).locator('[aria-current]')
  expect(await marked.allTextContents()).toEqual(['Pods'])
  await page.locator('label', { hasText: /^Logs$/ }).click()
  const line = page.getByText('Sandbox: starting the store of this tenant')
  await line.waitFor()
  await page.getByLabel('Highlight Line').fill('STARTING THE STORE')
  await expect.poll(async () => await page.locator('[data-marked]').count()).toBe(1)
  await page.locator('label', { hasText: 'Previous run' }).click()
  await line.waitFor({ state: 'detached' })

  // All pods together: each line has the name of its pod, and the log continues.
  await page.goto(`namespaces/${namespace}/tenants/${tenant}/logs`)
  const log = page.getByRole('region', { name: 'Log' })
  await log.getByText('media-pool-0-0').first().waitFor()
  await log.getByText('media-pool-0-1').first().waitFor()

  await page.goto(`namespaces/${namespace}/tenants/${tenant}/pods`)
  const row = page.getByRole('row', { name: /media-pool-0-3/ })
  await row.hover()
  await row.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Pod' })
  await dialog.getByLabel('Pod Name').fill('media')
  await dialog.getByText('Tenant name is incorrect').waitFor()
  await dialog.getByLabel('Pod Name').fill('media-pool-0-3')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
})

test('the YAML is edited, and a change by another user is not overwritten [TNT-42]', async () => {
  const { operator: o } = browser
  const params = await newTenant('edited')
  const page = await open(`/namespaces/${params.namespace}/tenants/edited/summary`)
  await page.getByRole('button', { name: 'Edit YAML' }).click()
  const dialog = page.getByRole('dialog', { name: 'YAML' })
  const text = dialog.getByLabel('Tenant Specification')
  const save = dialog.getByRole('button', { name: 'Save' })
  const before = await text.inputValue()
  await text.evaluate((area: HTMLTextAreaElement) => {
    const at = area.value.indexOf('volumesPerServer')
    area.setSelectionRange(at, at)
  })
  await text.press('ArrowRight')
  await dialog.getByRole('region', { name: 'Fields' }).getByText('Fields of spec.pools').waitFor()
  await text.fill('  ')
  expect(await save.isDisabled()).toBe(true)
  await text.fill('spec: [')
  await save.click()
  await dialog.getByText('The text is not valid YAML').waitFor()
  await o.admin.call('updateTenant', { params, body: { image: 'minio/minio:theirs' } })
  await text.fill(before.replace('mountPath: /export', 'mountPath: /data'))
  await save.click()
  await dialog.getByText(/has been modified/).waitFor()
  expect(await text.inputValue()).toContain('mountPath: /data')
  // Both are shown, and the next Save applies to the other one.
  const theirs = dialog.getByLabel('As it is now')
  await theirs.waitFor()
  expect(await theirs.inputValue()).toContain('minio/minio:theirs')
  await dialog.getByRole('button', { name: 'Check' }).click()
  await page.getByText('The API server would accept it').waitFor()
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export' }).click()
  expect((await saved).suggestedFilename()).toBe('edited.yaml')
  await text.fill((await theirs.inputValue()).replace('mountPath: /export', 'mountPath: /data'))
  await save.click()
  await dialog.waitFor({ state: 'hidden' })
  const { yaml } = await o.admin.call('getTenantYaml', { params })
  expect(yaml).toContain('mountPath: /data')
  expect(yaml).toContain('minio/minio:theirs')
})

test('security shows its two switches and asks before it restarts [TNT-22]', async () => {
  const params = await newTenant('secure')
  const page = await open(`/namespaces/${params.namespace}/tenants/secure/security`)
  await page.getByLabel('Manage Inter-Node Certificates Automatically').click()
  await page.getByLabel('Custom Certificates').click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Save and Restart' })
  await dialog.getByRole('button', { name: 'Save and Restart' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await browser.operator.admin.call('getTenantSecurity', { params })).toMatchObject({ autoCert: false })
})
