import { readFile } from 'node:fs/promises'
import { tenants } from '@stowage/kube'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useOperatorBrowser } from '../../support/browser/operator-browser.ts'
import { recordCalls } from '../../support/browser/page-calls.ts'

const browser = useOperatorBrowser()
const { open } = browser

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true })
const step = (page: Page, name: string) => page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name })

/** The fields of each key store. */
const KEY_STORES = {
  Vault: [
    'Endpoint',
    'Engine',
    'Namespace',
    'Prefix',
    'App Role Engine',
    'AppRole ID',
    'AppRole Secret',
    'Retry (seconds)',
    'Ping (seconds)',
  ],
  GCP: ['Project ID', 'Endpoint', 'Client Email', 'Client ID', 'Private Key ID', 'Private Key'],
  AWS: ['Endpoint', 'Region', 'KMS Key', 'Access Key', 'Secret Key', 'Token'],
  Gemalto: ['Endpoint', 'Token', 'Domain', 'Retry (seconds)', 'CA Certificate'],
}

async function nameTenant(page: Page, name: string, namespace: string): Promise<void> {
  await page.getByLabel('Tenant Name').fill(name)
  await page.getByLabel('Namespace').fill(namespace)
  await expect.poll(async () => await next(page).isEnabled()).toBe(true)
}

async function saved(page: Page, button: string): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const file = await download
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('a tenant is created in three steps, and its keys are shown once [WIZ-01] [WIZ-03] [WIZ-04] [WIZ-05] [WIZ-07] [WIZ-35] [WIZ-36] [WIZ-37] [WIZ-38] [WIZ-54] [WIZ-57] [WIZ-58]', async () => {
  const { operator: o } = browser
  const namespace = await o.newNamespace()
  const page = await open('/tenants/add')
  await page.getByRole('heading', { name: 'Create New Tenant' }).waitFor()
  await page.getByRole('link', { name: 'Back To Tenants List' }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Steps' }).getByRole('listitem').count()).toBe(3)
  expect(await next(page).isDisabled()).toBe(true)
  await nameTenant(page, 'media', namespace)
  expect(await page.getByLabel('Storage Class').inputValue()).toBe('directpv-min-io')
  await page.getByLabel('Storage Class').selectOption('standard')
  await next(page).click()

  expect(await page.getByLabel('Number of Servers').inputValue()).toBe('4')
  expect(await page.getByLabel('Number of Drives per Server').inputValue()).toBe('1')
  expect(await page.getByLabel('Total Size').inputValue()).toBe('100')
  expect(await page.getByLabel('Memory per Node [Gi]').count()).toBe(0)
  await page.getByLabel('Number of Drives per Server').fill('2')
  const resources = page.getByRole('region', { name: 'Resource Allocation' })
  for (const text of ['13 GiB', '8', 'Memory per Node']) await resources.getByText(text, { exact: true }).waitFor()
  const erasure = page.getByRole('region', { name: 'Erasure Code Configuration' })
  for (const text of ['EC:4', '100 GiB', '50 GiB']) await erasure.getByText(text, { exact: true }).waitFor()
  await next(page).click()

  const preview = page.getByRole('region', { name: 'Preview Configuration' })
  for (const text of ['media', namespace, 'standard', '100 GiB'])
    await preview.getByText(text, { exact: true }).first().waitFor()
  await preview.getByText('media-env-configuration', { exact: true }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  const objects = preview.getByRole('heading', { name: 'Objects' })
  expect(await objects.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  const manifest = await saved(page, 'Download for kubectl')
  expect(manifest.name).toBe('media.yaml')
  expect(manifest.text.match(/^kind: Tenant$/gm)).toHaveLength(1)
  const answers = await saved(page, 'Download Answers')
  expect(answers.name).toBe('media-answers.yaml')
  expect(answers.text).toContain(`tenantName: "media"\n  namespace: "${namespace}"`)
  expect(answers.text).not.toContain('secretKeys')
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/v1/tenants'),
  )
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    name: 'media',
    namespace,
    enable_tls: true,
    expose_minio: true,
    erasureCodingParity: 4,
    pools: [
      {
        name: 'pool-0',
        servers: 4,
        volumes_per_server: 2,
        volume_configuration: { size: 13421772800, storage_class_name: 'standard' },
        resources: { requests: { memory: 2147483648 }, limits: { memory: 2147483648 } },
      },
    ],
  })
  const dialog = page.getByRole('dialog', { name: 'New Tenant Created' })
  await dialog.getByText('These credentials are not shown again.').waitFor()
  // Enter does not close the keys.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Download')
  expect(await preview.count()).toBe(1)
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const { console: keys } = JSON.parse(await readFile(await (await download).path(), 'utf8'))
  expect(keys).toEqual([
    { access_key: expect.stringMatching(/^\w{16}$/), secret_key: expect.stringMatching(/^\w{32}$/) },
  ])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.waitForURL(`**/namespaces/${namespace}/tenants/media/summary`)
  await page.getByText('Initialized').first().waitFor()

  // The namespace already has a tenant; a second one can be created elsewhere with the same settings.
  const again = await open('/tenants/add')
  await again.getByLabel('Start from').selectOption(`${namespace}/media`)
  await step(again, 'Configure').waitFor()
  await again.getByLabel('Tenant Name').fill('Media')
  await again.getByText("Name only can contain lowercase letters, numbers and '-'. Min. Length: 3").waitFor()
  await again.getByLabel('Namespace').fill(namespace)
  await again.getByText('You can only create one tenant per namespace').waitFor()
  await nameTenant(again, 'second', await o.newNamespace())
  expect(await again.getByLabel('Storage Class').inputValue()).toBe('standard')
  await step(again, 'Tenant Size').click()
  expect(await again.getByLabel('Number of Drives per Server').inputValue()).toBe('2')
  expect(await again.getByLabel('Total Size').inputValue()).toBe('100')
}, 240_000)

test('the wizard is driven by Enter alone; a key that is held and a double click never reach Create, and two presses make one tenant', async () => {
  const namespace = await browser.operator.newNamespace()
  const page = await open('/tenants/add')
  const creations = recordCalls(page, /\/api\/v1\/tenants$/)
  const made = () => creations.filter((call) => call.startsWith('POST'))
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await nameTenant(page, 'pressed', namespace)
  await page.getByLabel('Namespace').press('Enter')
  await page.getByRole('heading', { name: 'Tenant Size' }).waitFor()
  // The next Tab is at the first field.
  expect(await focused()).toBe('Tenant Size')
  await page.keyboard.press('Tab')
  expect(await page.getByLabel('Number of Servers').evaluate((field) => field === document.activeElement)).toBe(true)

  const preview = page.getByRole('heading', { name: 'Preview Configuration' })
  const create = page.getByRole('button', { name: 'Create', exact: true })
  for (const start of [page.getByLabel('Total Size'), next(page)]) {
    await start.focus()
    // Each further `down` is a repetition of the key.
    await page.keyboard.down('Enter')
    await preview.waitFor()
    for (let n = 0; n < 5; n++) await page.keyboard.down('Enter')
    // Not even with the focus on Create.
    await create.focus()
    for (let n = 0; n < 5; n++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await page.getByRole('button', { name: 'Back', exact: true }).click()
  }
  await next(page).dblclick()
  await preview.waitFor()
  expect([made(), await page.getByRole('dialog').count()]).toEqual([[], 0])

  // Both in one task: the page has no time to show that the first one runs.
  await create.evaluate((button: HTMLButtonElement) => {
    button.click()
    button.click()
  })
  await page.getByRole('dialog', { name: 'New Tenant Created' }).waitFor()
  expect(made()).toEqual(['POST /api/v1/tenants'])
}, 240_000)

test('on a phone the steps are a menu, and the buttons stay in view', async () => {
  const namespace = await browser.operator.newNamespace()
  const page = await open('/tenants/add', { width: 390, height: 844 })
  const opener = page.getByRole('button', { name: 'Step 1 of 3' })
  await opener.waitFor()
  expect(await step(page, 'Tenant Size').count()).toBe(0)
  await nameTenant(page, 'pocket', namespace)
  await opener.click()
  await step(page, 'Tenant Size').click()
  await page.getByRole('button', { name: 'Step 2 of 3' }).waitFor()
  expect(await step(page, 'Name Tenant').count()).toBe(0)
  const top = (await page.getByRole('heading', { name: 'Tenant Size' }).boundingBox())?.y ?? Number.NaN
  expect(top).toBeLessThan(240)
  const button = await next(page).boundingBox()
  expect((button?.y ?? Number.NaN) + (button?.height ?? 0)).toBeLessThanOrEqual(844)
})

test('a draft survives a reload and a sign-out, without its secrets, and can be started over [WIZ-06]', async () => {
  const namespace = await browser.operator.newNamespace()
  const page = await open('/tenants/add')
  await page.getByLabel('Advanced Mode').click()
  await nameTenant(page, 'kept', namespace)
  await step(page, 'Identity Provider').click()
  await page.getByLabel('Access Key').fill('anna-console')
  await page.getByLabel('Secret Key').fill('planted-secret')
  await page.reload()
  await page.getByText(/^This is your draft of 20\d\d-/).waitFor()
  await page.getByRole('heading', { name: 'Identity Provider' }).waitFor()
  expect(await page.getByLabel('Access Key').inputValue()).toBe('anna-console')
  expect(await page.getByLabel('Secret Key').inputValue()).toMatch(/^\w{32}$/)
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('planted-secret')

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByLabel(/JWT/).fill(browser.operator.sandbox.token)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Tenants', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Create Tenant' }).click()
  await step(page, 'Name Tenant').click()
  expect(await page.getByLabel('Tenant Name').inputValue()).toBe('kept')
  await page.getByRole('button', { name: 'Start Over' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start Over' }).click()
  await expect.poll(async () => await page.getByLabel('Tenant Name').inputValue()).toBe('')
  expect(await page.getByLabel('Advanced Mode').isChecked()).toBe(false)
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')))).toEqual([])
}, 240_000)

test('a namespace whose tenants cannot be listed is reported with the reason [WIZ-12]', async () => {
  const { operator: o } = browser
  const read = ['get', 'list']
  const token = await o.newToken([
    { apiGroups: [''], resources: ['nodes', 'resourcequotas', 'namespaces'], verbs: read },
    { apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: read },
  ])
  const page = await open('/tenants/add', { token })
  await page.getByLabel('Namespace').fill('elsewhere')
  const alert = page.getByRole('alert')
  await alert.getByText('Error validating if namespace already has tenants').waitFor()
  await alert.getByRole('button', { name: 'Details' }).click()
  await alert.getByText(/cannot list resource "tenants"/).waitFor()
  expect(await next(page).isDisabled()).toBe(true)
})

test('a namespace that does not exist is created with the tenant [WIZ-08] [WIZ-10] [WIZ-11]', async () => {
  const namespace = browser.operator.freshName('fresh')
  const page = await open('/tenants/add')
  await page.getByLabel('Tenant Name').fill('media')
  await page.getByLabel('Namespace').fill(namespace)
  await page.getByText('Please enter a valid namespace').waitFor()
  await page.getByRole('button', { name: 'Create namespace' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Namespace' })
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await expect.poll(async () => await next(page).isEnabled()).toBe(true)
})

test('the advanced steps check the input, and send it [WIZ-02] [WIZ-13] [WIZ-14] [WIZ-15] [WIZ-16] [WIZ-19] [WIZ-20] [WIZ-25] [WIZ-27] [WIZ-28] [WIZ-29] [WIZ-30] [WIZ-32] [WIZ-50] [WIZ-51] [WIZ-52] [WIZ-59] [WIZ-60] [SVC-06]', async () => {
  const { operator: o } = browser
  const namespace = await o.newNamespace()
  const page = await open('/tenants/add')
  await page.getByLabel('Advanced Mode').click()
  expect(await page.getByRole('navigation', { name: 'Steps' }).getByRole('listitem').allInnerTexts()).toEqual([
    'Name Tenant',
    'Configure',
    'Pod Affinity',
    'Identity Provider',
    'Security',
    'Encryption',
    'Tenant Size',
    'Preview Configuration',
  ])
  await nameTenant(page, 'advanced', namespace)
  await next(page).click()

  await page.getByLabel('Use custom image').click()
  await page.getByLabel("MinIO's Image").fill('nothing')
  await page.getByText("Format must be of form: 'minio/minio:VERSION'").waitFor()
  expect(await next(page).isDisabled()).toBe(true)
  await page.getByLabel("MinIO's Image").fill('minio/minio:RELEASE.2025-09-07T16-13-09Z')
  await page.getByLabel('Set Custom Image Registry').click()
  expect(await next(page).isDisabled()).toBe(true)
  await page.getByLabel('Endpoint').fill('registry.example.com')
  await page.getByLabel('Username').fill('anna')
  await page.getByLabel('Password').fill('secret')
  await page.getByLabel('Override Log Search defaults').click()
  // The class of the tenant, until another is chosen.
  expect(await page.getByLabel('Storage Class').inputValue()).toBe('directpv-min-io')
  await page.getByLabel('Volume Size').fill('0')
  await page.getByText('Volume size must be present and be greatter than 0').waitFor()
  await page.getByLabel('Volume Size').fill('7')
  // A step that is longer than the window scrolls by itself; the sidebar and the buttons stay in view.
  expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0)
  expect((await next(page).boundingBox())?.y).toBeLessThan(900)
  await page.getByLabel('Storage Class').selectOption('standard')
  await next(page).click()

  await page.getByLabel('Node Selector').click()
  await page.getByText('You need to add at least one label key-pair').waitFor()
  await page.getByLabel('Key', { exact: true }).selectOption('disktype')
  await page.getByLabel('Value', { exact: true }).selectOption('nvme')
  await page.getByLabel('With Pod Anti-Affinity').waitFor()
  await next(page).click()

  await page.getByText('OpenID', { exact: true }).click()
  expect(await next(page).isDisabled()).toBe(true)
  for (const [label, text] of [
    ['URL', 'https://idp.example.com'],
    ['Configuration URL', 'https://idp.example.com/.well-known/openid-configuration'],
    ['Client ID', 'stowage'],
    ['Secret ID', 'dont-tell'],
    ['Claim Name', 'policy'],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(text)
  await next(page).click()

  expect(await page.getByLabel('Autocert').isChecked()).toBe(true)
  await page.getByLabel('Autocert').click()
  expect(await next(page).isDisabled()).toBe(true)
  await page.getByLabel('Autocert').click()
  await next(page).click()

  await page.getByLabel('Enable Server Side Encryption').click()
  expect(await next(page).isDisabled()).toBe(true)
  for (const [store, labels] of Object.entries(KEY_STORES)) {
    await page.getByText(store, { exact: true }).click()
    for (const label of labels) await page.getByLabel(label, { exact: true }).waitFor()
  }
  await page.getByText('Vault', { exact: true }).click()
  await page.getByLabel('Custom Certificates').click()
  for (const name of [
    'Encryption service certificates',
    'Mutual TLS authentication',
    'Mutual TLS authentication with Vault',
  ])
    for (const file of ['Certificate', 'Private key'])
      await page.getByRole('group', { name, exact: true }).getByLabel(file).waitFor()
  await page.getByLabel('CA Certificate').waitFor()
  await page.getByLabel('Custom Certificates').click()
  await page.getByLabel('Endpoint').fill('https://vault.example.com:8200')
  await page.getByLabel('AppRole ID').fill('role')
  await page.getByLabel('AppRole Secret').fill('hidden')
  await page.getByLabel('Retry (seconds)').fill('-1')
  await page.getByText('Value needs to be 0 or greater').waitFor()
  await page.getByLabel('Retry (seconds)').fill('5')
  await next(page).click()

  await page.getByLabel('Memory per Node [Gi]').fill('4')
  await page.getByLabel('Number of Drives per Server').fill('4')
  await page.getByLabel('Erasure Code Parity').selectOption('EC:3')
  await next(page).click()
  await page.getByText('Enabled', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'New Tenant Created' })
  await dialog.getByText('Please Login via the configured external identity provider.').waitFor()
  const made = await o.kube.get(tenants, { namespace, name: 'advanced' })
  expect(made.spec).toMatchObject({
    image: 'minio/minio:RELEASE.2025-09-07T16-13-09Z',
    imagePullSecret: { name: 'advanced-regcred' },
    log: { audit: { diskCapacityGB: 7 } },
    kes: { kesSecret: { name: 'advanced-secret-kes-configuration' } },
    pools: [
      {
        servers: 4,
        volumesPerServer: 4,
        resources: { requests: { memory: '4Gi' } },
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'disktype', operator: 'In', values: ['nvme'] }] }],
            },
          },
        },
      },
    ],
  })
}, 240_000)

test('a required field that is empty is marked, and has an error only after the user left or changed it', async () => {
  const namespace = await browser.operator.newNamespace()
  const page = await open('/tenants/add')
  const errors = page.getByText('Field cannot be empty')
  const marks = page.getByText('Required', { exact: true })
  /** Expects that nothing is reported yet, but that the step cannot be left. */
  const isNew = async (required: number) => {
    await expect.poll(async () => await marks.count()).toBe(required)
    expect([await errors.count(), await next(page).isDisabled()]).toEqual([0, true])
  }
  await page.getByLabel('Tenant Name').waitFor()
  await isNew(2)
  await page.getByLabel('Namespace').press('Tab')
  await expect.poll(async () => await errors.count()).toBe(1)
  await nameTenant(page, 'marked', namespace)
  await page.getByLabel('Advanced Mode').click()
  await step(page, 'Identity Provider').click()
  await page.getByText('Active Directory', { exact: true }).click()
  await isNew(2)
  await page.getByText('OpenID', { exact: true }).click()
  await isNew(5)
  await page.getByText('Built-in', { exact: true }).click()
  await step(page, 'Encryption').click()
  await page.getByLabel('Enable Server Side Encryption').click()
  await isNew(3)
  // Left while it is empty.
  await page.getByLabel('Endpoint').press('Tab')
  await expect.poll(async () => await errors.count()).toBe(1)
  // Changed, and empty again.
  await page.getByLabel('AppRole ID').fill('role')
  await page.getByLabel('AppRole ID').fill('')
  await expect.poll(async () => await errors.count()).toBe(2)
  // Its endpoint is another field.
  await page.getByText('AWS', { exact: true }).click()
  await isNew(4)
  await page.getByRole('button', { name: 'Start Over' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start Over' }).click()
  await isNew(2)
})

test('keys, directories and sizes are checked with the texts of the specification [WIZ-09] [WIZ-21] [WIZ-22] [WIZ-23] [WIZ-24] [WIZ-40] [WIZ-41] [WIZ-42]', async () => {
  const namespace = await browser.operator.newNamespace()
  const page = await open('/tenants/add')
  await nameTenant(page, 'checked', namespace)
  await next(page).click()
  await page.getByLabel('Number of Servers').fill('3')
  await page.getByText('Number of servers must be at least 4').waitFor()
  await page.getByLabel('Number of Drives per Server').fill('0')
  await page.getByText('There must be at least one drive').waitFor()
  await page.getByLabel('Total Size').fill('1')
  await page.getByText(/^Volume size must be greater than 1Gi and less than/).waitFor()
  expect(await next(page).isDisabled()).toBe(true)
  await page.getByLabel('Number of Servers').fill('4')
  await page.getByLabel('Number of Drives per Server').fill('1')
  await page.getByLabel('Total Size').fill('100')
  await page.getByLabel('Advanced Mode').click()
  await page.getByLabel('Memory per Node [Gi]').fill('1')
  await page.getByText('Memory size must be greater than 2Gi').waitFor()
  await page.getByLabel('Memory per Node [Gi]').fill('1000')
  await page
    .getByText('The requested memory is greater than the max available memory for the selected number of nodes')
    .waitFor()
  await page.getByLabel('Memory per Node [Gi]').fill('2')
  await step(page, 'Identity Provider').click()
  expect((await page.getByLabel('Access Key').inputValue()).length).toBe(16)
  expect((await page.getByLabel('Secret Key').inputValue()).length).toBe(32)
  await page.getByLabel('Access Key').fill('short')
  await page.getByText('Keys must be at least length 8').waitFor()
  await page.getByText('Active Directory', { exact: true }).click()
  expect(await next(page).isDisabled()).toBe(true)
  await page.getByLabel('LDAP Server Address').fill('ldap.example.com:636')
  await page.getByLabel('User DN of an administrator').fill('uid=anna,dc=example,dc=com')
  await page.getByLabel('Server Insecure').click()
  await page.getByText('Warning: All traffic with Active Directory will be unencrypted').waitFor()
  expect(await next(page).isEnabled()).toBe(true)
}, 240_000)
