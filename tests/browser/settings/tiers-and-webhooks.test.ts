import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { clickRowAction, tableRow } from '../../support/browser/rows.ts'
import { ownStore } from '../../support/console/own-store.ts'

const browser = useBrowser()
const { open } = browser

test('the name of a tier is in upper case, and refused with the reason [TIR-08]', async () => {
  const page = await open('/settings/tiers?add=azure')
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('cold-1_a')
  expect(await name.inputValue()).toBe('COLD-1_A')
  await name.fill('a b')
  await page
    .getByText(
      'Please verify that string is uppercase only and contains valid characters (numbers, dashes & underscores).',
    )
    .waitFor()
})

test.each([
  ['logger', 'Logger Webhook'],
  ['audit', 'Audit Webhook'],
])(
  '/webhook/%s has a title, a filter, a way to add and names that can be edited [WHK-01] [WHK-02]',
  async (kind, title) => {
    const page = await open(`/webhook/${kind}`)
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await page.getByPlaceholder('Filter').waitFor()
    expect((await page.getByRole('columnheader').allTextContents())[0]).toBe('Name')
    await page.getByRole('button', { name: 'Add Webhook Configuration' }).click()
    await page.getByLabel('Endpoint').waitFor()
    await page.getByRole('link', { name: 'Back To Webhooks' }).click()
    await page.getByPlaceholder('Filter').waitFor()
  },
)

ownStore.test('a webhook is listed by name, and can be edited, turned off and deleted [WHK-03]', async () => {
  const params = { name: 'logger_webhook' }
  const endpoint = 'http://hooks.invalid/log'
  await browser.target.call('setConfig', {
    params,
    body: { key_values: [{ key: 'endpoint', value: endpoint }], arn_resource_id: 'ops' },
  })
  const page = await open('/webhook/logger')
  await tableRow(page, 'ops').getByText(endpoint).waitFor()
  await clickRowAction(page, 'ops', 'Edit')
  await page.getByLabel('Endpoint').fill(`${endpoint}/2`)
  await page.getByLabel('Auth Token').fill('topsecret')
  await page.getByRole('button', { name: 'Save' }).click()
  await tableRow(page, 'ops').getByText(`${endpoint}/2`).waitFor()
  await clickRowAction(page, 'ops', 'Disable')
  await tableRow(page, 'ops').getByText('Disabled').waitFor()
  await clickRowAction(page, 'ops', 'Enable')
  await tableRow(page, 'ops').getByText('Enabled').waitFor()
  await clickRowAction(page, 'ops', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Target' }).click()
  await tableRow(page, 'ops').waitFor({ state: 'detached' })
  const { targets } = await browser.target.call('getConfig', { params })
  expect(targets.map(({ target }) => target)).not.toContain('ops')
})

test('/webhook/ with any other name shows nothing [WHK-01]', async () => {
  const page = await open('/webhook/nonsense')
  await page.getByRole('navigation').first().waitFor()
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0)
})
