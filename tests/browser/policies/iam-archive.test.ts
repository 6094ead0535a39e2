import { readFile } from 'node:fs/promises'
import { readZip } from '@stowage/madmin/zip'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'

const browser = useBrowser()
const { open } = browser

const LIMITS = { entries: 100, entryBytes: 1e7, totalBytes: 1e7 }

test('an export is saved as a file, and imported again after its changes are shown', async () => {
  const name = browser.target.freshName('policy')
  const policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::photos/*'] }],
  })
  await browser.target.call('createPolicy', { body: { name, policy } })
  const page = await open('/policies')
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export Users and Policies' })
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^iam-\d{4}-\d\d-\d\d\.zip$/)
  const buffer = await readFile(await download.path())
  expect(
    readZip(buffer, LIMITS)
      .map(({ content }) => String(content))
      .join(),
  ).toContain(name)

  await browser.target.call('deletePolicy', { query: { name } })
  await page.getByRole('button', { name: 'Import' }).click()
  const importing = page.getByRole('dialog', { name: 'Import Users and Policies' })
  await importing.locator('input[type=file]').setInputFiles({ name: 'iam.zip', mimeType: 'application/zip', buffer })
  await importing.getByRole('button', { name: 'Show Changes' }).click()
  await importing.getByRole('list', { name: 'Changes' }).getByText(name).waitFor()
  expect(await missingPolicy(name), 'a preview changes nothing').toBe(true)
  await importing.getByRole('button', { name: 'Import', exact: true }).click()
  await importing.waitFor({ state: 'detached' })
  expect(await missingPolicy(name)).toBe(false)
})

const missingPolicy = async (name: string) =>
  (await browser.target.root.send('getPolicy', { query: { name } })).status === 404

test('a damaged file is refused in the dialog', async () => {
  const page = await open('/policies')
  await page.getByRole('button', { name: 'Import' }).click()
  const importing = page.getByRole('dialog', { name: 'Import Users and Policies' })
  const file = {
    name: 'iam.zip',
    mimeType: 'application/zip',
    buffer: Buffer.from('PK\u0003\u0004 and nothing more of an archive'),
  }
  await importing.locator('input[type=file]').setInputFiles(file)
  await importing.getByRole('button', { name: 'Show Changes' }).click()
  await importing.getByText('The file is not an archive of users and policies, or it is damaged.').waitFor()
})

test('without the rights both buttons are disabled', async () => {
  const caller = await browser.target.newUser({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['GetPolicy', 'DeletePolicy', 'CreatePolicy', 'AttachUserOrGroupPolicy', 'ListUserPolicies'].map(
          (action) => `admin:${action}`,
        ),
      },
    ],
  })
  const page = await open('/policies', { as: caller })
  for (const name of ['Export', 'Import']) {
    expect(await page.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
  }
})
