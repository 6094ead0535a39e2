import { afterEach, expect, inject, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { recordCalls } from '../../support/browser/page-calls.ts'
import { stopClock } from '../../support/browser/page-clock.ts'
import { tableRow } from '../../support/browser/rows.ts'
import { ownStore } from '../../support/console/own-store.ts'

const browser = useBrowser()
const { open } = browser

const params = { name: 'api' }
afterEach(() => browser.target.call('resetConfig', { params, body: {} }))

const names = async (page: Awaited<ReturnType<typeof open>>) => await page.locator('[data-row-link]').allTextContents()

/** Returns the labels of all fields of a form, in order. */
const labels = async (page: Awaited<ReturnType<typeof open>>) => {
  const all = await page.locator('form').locator('label, [role=group] > div:first-child').allTextContents()
  // A switch has a second label without text.
  return all.filter((text) => text !== '')
}

/** Returns the labels of the fields with the error that they cannot be empty. */
const emptyFields = async (page: Awaited<ReturnType<typeof open>>) =>
  await page.getByText('Field cannot be empty').evaluateAll((all) =>
    all.map((error) => {
      const field = error.closest('form > div > *')
      return field?.querySelector('label, :scope > div:first-child')?.textContent
    }),
  )

test('the menu has three sections, and the first lists the eight kinds and what else the server has [CFG-01] [CFG-03] [SHL-16]', async () => {
  const page = await open('/dashboard')
  await page.getByRole('link', { name: 'Settings' }).click()
  await tableRow(page, 'region').waitFor()
  const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  expect(await sections.allTextContents()).toEqual(['Configurations', 'Lambda Notifications', 'Tiers'])
  const shown = await names(page)
  expect(shown.slice(0, 8)).toEqual([
    'region',
    'cache',
    'compression',
    'etcd',
    'identity_openid',
    'identity_ldap',
    'logger_webhook',
    'audit_webhook',
  ])
  expect(shown.slice(8)).toContain('api')
  await tableRow(page, 'cache').getByText('This server does not have this setting').waitFor()
})

/** A form: its fields in order, required ones, and initial values. */
interface Form {
  name: string
  labels: string[]
  required: string[]
  presets?: Record<string, string>
}

const FORMS: Form[] = [
  { name: 'region', labels: ['Server Location', 'Comment'], required: ['Server Location'] },
  {
    name: 'cache',
    labels: ['Drives', 'Expiry (days)', 'Quota (%)', 'Exclude', 'After', 'Watermark Low', 'Watermark High', 'Comment'],
    required: ['Drives'],
  },
  { name: 'compression', labels: ['Extensions', 'Mime Types'], required: [] },
  {
    name: 'etcd',
    labels: ['Endpoints', 'Path Prefix', 'Coredns Path', 'Client Cert', 'Client Cert Key', 'Comment'],
    required: ['Endpoints'],
  },
  { name: 'identity_openid', labels: ['Config URL', 'Client ID', 'Claim Name', 'Claim Prefix'], required: [] },
  {
    name: 'identity_ldap',
    labels: [
      'Server Addr',
      'Username Format',
      'Username Search Filter',
      'Group Search Filter',
      'Username Search Base DN',
    ].concat(['Group Name Attribute', 'STS Expiry', 'TLS Skip Verify', 'Server Insecure', 'Comment']),
    required: ['Server Addr', 'Username Format', 'Username Search Filter', 'Group Search Filter'],
    presets: { 'STS Expiry': '1h' },
  },
  { name: 'logger_webhook', labels: ['Endpoint', 'Auth Token'], required: ['Endpoint', 'Auth Token'] },
  { name: 'audit_webhook', labels: ['Endpoint', 'Auth Token'], required: ['Endpoint', 'Auth Token'] },
]

test('each form has its fields, starts with its defaults, and says which fields cannot be empty [CFG-07] [CFG-08] [CFG-09] [CFG-10] [CFG-11] [CFG-12] [CFG-14]', async () => {
  const page = await open('/settings')
  for (const { name, labels: expected, required, presets = {} } of FORMS) {
    await page.goto(`settings/configurations?edit=${name}`)
    await page.getByRole('button', { name: 'Save' }).waitFor()
    expect((await labels(page)).slice(0, expected.length), name).toEqual(expected)
    for (const [label, value] of Object.entries(presets)) {
      expect(await page.getByLabel(label, { exact: true }).inputValue(), `${name} ${label}`).toBe(value)
    }
    if (required.length === 0) continue
    for (const label of required) {
      const list = page.getByRole('group', { name: label, exact: true }).getByRole('textbox')
      const field = (await list.count()) > 0 ? list : page.getByLabel(label, { exact: true })
      await field.fill('')
      await field.blur()
    }
    // Save is disabled if the server does not have the setting; fields there are checked when they lose focus.
    const save = page.getByRole('button', { name: 'Save' })
    if ((await save.getAttribute('aria-disabled')) !== 'true') await save.click()
    await expect.poll(async () => [name, ...(await emptyFields(page))]).toEqual([name, ...required])
  }
})

ownStore.test('a form saves what was typed, and drops what stayed empty [CFG-07] [CFG-14]', async () => {
  const page = await open('/settings/configurations?edit=region')
  await page.getByLabel('Server Location').fill('us-east-1')
  await page.getByLabel('Comment').fill('of the test')
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.method() === 'PUT'),
    page.getByRole('button', { name: 'Save' }).click(),
  ])
  expect(request.postDataJSON()).toMatchObject({
    key_values: [
      { key: 'name', value: 'us-east-1' },
      { key: 'comment', value: 'of the test' },
    ],
  })
  await tableRow(page, 'cache').waitFor()
  await page.goto('settings/configurations?edit=logger_webhook')
  // Nothing listens there; log lines wait until the target is removed.
  await page.getByLabel('Endpoint').fill('http://hooks.invalid/log')
  await page.getByLabel('Auth Token').fill('topsecret')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved and in force').waitFor()
  const { targets } = await browser.target.call('getConfig', { params: { name: 'logger_webhook' } })
  const values = targets.find(({ target }) => target === '_')?.key_values
  expect(values?.slice(0, 2)).toMatchObject([
    { key: 'endpoint', value: 'http://hooks.invalid/log' },
    { key: 'auth_token', secret: true, isSet: true },
  ])
  for (const name of ['logger_webhook', 'region'])
    await browser.target.call('resetConfig', { params: { name }, body: {} })
})

test('a kind slides to its form for 0.3 s and back, and a save that needs a restart is announced [CFG-02] [CFG-04] [CFG-05] [CFG-06] [CFG-16]', async () => {
  const page = await open('/settings')
  await page.getByRole('link', { name: 'region', exact: true }).click()
  await page.getByRole('heading', { name: 'Edit Region Configuration' }).waitFor()
  const panel = page.locator('[class*=deeper]')
  expect(await panel.evaluate((element) => getComputedStyle(element).animationDuration)).toBe('0.3s')
  await page.getByRole('link', { name: 'Back To Configurations' }).click()
  await tableRow(page, 'cache').waitFor()
  expect(await page.locator('[class*=slide_back], [class*=back]').count()).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'region', exact: true }).click()
  await page.getByLabel('Server Location').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Field cannot be empty').waitFor()
  // A long form scrolls to the first field with an error.
  const isFocused = (element: Element) => element === document.activeElement
  await expect.poll(() => page.getByLabel('Server Location').evaluate(isFocused)).toBe(true)
  await page.getByLabel('Server Location').fill('us-east-1')
  await page.getByRole('button', { name: 'Save' }).click()
  await tableRow(page, 'cache').waitFor()
  await page.getByText('The instance needs to be restarted for configuration changes to take effect.').waitFor()
  await page.getByRole('button', { name: 'Restart' }).waitFor()
})

test('a setting that takes effect immediately needs no restart; an emptied key is reset to the default', async () => {
  const page = await open('/settings/configurations?edit=api')
  const field = page.getByLabel('requests_max')
  await field.fill('350')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved and in force').waitFor()
  expect(
    await page.getByText('The instance needs to be restarted for configuration changes to take effect.').count(),
  ).toBe(0)
  await page.getByRole('link', { name: 'api', exact: true }).click()
  await field.waitFor()
  expect(await field.inputValue()).toBe('350')
  await field.fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await tableRow(page, 'region').waitFor()
  const { key_values } = await browser.target.call('getConfig', { params })
  expect(key_values.find(({ key }) => key === 'requests_max')?.value).toBe('0')
})

test('Reset sets all values back to their defaults after a question', async () => {
  await browser.target.call('setConfig', { params, body: { key_values: [{ key: 'requests_max', value: '77' }] } })
  const page = await open('/settings/configurations?edit=api')
  await page.getByRole('button', { name: 'Reset' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reset Configuration' })
  await dialog.getByText('All values return to their defaults.').waitFor()
  await dialog.getByRole('button', { name: 'Reset Configuration' }).click()
  await page.getByText('Saved and in force').waitFor()
  await tableRow(page, 'region').waitFor()
  const { key_values } = await browser.target.call('getConfig', { params })
  expect(key_values.find(({ key }) => key === 'requests_max')?.value).toBe('0')
})

ownStore.test('a subsystem with several targets has a form for each; a target is added and deleted there', async () => {
  const name = 'audit_webhook'
  const page = await open(`/settings/configurations?edit=${name}`)
  const targets = page.getByRole('navigation', { name: 'Targets' }).getByRole('link')
  await targets.getByText('Add Target').click()
  await page.getByLabel('Identifier').fill('ops')
  await page.getByLabel('Endpoint').fill('http://hooks.invalid/audit')
  await page.getByLabel('Auth Token').fill('topsecret')
  await page.getByRole('button', { name: 'Save' }).click()
  await tableRow(page, name).getByRole('link').first().click()
  await targets.getByText('ops').click()
  await expect.poll(() => page.getByLabel('Endpoint').inputValue()).toBe('http://hooks.invalid/audit')
  await page.getByRole('button', { name: 'Delete Target' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Target' }).click()
  await tableRow(page, name).waitFor()
  const { targets: left } = await browser.target.call('getConfig', { params: { name } })
  expect(left.map(({ target }) => target)).not.toContain('ops')
})

test('an error of the server is shown at its field and in the snackbar, and can be corrected [CFG-20]', async () => {
  const page = await open('/settings/configurations?edit=api')
  const field = page.getByLabel('requests_max')
  await field.fill('many')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The storage server refuses the settings').first().waitFor()
  expect(await field.inputValue()).toBe('many')
  await field.fill('20')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved and in force').waitFor()
})

test('rows of a list are its value 500 ms after the last key [CFG-17]', async () => {
  const page = await open('/settings/configurations?edit=identity_ldap', { clock: true })
  const row = page.getByRole('group', { name: 'Username Format' }).getByRole('textbox').first()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => emptyFields(page)).toContain('Username Format')
  const clock = await stopClock(page)
  await row.fill('uid=%')
  await clock.run(400)
  // Another key press restarts the delay.
  await row.fill('uid=%s')
  await clock.run(499)
  expect(await emptyFields(page)).toContain('Username Format')
  await clock.run(1)
  await expect.poll(() => emptyFields(page)).not.toContain('Username Format')
})

test('rows of a list are saved without waiting for their time', async () => {
  const page = await open('/settings/configurations?edit=api')
  const group = page.getByRole('group', { name: 'cors_allow_origin' })
  await group.getByRole('textbox').first().fill('https://a.example')
  await group.getByRole('button', { name: 'Add a Row' }).click()
  await group.getByRole('textbox').nth(1).fill('https://b.example')
  const calls = recordCalls(page, /\/configs\/api$/)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved and in force').waitFor()
  expect(calls[0]).toBe('PUT /api/v1/configs/api')
  const { key_values } = await browser.target.call('getConfig', { params })
  const value = key_values.find(({ key }) => key === 'cors_allow_origin')?.value
  expect(value).toBe('https://a.example,https://b.example')
})

ownStore.test('a setting that the server does not have cannot be saved, and says why', async () => {
  const page = await open('/settings/configurations?edit=cache')
  const save = page.getByRole('button', { name: 'Save' })
  await save.waitFor()
  expect(await save.getAttribute('aria-disabled')).toBe('true')
  await page.getByText('This server does not have this setting').first().waitFor()
})

test('a change saved meanwhile by another user is shown, and not overwritten without confirmation', async () => {
  const page = await open('/settings/configurations?edit=api')
  await page.getByLabel('requests_max').fill('60')
  const body = { key_values: [{ key: 'requests_max', value: '50' }] }
  await browser.target.call('setConfig', { params, body })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Somebody has changed these settings meanwhile').first().waitFor()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('0 → 50').waitFor()
  await page.getByRole('button', { name: 'Save mine over them' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved and in force').waitFor()
  const { key_values } = await browser.target.call('getConfig', { params })
  expect(key_values.find(({ key }) => key === 'requests_max')?.value).toBe('60')
})

test('the history shows who changed what, and restores it after a look at the difference', async () => {
  for (const value of ['41', '42']) {
    await browser.target.call('setConfig', { params, body: { key_values: [{ key: 'requests_max', value }] } })
  }
  const page = await open('/settings')
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByText('requests_max 41 → 42').first().waitFor()
  await page.getByRole('link', { name: 'Back To Configurations' }).waitFor()
  await page.getByPlaceholder('Filter').fill('api')
  // Newest first. Only the embedded store tells who made a change.
  const rows = page.getByRole('row').filter({ hasText: 'requests_max' })
  if (inject('console').embedded) await rows.first().getByText(browser.target.rootUser).waitFor()
  await rows.nth(1).hover()
  await rows.nth(1).getByRole('button', { name: 'Restore' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('42 → 41').waitFor()
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { key_values } = await browser.target.call('getConfig', { params })
  expect(key_values.find(({ key }) => key === 'requests_max')?.value).toBe(inject('console').embedded ? '41' : '42')
})

test('the history shows a long change whole on a small screen', async () => {
  const origins = Array.from({ length: 12 }, (_, i) => `https://console-${i}.example.com`).join(',')
  await browser.target.call('setConfig', {
    params,
    body: { key_values: [{ key: 'cors_allow_origin', value: origins }] },
  })
  const page = await open('/settings/configurations?edit=:history', { width: 390, height: 844 })
  const change = page.getByText(`→ ${origins}`).first()
  await change.waitFor()
  const { right, bottom } = await change.evaluate((text) => {
    const cell = text.closest('td') as HTMLElement
    const [inner, outer] = [text.getBoundingClientRect(), cell.getBoundingClientRect()]
    return { right: outer.right - inner.right, bottom: outer.bottom - inner.bottom }
  })
  expect(Math.min(right, bottom)).toBeGreaterThanOrEqual(0)
})

test('the warning of Server Insecure [CFG-13]', async () => {
  const page = await open('/settings/configurations?edit=identity_ldap')
  const warning = page.getByText('Warning: All traffic with Active Directory will be unencrypted')
  await page.getByRole('button', { name: 'Save' }).waitFor()
  expect(await warning.count()).toBe(0)
  await page.getByRole('switch', { name: 'Server Insecure' }).check({ force: true })
  await warning.waitFor()
})
