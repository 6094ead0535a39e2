import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { routeCalls } from '../../support/browser/page-calls.ts'

const { open } = useBrowser()

const license = {
  plan: 'STANDARD',
  organization: 'North Quay',
  storage_capacity: 50,
  expires_at: '2099-01-06 05:16:09 +0000 UTC',
  email: 'ops@example.com',
}
/** The answer of another console about a license issued by the vendor. */
const registered = (page: Page) =>
  routeCalls(page, '**/api/v1/subscription/info', (route) => route.fulfill({ json: license }))

test('the terms of the embedded store, and those of MinIO servers on demand with the full text [SUB-01] [SUB-02] [SUB-03] [SUB-04] [SUB-05] [SUB-06] [SUB-07] [SUB-08]', async () => {
  const page = await open('/license')
  await page.getByRole('heading', { name: 'License', exact: true }).waitFor()
  await page.getByRole('region', { name: 'Storage server' }).getByText('Apache License').waitFor()
  await page.getByText('About MinIO servers').click()
  const plans = page.getByRole('table', { name: 'Plans' })
  expect(await plans.getByRole('columnheader').allInnerTexts()).toEqual([
    expect.anything(),
    expect.stringMatching(/^Community\s+Open Source\s+Current plan$/),
    expect.stringMatching(/^Standard\s+\$10\/TB\/month$/),
    expect.stringMatching(/^Enterprise\s+\$20\/TB\/month$/),
  ])
  const cells = async (name: string) => await plans.getByRole('row', { name }).getByRole('cell').allInnerTexts()
  expect(await cells('License')).toEqual(['GNU AGPL v3', 'Commercial', 'Commercial'])
  expect(await cells('SLA')).toEqual(['No SLA', '<24 hours', '<1 hour'])
  expect(await cells('Capacity')).toEqual(['–', 'Up to 10PB', 'Up to 5PB'])
  expect(await cells('Panic button')).toEqual(['–', '1 per year', 'Unlimited'])
  expect(await cells('Software Release')).toEqual([
    'Update to latest',
    '1 Year Long Term Support',
    '5 Years Long Term Support',
  ])
  expect(await cells('Indemnification')).toEqual(['–', '–', 'Yes'])
  await page.getByText('All paid plans give 24x7 L4 engineering support').waitFor()
  expect(await plans.getByRole('link', { name: 'Subscribe' }).first().getAttribute('href')).toMatch(/\?ref=con$/)
  await page.getByRole('button', { name: 'Read the AGPL' }).click()
  await page.getByRole('dialog').getByText('END OF TERMS AND CONDITIONS').waitFor()
})

test('the licenses of the libraries are part of the program, each with its text', async () => {
  const page = await open('/license')
  await page.getByRole('button', { name: 'Notices of the libraries' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('fastify', { exact: true }).waitFor()
  await dialog.getByRole('searchbox', { name: 'Search libraries' }).fill('uplot')
  expect(await dialog.getByRole('listitem').count()).toBe(1)
  await dialog.getByText('uplot', { exact: true }).click()
  await dialog.getByText('Copyright (c) 2022 Leon Sorokin').waitFor()
  await dialog.getByRole('searchbox').fill('no such library')
  await dialog.getByText('No matches').waitFor()
})

/** Changes the version that the server reports. */
const versioned = (version: string) => (page: Page) =>
  routeCalls(page, '**/api/v1/session', async (route) => {
    const answer = await route.fetch()
    const session = await answer.json()
    await route.fulfill({ response: answer, json: { ...session, capabilities: [] } })
  }).then(() =>
    routeCalls(page, '**/api/v1/admin/info*', async (route) => {
      const answer = await route.fetch()
      const info = await answer.json()
      await route.fulfill({ response: answer, json: { ...info, servers: [{ ...info.servers[0], version }] } })
    }),
  )

test('the terms are those of the connected server: the AGPL for releases of MinIO, otherwise its own', async () => {
  const terms = async (version: string) => {
    const page = await open('/license', { before: versioned(version) })
    const text = page.getByRole('region', { name: 'Storage server' }).getByRole('paragraph').first()
    await text.waitFor()
    return await text.innerText()
  }
  expect(await terms('2025-10-15T17:29:55Z')).toContain('Affero General Public License')
  expect(await terms('1.0.0-alpha.77')).toContain('reports version 1.0.0-alpha.77, which is no release of MinIO')
})

test('a registered license is shown with its plan [SUB-01] [SUB-03] [SUB-11]', async () => {
  const page = await open('/license', { before: registered })
  const card = page.getByRole('region', { name: 'Storage server' })
  await card.getByText('North Quay').waitFor()
  const facts = (await card.innerText()).replace(/\s+/g, ' ')
  expect(facts).toContain('Registered Capacity 50 TiB')
  expect(facts).toContain('Expiry Date 2099-01-06')
  expect(facts).toContain('Requester ops@example.com')
  await page.getByText('About MinIO servers').click()
  await page.getByRole('columnheader', { name: /Standard.*Current plan/ }).waitFor()
  await page.getByRole('link', { name: 'Upgrade' }).waitFor()
})
