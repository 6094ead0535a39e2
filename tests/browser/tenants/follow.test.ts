import { defineResource, type KubeObject, resources, tenants } from '@stowage/kube'
import { afterEach, test } from 'vitest'
import { tenantBody, useOperatorBrowser } from '../../support/browser/operator-browser.ts'

const browser = useOperatorBrowser({
  drives: { manager: 'directpv', list: [{ node: 'node1', name: 'sdb', size: 2e12, status: 'Ready' }] },
})
const { open } = browser
afterEach(() => browser.operator.sandbox.setFaults([]))

const all = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]

test('the list is updated from the cluster without polling, and shows when the updates stop', async () => {
  const { operator: o } = browser
  const namespace = await o.newNamespace()
  const page = await open('/tenants')
  await page.getByText('There are no Tenants yet.').waitFor()
  await o.admin.call('createTenant', { body: tenantBody('watched', namespace) })
  await page.getByRole('link', { name: 'watched', exact: true }).waitFor()

  // With another token, because all pages with one token share a watch: it breaks, and is refused until the faults are removed.
  const on = { verb: 'watch', resource: 'tenants' }
  o.sandbox.setFaults([
    { on, times: 1, cutAfterMs: 100 },
    { on, status: 503 },
  ])
  const other = await open('/tenants', { token: await o.newToken(all) })
  await other.getByText(/Not followed since/).waitFor()
  await other.getByRole('link', { name: 'watched', exact: true }).waitFor()
  await o.kube.delete(tenants, { namespace, name: 'watched' })
  o.sandbox.setFaults([])
  await other.getByText('There are no Tenants yet.').waitFor()
  await other.getByText(/Not followed since/).waitFor({ state: 'hidden' })
})

test('an update of the version is shown by the number of pods that run it, until all do', async () => {
  const { operator: o } = browser
  const namespace = await o.newNamespace()
  const image = 'minio/minio:RELEASE.2025-09-07T16-13-09Z'
  await o.admin.call('createTenant', { body: { ...tenantBody('gamma', namespace), image } })
  const page = await open(`/namespaces/${namespace}/tenants/gamma/pods`)
  await page
    .getByRole('row', { name: /gamma-pool-0-3/ })
    .getByText('Running')
    .waitFor()
  const labels = { 'v1.min.io/tenant': 'gamma', 'v1.min.io/pool': 'pool-0' }
  const spec = { containers: [{ name: 'minio', image: 'minio/minio:old' }], nodeSelector: { no: 'where' } }
  await o.kube.create(resources.pods, { metadata: { name: 'gamma-old', namespace, labels }, spec })
  await page.getByText(`4 of 5 pods run ${image}`).waitFor()
  await o.kube.delete(resources.pods, { namespace, name: 'gamma-old' }, { gracePeriodSeconds: 0 })
  await page.getByText(`pods run ${image}`).waitFor({ state: 'hidden' })
})

test('a page of a tenant shows its pods as they are created and deleted', async () => {
  const { operator: o } = browser
  const namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: tenantBody('alpha', namespace) })
  const page = await open(`/namespaces/${namespace}/tenants/alpha/pods`)
  await page
    .getByRole('row', { name: /alpha-pool-0-3/ })
    .getByText('Running')
    .waitFor()
  const labels = { 'v1.min.io/tenant': 'alpha' }
  const spec = { containers: [{ name: 'minio', image: 'minio/minio:latest' }], nodeSelector: { no: 'where' } }
  await o.kube.create(resources.pods, { metadata: { name: 'alpha-late', namespace, labels }, spec })
  await page.getByRole('row', { name: /alpha-late/ }).waitFor()
  await o.kube.delete(resources.pods, { namespace, name: 'alpha-late' }, { gracePeriodSeconds: 0 })
  await page.getByRole('row', { name: /alpha-late/ }).waitFor({ state: 'hidden' })
})

test('the volumes and former tenants of the storage page are updated from the cluster', async () => {
  const { operator: o } = browser
  const namespace = await o.newNamespace()
  const page = await open('/storage/volumes')
  await page.getByRole('heading', { name: 'Volumes', exact: true }).waitFor()
  await page.getByPlaceholder('Search Volumes (PVCs)').fill('data0-late')
  const former = await open('/storage/former-tenants')
  await former.getByPlaceholder('Search Former Tenants').fill('late')
  await former.getByText('late').waitFor({ state: 'hidden' })
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '3Gi' } } }
  const metadata = { name: 'data0-late', namespace, labels: { 'v1.min.io/tenant': 'late' } }
  await o.kube.create(resources.persistentVolumeClaims, { metadata, spec })
  await page.getByRole('row', { name: /data0-late/ }).waitFor()
  await former.getByRole('row', { name: /late/ }).waitFor()
  await o.kube.delete(resources.persistentVolumeClaims, { namespace, name: 'data0-late' })
  await page.getByRole('row', { name: /data0-late/ }).waitFor({ state: 'hidden' })
  await former.getByRole('row', { name: /late/ }).waitFor({ state: 'hidden' })
})

test('the drives and free devices of DirectPV are updated from the cluster', async () => {
  const { kube } = browser.operator
  const page = await open('/storage/drives')
  await page.getByRole('row', { name: /sdb.*node1/ }).waitFor()
  const local = (kind: 'DirectPVDrive' | 'DirectPVNode') =>
    defineResource<KubeObject & { status: unknown }>({
      group: 'directpv.min.io',
      version: 'v1beta1',
      plural: `${kind.toLowerCase()}s`,
      kind,
      namespaced: false,
    })
  const labels = { 'directpv.min.io/node': 'node2', 'directpv.min.io/drive-name': 'sdy' }
  await kube.create(local('DirectPVDrive'), { metadata: { name: 'late', labels }, status: { totalCapacity: 2e12 } })
  await page.getByRole('row', { name: /sdy.*node2/ }).waitFor()
  const devices = [{ name: 'sdz', id: 'late', size: 2e12 }]
  await kube.create(local('DirectPVNode'), { metadata: { name: 'node3' }, status: { devices } })
  await page.getByRole('row', { name: /sdz.*node3/ }).waitFor()
})

test('without the right to watch, the page says that it does not show changes', async () => {
  const { operator: o } = browser
  const read = { apiGroups: ['minio.min.io'], resources: ['tenants'], verbs: ['get', 'list'] }
  const volumes = { apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: ['get', 'list'] }
  const token = await o.newToken([read, volumes])
  const page = await open('/tenants', { token })
  await page.getByText('Changes are not shown by themselves: you may not watch tenants.').waitFor()
  await page.goto('storage/volumes')
  await page.getByText('Changes are not shown by themselves: you may not watch persistentvolumeclaims.').waitFor()
})
