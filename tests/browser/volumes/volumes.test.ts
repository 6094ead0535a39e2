import { readFile } from 'node:fs/promises'
import { defineResource, type KubeObject, resources } from '@stowage/kube'
import { expect, test } from 'vitest'
import { tenantBody, useOperatorBrowser } from '../../support/browser/operator-browser.ts'
import { failCalls } from '../../support/browser/page-calls.ts'
import { clickRowAction } from '../../support/browser/rows.ts'

const drive = (node: string, name: string, status: string) => ({ node, name, size: 2e12, status })
const browser = useOperatorBrowser({
  drives: {
    manager: 'direct-csi',
    list: [drive('node1', 'sdb', 'Available'), drive('node1', 'sdc', 'Available'), drive('node2', 'sdb', 'InUse')],
  },
})
const { open } = browser
const csiVolumes = defineResource<KubeObject & { status: unknown }>({
  group: 'direct.csi.min.io',
  version: 'v1beta1',
  plural: 'directcsivolumes',
  kind: 'DirectCSIVolume',
  namespaced: false,
})

test('volumes are listed with their tenants, and link to them [STO-01] [STO-02]', async () => {
  const { operator: o } = browser
  const namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: tenantBody('media', namespace) })
  await expect
    .poll(async () => (await o.admin.call('listVolumes', { query: {} })).pvcs.length, { interval: 200 })
    .toBe(8)
  const page = await open('/storage/anything')
  await page.waitForURL('**/storage/volumes')
  await page.getByRole('heading', { name: 'Volumes' }).waitFor()
  for (const name of ['Name', 'Namespace', 'Status', 'Tenant', 'Capacity', 'Storage Class'])
    await page.getByRole('columnheader', { name, exact: true }).waitFor()
  await page.getByPlaceholder('Search Volumes (PVCs)').fill('data1-media-pool-0-3')
  const row = page.getByRole('row', { name: /data1-media-pool-0-3/ })
  await row.getByText('25').waitFor()
  await row.getByRole('link', { name: `${namespace}/media` }).click()
  await page.waitForURL(`**/namespaces/${namespace}/tenants/media/summary`)
})

test('what former tenants left is listed with its size, and deleted after the name is typed', async () => {
  const { operator: o } = browser
  const namespace = await o.newNamespace()
  const labels = { 'v1.min.io/tenant': 'bygone' }
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '3Gi' } } }
  for (const name of ['data0-bygone', 'data1-bygone'])
    await o.kube.create(resources.persistentVolumeClaims, { metadata: { name, namespace, labels }, spec })
  await o.kube.create(resources.secrets, { metadata: { name: 'bygone-env-configuration', namespace, labels } })
  const page = await open('/storage/volumes')
  await page.getByRole('link', { name: 'Former Tenants' }).click()
  const row = page.getByRole('row', { name: /bygone/ })
  await row.getByText(namespace).waitFor()
  // 6 GiB in two volumes, and one secret.
  expect(await row.getByRole('cell').allTextContents()).toEqual(expect.arrayContaining(['2', '6.0 GiB', '1']))
  await clickRowAction(page, 'bygone', 'Delete Volumes and Secrets')
  const dialog = page.getByRole('dialog', { name: 'Delete Volumes and Secrets' })
  await dialog.getByRole('listitem').filter({ hasText: 'data1-bygone' }).getByText('3.0 GiB').waitFor()
  await dialog.getByText('2 volumes of 6.0 GiB in all.').waitFor()
  const run = dialog.getByRole('button', { name: 'Delete', exact: true })
  expect(await run.isDisabled()).toBe(true)
  await dialog.getByLabel('Tenant Name').fill('bygone')
  await run.click()
  await row.waitFor({ state: 'hidden' })
  const { objects } = await o.kube.list(resources.persistentVolumeClaims, { namespace })
  expect(objects).toEqual([])
})

test('drives are formatted after a text is typed, and failures are reported [STO-04] [STO-05] [STO-06] [STO-11] [STO-12] [STO-13] [STO-14] [STO-15]', async () => {
  for (const name of ['a', 'b', 'c']) {
    await browser.operator.kube.create(csiVolumes, { metadata: { name }, status: { drive: 'node2-sdb' } })
  }
  const page = await open('/storage/drives')
  await page.getByRole('heading', { name: 'Drives' }).waitFor()
  for (const name of ['Drive', 'Capacity', 'Allocated', 'Volumes', 'Node', 'Status'])
    await page.getByRole('columnheader', { name, exact: true }).waitFor()
  const cells = page.getByRole('row', { name: /sdb.*node2/ }).getByRole('cell')
  await expect.poll(async () => await cells.allTextContents()).toContain('3')
  const selected = page.getByRole('button', { name: 'Format Selected Drives' })
  expect(await selected.getAttribute('aria-disabled')).toBe('true')
  await page
    .getByRole('row', { name: /sdb.*node2/ })
    .getByRole('checkbox')
    .click()
  await page
    .getByRole('row', { name: /sdb.*node1/ })
    .getByRole('checkbox')
    .click()
  await selected.click()
  const dialog = page.getByRole('dialog', { name: 'Format Drives' })
  await dialog.getByText('node2:/dev/sdb').waitFor()
  await dialog.getByLabel('Force Format').waitFor()
  await dialog.getByText('All information will be erased and cannot be recovered.').waitFor()
  const run = dialog.getByRole('button', { name: 'Format Drive(s)' })
  await dialog.getByLabel('Confirmation').fill('yes, proceed')
  expect(await run.isDisabled()).toBe(true)
  await dialog.getByLabel('Confirmation').fill('YES, PROCEED')
  await run.click()
  const issues = page.getByRole('dialog', { name: 'Format Errors' })
  await issues.getByText('There were some issues trying to format the selected CSI Drives').waitFor()
  await issues.getByRole('cell', { name: 'Drive in use. Cannot be formatted' }).waitFor()
  const download = page.waitForEvent('download')
  await issues.getByRole('button', { name: 'Download' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('csiFormatErrors.json')
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toEqual([
    { node: 'node2', drive: '/dev/sdb', error: 'Drive in use. Cannot be formatted' },
  ])
  await issues.getByRole('button', { name: 'Done' }).click()
  await issues.waitFor({ state: 'hidden' })
  expect(await selected.getAttribute('aria-disabled')).toBe('true')
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0)
})

test('drives and the number of their volumes are updated from the cluster', async () => {
  const { kube } = browser.operator
  const page = await open('/storage/drives')
  await page.getByRole('row', { name: /sdb.*node2/ }).waitFor()
  const csiDrives = defineResource<KubeObject & { status: unknown }>({
    group: 'direct.csi.min.io',
    version: 'v1beta1',
    plural: 'directcsidrives',
    kind: 'DirectCSIDrive',
    namespaced: false,
  })
  const status = { path: '/dev/sdz', nodeName: 'node3', driveStatus: 'Available', totalCapacity: 2e12 }
  await kube.create(csiDrives, { metadata: { name: 'late' }, status })
  const row = page.getByRole('row', { name: /sdz.*node3/ })
  await row.waitFor()
  for (const name of ['late-1', 'late-2', 'late-3', 'late-4'])
    await kube.create(csiVolumes, { metadata: { name }, status: { drive: 'late' } })
  await row.getByRole('cell', { name: '4', exact: true }).waitFor()
  await kube.delete(csiDrives, { name: 'late' })
  await row.waitFor({ state: 'hidden' })
})

test('without the right to watch, the drives are shown as of their last update', async () => {
  const token = await browser.operator.newToken([read('direct.csi.min.io', 'directcsidrives', 'directcsivolumes')])
  const page = await open('/storage/drives', { token })
  await page.getByRole('row', { name: /sdb.*node2/ }).waitFor()
  await page.getByText(/you may not watch directcsidrives/).waitFor()
})

const read = (apiGroup: string, ...resources: string[]) => ({
  apiGroups: [apiGroup],
  resources,
  verbs: ['get', 'list'],
})

test('a failed list of drives is reported, with a link to direct-csi; nothing can be formatted [STO-08] [SHL-31]', async () => {
  const token = await browser.operator.newToken([read('', 'persistentvolumeclaims')])
  const page = await open('/storage/drives', { token })
  const banner = page.getByRole('alert').filter({ hasText: 'Error' })
  await banner.getByText('Error', { exact: true }).waitFor()
  await banner.getByText(/^Forbidden/).waitFor()
  await banner.getByRole('button', { name: 'Details' }).click()
  await banner.getByText(/cannot list resource "directcsi(drives|volumes)"/).waitFor()
  const notice = page.getByText(/To manage locally attached drives you need to install direct-csi/)
  expect(await notice.getByRole('link', { name: 'documentation' }).getAttribute('href')).toContain('direct-csi')
  for (const name of ['Format Selected Drives', 'Format All Drives'])
    expect(await page.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
})

test('without the right to format the missing right is shown', async () => {
  const token = await browser.operator.newToken([read('direct.csi.min.io', 'directcsidrives', 'directcsivolumes')])
  const page = await open('/storage/drives', { token })
  const all = page.getByRole('button', { name: 'Format All Drives' })
  await expect.poll(async () => await all.getAttribute('aria-disabled')).toBe('true')
  await all.focus()
  await page.getByRole('tooltip').getByText('update directcsidrives.direct.csi.min.io').waitFor()
})

test('a failed format is reported in the dialog, and the input is kept [SHL-31] [STO-13]', async () => {
  const page = await open('/storage/drives')
  await page.getByRole('button', { name: 'Format All Drives' }).click()
  const dialog = page.getByRole('dialog', { name: 'Format All Drives' })
  await dialog.getByLabel('Confirmation').fill('YES, PROCEED')
  await failCalls(page, { url: '**/api/v1/direct-csi/drives/format' }, 'no resources found globally', 404)
  await dialog.getByRole('button', { name: 'Format Drive(s)' }).click()
  const banner = dialog.getByRole('alert')
  await banner.getByText('Error', { exact: true }).waitFor()
  await banner.getByText('No resources found globally').waitFor()
  expect(await dialog.getByLabel('Confirmation').inputValue()).toBe('YES, PROCEED')
})
