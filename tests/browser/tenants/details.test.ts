import { resources } from '@stowage/kube'
import { createAuthority } from '@stowage/sandbox-kube/pki'
import { afterAll, expect, test } from 'vitest'
import { tenantBody, useOperatorBrowser } from '../../support/browser/operator-browser.ts'
import { recordCalls } from '../../support/browser/page-calls.ts'
import { startLicenses } from '../../support/operator/licenses.ts'

const licenses = await startLicenses()
afterAll(() => licenses[Symbol.dispose]())
const browser = useOperatorBrowser({}, { STOWAGE_LICENSE_KEY: licenses.keyFile })
const { open } = browser

async function newTenant(name: string, body: object = {}) {
  const { newNamespace, admin } = browser.operator
  const namespace = await newNamespace()
  await admin.call('createTenant', { body: { ...tenantBody(name, namespace), ...body } })
  return { namespace, tenant: name }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

test('a tenant is read when it is opened, when another is opened, and on Refresh; the summary comes first [TNT-10]', async () => {
  const [first, second] = [await newTenant('first'), await newTenant('second', { enable_tls: false })]
  const page = await open(`/namespaces/${first.namespace}/tenants/first`)
  const reads = recordCalls(page, /\/api\/v1\/namespaces\/[^/]+\/tenants\/[^/]+$/)
  await page.waitForURL('**/summary')
  await page.getByRole('heading', { name: 'first' }).waitFor()
  await page.getByRole('region', { name: 'Details' }).waitFor()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Tenants' }).click()
  await page.getByRole('link', { name: 'second', exact: true }).click()
  await page.getByRole('heading', { name: 'second' }).waitFor()
  const tls = page.getByRole('region', { name: 'Features' }).locator('dt:has-text("MinIO TLS") + dd')
  await tls.getByText('Disabled').waitFor()
  const path = `GET /api/v1/namespaces/${second.namespace}/tenants/second`
  expect(reads).toContain(path)
  await browser.operator.admin.call('updateTenantIdentityProvider', {
    params: second,
    body: { active_directory: { url: 'ldap.example:636', user_dns: [] } },
  })
  await page.getByRole('button', { name: 'Refresh' }).click()
  const directory = page.getByRole('region', { name: 'Features' }).locator('dt:has-text("Active Directory") + dd')
  await directory.getByText('Enabled').waitFor()
})

test('certificates are chips that can be removed, and rows of files that are added [TNT-23]', async () => {
  const params = await newTenant('certs')
  const [own, other, authority] = await Promise.all(['own', 'other', 'trusted'].map((name) => createAuthority(name)))
  if (!own || !other || !authority) throw new Error('no certificates')
  const { admin } = browser.operator
  const customCertificates = {
    minio: [{ crt: base64(own.cert), key: base64(own.key) }],
    minioCAs: [base64(authority.cert)],
  }
  await admin.call('updateTenantSecurity', { params, body: { autoCert: true, customCertificates } })
  const before = await admin.call('getTenantSecurity', { params })
  const [chip] = before.customCertificates.minio
  if (!chip) throw new Error('no certificate')
  const page = await open(`/namespaces/${params.namespace}/tenants/certs/security`)
  const servers = page.getByRole('group', { name: 'MinIO Certificates' })
  await servers.getByText(chip.name).waitFor()
  await servers.getByText(`ends ${chip.expiry.slice(0, 4)}-`).waitFor()
  const authorities = page.getByRole('group', { name: 'MinIO CA Certificates' })
  await authorities.getByText(/ends \d{4}-\d\d-\d\d/).waitFor()
  expect(await authorities.getByLabel('Private key').count()).toBe(0)
  expect(await servers.getByRole('button', { name: 'Remove', exact: true }).isDisabled()).toBe(true)
  await servers.getByRole('button', { name: 'Add Certificate' }).click()
  expect(await servers.getByRole('button', { name: 'Certificate', exact: true }).count()).toBe(2)
  await servers.getByRole('button', { name: 'Remove', exact: true }).first().click()
  await servers.getByRole('button', { name: `Remove ${chip.name}` }).click()
  await servers.getByText(chip.name).waitFor({ state: 'hidden' })

  const files = page.locator('input[type=file]')
  const file = (name: string, text: string) => ({ name, mimeType: 'application/x-pem-file', buffer: Buffer.from(text) })
  await files.nth(0).setInputFiles(file('own.crt', other.cert))
  await files.nth(1).setInputFiles(file('own.key', other.key))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Save and Restart' })
  await dialog.getByRole('button', { name: 'Save and Restart' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const after = await admin.call('getTenantSecurity', { params })
  expect(after.customCertificates.minioCAs).toEqual(before.customCertificates.minioCAs)
  expect(after.customCertificates.minio.map(({ name }) => name)).not.toContain(chip.name)
  await servers.getByText(after.customCertificates.minio[0]?.name ?? 'none').waitFor()
})

test('a tenant without a license links to its registration, and shows a registered one [TNT-39] [TNT-40]', async () => {
  const { kube } = browser.operator
  const params = await newTenant('licensed')
  const path = `/namespaces/${params.namespace}/tenants/licensed/license`
  const page = await open(path)
  await page.getByRole('link', { name: 'Activate Product' }).waitFor()
  expect(await page.getByRole('link', { name: 'Activate Product' }).getAttribute('href')).toMatch(/\/license$/)
  await kube.create(resources.namespaces, { metadata: { name: 'minio-operator' } })
  const data = { CONSOLE_SUBNET_LICENSE: base64(licenses.license) }
  await kube.create(resources.secrets, { metadata: { name: 'subnet-license', namespace: 'minio-operator' }, data })
  await page.reload()
  await page.getByRole('button', { name: 'Attach License' }).click()
  await page.getByText('licensed: license attached').waitFor()
  for (const [name, value] of [
    ['License', 'Commercial License'],
    ['Organization', 'North Quay'],
    ['Registered Capacity', '50 TiB'],
    ['Expiry Date', '2099-01-01'],
    ['Subscription Plan', 'STANDARD'],
    ['Requester', 'ops@example.com'],
  ] as const)
    expect([name, await page.locator(`dt:text-is("${name}") + dd`).innerText()]).toEqual([name, value])
})

test('the identity provider of a tenant is changed, and a secret that is not entered again is kept', async () => {
  const { admin, kube } = browser.operator
  const oidc = { configuration_url: 'https://idp.example/old', client_id: 'old', secret_id: 'planted', claim_name: 'p' }
  const params = await newTenant('people', { idp: { oidc } })
  const page = await open(`/namespaces/${params.namespace}/tenants/people/identity-provider`)
  const save = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Save and Restart' })
    await dialog.getByRole('button', { name: 'Save and Restart' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  expect(await page.getByLabel('Secret ID').inputValue()).toBe('')
  await page.getByLabel('Client ID').fill('new')
  await save()
  const configuration = async () => {
    const at = { namespace: params.namespace, name: 'people-env-configuration' }
    const { data } = await kube.get(resources.secrets, at)
    return Buffer.from(data?.['config.env'] ?? '', 'base64').toString('utf8')
  }
  expect(await configuration()).toContain('OPENID_CLIENT_ID="new"')
  expect(await configuration()).toContain('OPENID_CLIENT_SECRET="planted"')

  await page.getByText('Active Directory', { exact: true }).click()
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
  await page.getByLabel('LDAP Server Address').fill('ldap.example:636')
  await page.getByLabel('Server Insecure').click()
  await page.getByText('Warning: All traffic with Active Directory will be unencrypted').waitFor()
  await save()
  expect(await admin.call('getTenant', { params })).toMatchObject({ idpAdEnabled: true, idpOidcEnabled: false })
  expect(await configuration()).not.toContain('planted')
})

test('a key server is added to a tenant, shown and removed', async () => {
  const { admin } = browser.operator
  const params = await newTenant('sealed')
  const page = await open(`/namespaces/${params.namespace}/tenants/sealed/encryption`)
  await page.getByLabel('Enable Server Side Encryption').click()
  const save = page.getByRole('button', { name: 'Save', exact: true })
  expect(await save.isDisabled()).toBe(true)
  await page.getByLabel('Endpoint').fill('https://vault.example:8200')
  await page.getByLabel('AppRole ID').fill('role')
  await page.getByLabel('AppRole Secret').fill('planted')
  await save.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save and Restart' }).click()
  await page.locator('dt:text-is("Key store") + dd').getByText('vault').waitFor()
  await page.locator('dt:text-is("Endpoint") + dd').getByText('https://vault.example:8200').waitFor()
  expect(await page.content()).not.toContain('planted')
  await page.getByRole('button', { name: 'Disable Encryption' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click()
  await page.getByLabel('Enable Server Side Encryption').waitFor()
  expect((await admin.call('getTenantEncryption', { params })).enabled).toBe(false)
})
