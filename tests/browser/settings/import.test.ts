import { expect } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { ownStore } from '../../support/console/own-store.ts'

const browser = useBrowser()
const params = { name: 'audit_webhook' }

ownStore.test('an exported file is compared with the settings, and imported', async () => {
  const { target } = browser
  const name = target.freshName('import')
  const endpoint = 'http://hooks.invalid/before'
  const body = { key_values: [{ key: 'endpoint', value: endpoint }], arn_resource_id: name }
  await target.call('setConfig', { params, body })
  const page = await browser.open('/settings/configurations')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click()
  const stream = await (await download).createReadStream()
  const exported = Buffer.concat(await stream.toArray()).toString()
  // Other tests change other settings meanwhile, so only this target is imported.
  const line = exported.split('\n').find((each) => each.startsWith(`audit_webhook:${name} `)) ?? ''
  expect(line).toContain(endpoint)

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const file = page.locator('input[type=file]')
  const pick = (text: string) =>
    file.setInputFiles({ name: 'configuration.txt', mimeType: 'text/plain', buffer: Buffer.from(text) })
  await pick(`${line}\naudit_webhook:${name} nonsense=1\n`)
  await page.getByText('The file cannot be imported as it is').waitFor()
  expect(await page.getByRole('button', { name: 'Import', exact: true }).getAttribute('aria-disabled')).toBe('true')
  await pick(line.replace('/before', '/after'))
  await page.getByText(`${endpoint} → http://hooks.invalid/after`).waitFor()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('Saved and in force').waitFor()
  const { targets } = await target.call('getConfig', { params })
  const found = targets.find((each) => each.target === name)
  expect(found?.key_values.find(({ key }) => key === 'endpoint')?.value).toBe('http://hooks.invalid/after')
  await target.call('resetConfig', { params, body: { arn_resource_id: name } })
})
