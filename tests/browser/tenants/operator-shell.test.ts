import { resources } from '@stowage/kube'
import { afterAll, expect, test } from 'vitest'
import { tenantBody, useOperatorBrowser } from '../../support/browser/operator-browser.ts'
import { failCalls } from '../../support/browser/page-calls.ts'
import { startLicenses } from '../../support/operator/licenses.ts'

const licenses = await startLicenses()
afterAll(() => licenses[Symbol.dispose]())

const browser = useOperatorBrowser(
  { namespaces: [{ name: 'minio-operator' }] },
  { STOWAGE_LICENSE_KEY: licenses.keyFile },
)
const { open } = browser

test('the sidebar has one group with tenants, storage, license and documentation, and its own logo [SHL-18] [SHL-19] [SHL-20] [SHL-21] [SHL-23]', async () => {
  const page = await open('/tenants')
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('link', { name: 'Tenants' }).waitFor()
  const links = nav.getByRole('link')
  expect((await links.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
    'Tenants',
    'Storage',
    'License',
    'Documentation',
  ])
  const documentation = nav.getByRole('link', { name: /Documentation/ })
  expect(await documentation.getAttribute('target')).toBe('_blank')
  expect(await documentation.getAttribute('href')).toMatch(/\?ref=op$/)
  await nav.getByRole('button', { name: 'Operator' }).click()
  await expect.poll(async () => await links.count()).toBe(0)
  await page.getByRole('link', { name: 'Start page' }).getByRole('img', { name: 'Stowage Operator' }).waitFor()
})

test('storage and the sections of a tenant are pages of the shell [SHL-09]', async () => {
  const { operator: o } = browser
  const namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: tenantBody('media', namespace) })
  const tenant = `/namespaces/${namespace}/tenants/media`
  const page = await open('/storage')
  const current = page.getByRole('navigation', { name: 'Sections' }).locator('[aria-current="page"]')
  const sections = {
    '/storage/volumes': 'Volumes',
    '/storage/drives': 'Drives',
    [`${tenant}/summary`]: 'Summary',
    [`${tenant}/metrics`]: 'Metrics',
    [`${tenant}/security`]: 'Security',
    [`${tenant}/pools`]: 'Pools',
    [`${tenant}/pods`]: 'Pods',
    [`${tenant}/license`]: 'License',
  }
  for (const [path, label] of Object.entries(sections)) {
    await page.goto(path.slice(1))
    await current.getByText(label, { exact: true }).waitFor()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(path)
  }
})

test('a license is activated by its key or by an account, and refreshed without a message [SUB-09] [SUB-10] [SUB-13] [SUB-08]', async () => {
  const page = await open('/license')
  const subnet = page.getByRole('link', { name: 'Login to SUBNET' })
  expect(await subnet.getAttribute('href')).toBe('https://subnet.min.io/')
  await page.getByText('About MinIO servers').waitFor()
  expect(await page.getByRole('link', { name: 'Subscribe' }).first().getAttribute('href')).toMatch(/\?ref=op$/)
  expect(await page.getByRole('button', { name: 'Refresh Licence' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Activate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Activate License' })
  const activate = dialog.getByRole('button', { name: 'Activate', exact: true })
  expect(await activate.isDisabled()).toBe(true)
  await dialog.getByLabel('License Key').last().fill('  ')
  expect(await activate.isDisabled()).toBe(true)

  await dialog.getByText('SUBNET Account', { exact: true }).click()
  expect(await activate.isDisabled()).toBe(true)
  await dialog.getByLabel('Email').fill('ops@example.com')
  expect(await activate.isDisabled()).toBe(true)
  await dialog.getByLabel('Password', { exact: true }).fill('not-sent-anywhere')
  expect(await activate.isEnabled()).toBe(true)
  await dialog.getByLabel('Email').fill('')
  expect(await activate.isDisabled()).toBe(true)

  await dialog.getByText('License Key', { exact: true }).first().click()
  await dialog.getByLabel('License Key').last().fill('wrong')
  await activate.click()
  await dialog.getByText('Invalid license key').waitFor()
  await dialog.getByLabel('License Key').last().fill(licenses.license)
  await activate.click()
  await dialog.waitFor({ state: 'hidden' })
  const card = page.getByRole('region', { name: 'Tenants of the cluster' })
  await card.getByText('North Quay').waitFor()
  await page.getByRole('columnheader', { name: /Standard.*Current plan/ }).waitFor()

  await failCalls(page, { url: '**/api/v1/subscription/refresh' }, 'SUBNET does not answer')
  const refresh = page.getByRole('button', { name: 'Refresh Licence' })
  const read = page.waitForResponse('**/api/v1/subscription/info')
  await refresh.click()
  await read
  await card.getByText('North Quay').waitFor()
  expect(await page.getByText('SUBNET does not answer').count()).toBe(0)
  expect(await page.getByRole('alert').allInnerTexts()).toEqual([''])
})

test('without the right to read the cluster’s licence it cannot be activated, with the reason', async () => {
  const token = await browser.operator.newToken([])
  const page = await open('/license', { token })
  const activate = page.getByRole('button', { name: 'Activate' })
  await expect.poll(async () => await activate.getAttribute('aria-disabled')).toBe('true')
  await activate.focus()
  await page.getByRole('tooltip').getByText('get secrets').waitFor()
})

test('the palette opens a calculator of capacity and failures', async () => {
  const page = await open('/tenants')
  await page.getByRole('heading', { name: 'Tenants', exact: true }).waitFor()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('option', { name: /Erasure Code Calculator/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Erasure Code Calculator' })
  const first = dialog.getByLabel('Number of Servers')
  await expect.poll(async () => await first.evaluate((field) => field === document.activeElement)).toBe(true)
  await dialog.getByLabel('Number of Drives per Server').fill('4')
  await dialog.getByLabel('Erasure Code Parity').selectOption('EC:4')
  const erasure = dialog.getByRole('region', { name: 'Erasure Code Configuration' })
  for (const text of ['16', '100 GiB', '75 GiB']) await erasure.getByText(text, { exact: true }).waitFor()
  await dialog.getByLabel('Number of Servers').fill('17')
  await dialog.getByLabel('Number of Drives per Server').fill('1')
  await dialog.getByText('No erasure set fits so many servers and drives').waitFor()
})

test('a token that is revoked under an open page leads to sign-in, and what was typed is kept', async () => {
  const { admin, kube, newNamespace, newToken } = browser.operator
  const namespace = await newNamespace()
  await admin.call('createTenant', { body: tenantBody('kept', namespace) })
  const rule = (apiGroup: string, resource: string) => ({
    apiGroups: [apiGroup],
    resources: [resource],
    verbs: ['get', 'list', 'watch', 'update', 'patch', 'create', 'delete', 'deletecollection'],
  })
  const rules = [rule('minio.min.io', 'tenants'), rule('', 'secrets'), rule('', 'services'), rule('', 'pods')]
  const page = await open(`/namespaces/${namespace}/tenants/kept/configuration`, {
    token: await newToken(rules, namespace),
  })
  await page.getByRole('button', { name: 'Add Variable' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Variable' })
  await dialog.getByLabel('Variable').fill('MINIO_DOMAIN')
  await dialog.getByLabel('Value').fill('typed.example.com')

  const { objects } = await kube.list(resources.serviceAccounts, { namespace })
  const name = objects.map(({ metadata }) => metadata.name).find((each) => each.startsWith('account')) ?? ''
  await kube.delete(resources.serviceAccounts, { namespace, name })
  // The live connection of the page may notice it before the click, and then there is no dialog.
  await dialog
    .getByRole('button', { name: 'Save' })
    .click({ timeout: 2_000 })
    .catch(() => {})
  await page.getByRole('heading', { name: 'Operator Login' }).waitFor()
  await page.getByText('Your session has ended').waitFor()
  expect(await dialog.isVisible()).toBe(false)
  // The cookie is worth nothing any more.
  expect((await page.request.get('api/v1/session')).status()).toBe(401)

  await kube.create(resources.serviceAccounts, { metadata: { name, namespace } })
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } }
  const at = { namespace, name }
  const issued = await kube.createAt<{ status: { token: string } }>(resources.serviceAccounts, at, 'token', request)
  await page.getByLabel(/JWT/).fill(issued.status.token)
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  expect(await dialog.getByLabel('Variable').inputValue()).toBe('MINIO_DOMAIN')
  expect(await dialog.getByLabel('Value').inputValue()).toBe('typed.example.com')
  expect(await dialog.getByRole('alert').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('MINIO_DOMAIN saved').waitFor()
  const { environmentVariables } = await admin.call('getTenantConfiguration', { params: { namespace, tenant: 'kept' } })
  expect(environmentVariables).toContainEqual(
    expect.objectContaining({ key: 'MINIO_DOMAIN', value: 'typed.example.com' }),
  )
})
