import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { holdCalls, routeCalls } from '../../support/browser/page-calls.ts'
import { tableRow } from '../../support/browser/rows.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

test('the sidebar leads to the service accounts, below User [SHL-15]', async () => {
  const as = await browser.target.newUser(allowS3(['s3:*']))
  const page = await open('/object-browser', { as })
  const nav = page.getByRole('navigation', { name: 'Main' })
  const group = nav.getByRole('button', { name: 'User' })
  await nav.getByRole('link', { name: 'Object Browser' }).waitFor()
  await group.click()
  await nav.getByRole('link', { name: 'Service Accounts' }).waitFor({ state: 'hidden' })
  await group.click()
  await nav.getByRole('link', { name: 'Service Accounts' }).click()
  await page.waitForURL('**/account')
  await page.getByPlaceholder('Search Service Accounts').waitFor()
})

test('a service account’s keys are shown once, downloaded, and the account is listed and deleted [SVC-02] [SVC-04] [SVC-05] [SVC-07]', async () => {
  const as = await browser.target.newUser(allowS3(['s3:*']))
  const page = await open('/account', { as })
  await page.getByRole('button', { name: 'Create service account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Service Account' })
  const create = dialog.getByRole('button', { name: 'Create' })
  const call = await holdCalls(page, { url: '**/api/v1/service-accounts', method: 'POST' })
  await dialog.getByLabel('Name', { exact: true }).fill('nightly')
  await create.click()
  await expect.poll(() => create.getAttribute('data-loading')).toBe('true')
  await call.release()
  const shown = page.getByRole('dialog', { name: 'New Service Account Created' })
  await shown.waitFor()
  expect(await dialog.count()).toBe(0)
  const downloading = page.waitForEvent('download')
  await shown.getByRole('button', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('credentials.json')
  const file = JSON.parse(readFileSync(await download.path(), 'utf8')) as {
    console: { access_key: string; secret_key: string }[]
  }
  const caller = await browser.target.signIn(as.accessKey, as.secretKey)
  const [accessKey = ''] = await caller.call('listServiceAccounts', {})
  expect(file).toEqual({ console: [{ access_key: accessKey, secret_key: expect.stringMatching(/.{32,}/) }] })
  await shown.getByText(file.console[0]?.secret_key ?? '-').waitFor()
  // A wrong click must not lose them.
  await page.keyboard.press('Escape')
  await shown.getByRole('button', { name: 'Done' }).click()
  await shown.waitFor({ state: 'hidden' })
  await page.getByPlaceholder('Search Service Accounts').fill('nightly')
  await tableRow(page, accessKey).hover()
  await tableRow(page, accessKey)
    .getByRole('button', { name: `Delete ${accessKey}` })
    .click()
  const asked = page.getByRole('dialog', { name: /Delete ServiceAccount/ })
  await asked.getByRole('button', { name: 'Delete ServiceAccount' }).click()
  await tableRow(page, accessKey).waitFor({ state: 'detached' })
})

test('a service account has chosen keys and its own policy; afterwards the policy is read only [SVC-09] [SVC-10]', async () => {
  const as = await browser.target.newUser({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] },
      { Effect: 'Allow', Action: ['admin:UpdateServiceAccount'] },
    ],
  })
  const accessKey = browser.target.freshName('key').slice(0, 16)
  const page = await open('/account', { as })
  await page.getByRole('button', { name: 'Create service account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Service Account' })
  await dialog.getByLabel('Customize Credentials').click()
  expect(await dialog.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Access Key').fill(accessKey)
  await dialog.getByLabel('Secret Key').fill('a-secret-of-mine')
  await dialog.getByLabel('Restrict with policy').click()
  await dialog.getByRole('textbox', { name: 'Policy' }).fill(JSON.stringify(allowS3(['s3:GetObject'])))
  await dialog.getByRole('button', { name: 'Create' }).click()
  const shown = page.getByRole('dialog', { name: 'New Service Account Created' })
  await shown.getByText('a-secret-of-mine').waitFor()
  await shown.getByRole('button', { name: 'Done' }).click()
  await tableRow(page, accessKey).getByText('Restricted').waitFor()
  await tableRow(page, accessKey).hover()
  await tableRow(page, accessKey)
    .getByRole('button', { name: `Edit ${accessKey}` })
    .click()
  const edit = page.getByRole('dialog', { name: /Edit Service Account/ })
  const policy = edit.getByRole('textbox', { name: 'Policy' })
  await policy.getByText('s3:GetObject').waitFor()
  expect(await policy.getAttribute('aria-readonly')).toBe('true')
  await edit.getByLabel('Description').fill('Nightly backup')
  await edit.getByRole('switch', { name: 'Enabled' }).click()
  await edit.getByRole('button', { name: 'Save' }).click()
  await tableRow(page, accessKey).getByText('Disabled').waitFor()
  const account = await browser.target.call('getServiceAccount', { params: { accessKey } })
  expect(account).toMatchObject({ description: 'Nightly backup', status: 'disabled', inherits: false })
})

test('users change their own password, and the session continues [SVC-01] [SVC-04] [SVC-17] [SVC-18] [SVC-19]', async () => {
  const as = await browser.target.newUser(allowS3(['s3:*']))
  const page = await open('/account', { as })
  await page.getByRole('button', { name: 'Change Password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change Password' })
  const save = dialog.getByRole('button', { name: 'Save' })
  const current = dialog.getByLabel('Current Password')
  const [fresh, again] = [
    dialog.getByLabel('New Password', { exact: true }),
    dialog.getByLabel('Type New Password Again'),
  ]
  await fresh.fill('1234567')
  await again.fill('12345678')
  expect(await save.isDisabled()).toBe(true)
  await current.fill('not-the-secret')
  await save.click()
  await dialog.getByText('Passwords must be at least 8 characters long').waitFor()
  await dialog.getByText("New passwords don't match").waitFor()
  await fresh.fill('a-new-secret-key')
  await again.fill('a-new-secret-key')
  await save.click()
  await dialog.getByText('Error please check your current password').waitFor()
  await current.fill(as.secretKey)
  await save.click()
  await dialog.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByPlaceholder('Search Service Accounts').waitFor()
  await browser.target.signIn(as.accessKey, 'a-new-secret-key')
})

test('Change Password is there only when the session has its page [SVC-01]', async () => {
  const before = (page: import('playwright-core').Page) =>
    routeCalls(page, '**/api/v1/session', async (route) => {
      const session = (await (await route.fetch()).json()) as { pages: string[] }
      await route.fulfill({
        json: { ...session, pages: session.pages.filter((one) => one !== '/account/change-password') },
      })
    })
  const page = await open('/account', { before })
  await page.getByRole('button', { name: 'Create service account' }).waitFor()
  expect(await page.getByRole('button', { name: 'Change Password' }).count()).toBe(0)
})

test('sign out everywhere ends the session here and in other browsers', async () => {
  const as = await browser.target.newUser(allowS3(['s3:*']))
  const elsewhere = await browser.target.signIn(as.accessKey, as.secretKey)
  const page = await open('/account', { as })
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.waitForURL('**/login')
  expect((await elsewhere.send('getSession', {})).status).toBe(401)
})

test('a user who has no rights, because a group of it is disabled, is not offered to create service accounts', async () => {
  const { target } = browser
  const as = await target.newUser(allowS3(['s3:*']))
  const group = target.freshName('group')
  await target.call('createGroup', { body: { group, members: [as.accessKey] } })
  const create = async () => (await open('/account', { as })).getByRole('button', { name: 'Create service account' })
  const allowed = await create()
  await allowed.click()
  await allowed.page().getByRole('dialog', { name: 'Create Service Account' }).waitFor()
  await target.call('updateGroup', {
    query: { name: group },
    body: { group, members: [as.accessKey], status: 'disabled' },
  })
  const refused = await create()
  await expect.poll(() => refused.getAttribute('aria-disabled')).toBe('true')
  await refused.page().getByText('You have no rights: no policy applies to you.').waitFor({ state: 'attached' })
})
