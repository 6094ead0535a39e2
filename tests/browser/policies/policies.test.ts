import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { holdCalls } from '../../support/browser/page-calls.ts'
import { tableRow } from '../../support/browser/rows.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

const document = {
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Action: ['s3:GetObject', 's3:PutObject'], Resource: ['arn:aws:s3:::photos/*'] },
    { Sid: 'KeepBucket', Effect: 'Deny', Action: ['s3:DeleteBucket'], Resource: ['arn:aws:s3:::photos'] },
  ],
}

async function newPolicy(name = browser.target.freshName('policy')): Promise<string> {
  await browser.target.call('createPolicy', { body: { name, policy: JSON.stringify(document) } })
  return name
}

test('the page has its header, its search box and a button, and its rows by name [POL-01] [POL-02]', async () => {
  const stem = browser.target.freshName('policy')
  const [other, one] = [await newPolicy(`${stem}-b`), await newPolicy(`${stem}-a`)]
  const page = await open('/policies')
  await page.getByRole('heading', { name: 'IAM Policies', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Create Policy' }).waitFor()
  await page.getByPlaceholder('Search Policies').fill(stem)
  await tableRow(page, other).waitFor()
  const names = await page.getByRole('table').getByRole('link').allTextContents()
  expect(names.indexOf(one)).toBeLessThan(names.indexOf(other))
  await tableRow(page, one).hover()
  await tableRow(page, one)
    .getByRole('link', { name: `View ${one}` })
    .click()
  await page.waitForURL(`**/policies/${one}/summary`)
})

test('a policy is created from a built-in one, and deleted; the list follows [POL-02] [POL-03]', async () => {
  const name = browser.target.freshName('policy')
  const page = await open(`/policies?policies.filter=${name}`)
  await page.getByRole('button', { name: 'Create Policy' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Policy' })
  const save = dialog.getByRole('button', { name: 'Save' })
  await dialog.getByLabel('Start from').selectOption('readonly')
  await dialog.getByText('Valid').waitFor()
  expect(await save.isDisabled()).toBe(true)
  await dialog.getByLabel('Policy Name').fill('  ')
  expect(await save.isDisabled()).toBe(true)
  await dialog.getByLabel('Policy Name').fill(name)
  await save.click()
  await tableRow(page, name).waitFor()
  expect((await browser.target.call('getPolicy', { query: { name } })).policy).toContain('s3:GetObject')

  await tableRow(page, name).hover()
  await tableRow(page, name)
    .getByRole('button', { name: `Delete ${name}` })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Policy' }).click()
  await tableRow(page, name).waitFor({ state: 'detached' })
})

test('an invalid policy is marked while typing, and the server’s reason for refusing it is shown [POL-03]', async () => {
  const page = await open('/policies?create=policy')
  const dialog = page.getByRole('dialog', { name: 'Create Policy' })
  await dialog.getByLabel('Policy Name').fill(browser.target.freshName('policy'))
  await dialog
    .getByRole('textbox', { name: 'Write Policy' })
    .fill('{"Version":"2012-10-17","Statement":[{"Effect":"Maybe"}]}')
  // Next to its statement, and with its line below the editor.
  await dialog
    .getByText(/"Maybe" is not one of Allow, Deny/)
    .first()
    .waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').getByText('The policy is not valid').waitFor()
})

test('a policy’s page has breadcrumb, subtitle, sections, and lists its statements [POL-09] [POL-10] [POL-11] [POL-12]', async () => {
  const name = await newPolicy()
  const page = await open(`/policies/${name}`)
  await page.waitForURL(`**/policies/${name}/summary`)
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  await page.getByText('IAM Policy', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Refresh' }).waitFor()
  await page.getByRole('button', { name: 'Delete Policy' }).waitFor()
  const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  expect(await sections.allTextContents()).toEqual(['Summary', 'Users', 'Groups', 'JSON'])
  const first = page.getByRole('region', { name: 'Statement 1' })
  for (const text of ['Allow', 's3:GetObject', 's3:PutObject', 'arn:aws:s3:::photos/*'])
    await first.getByText(text, { exact: true }).first().waitFor()
  const second = page.getByRole('region', { name: 'KeepBucket' })
  for (const text of ['Deny', 's3:DeleteBucket', 'arn:aws:s3:::photos'])
    await second.getByText(text, { exact: true }).first().waitFor()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'IAM Policies' }).click()
  await page.waitForURL('**/policies')
})

test('users and groups of a policy are listed, searched and viewed [POL-13] [POL-14]', async () => {
  const policy = await newPolicy()
  const { accessKey: user } = await browser.target.newUser(allowS3(['s3:*']))
  const group = browser.target.freshName('group')
  await browser.target.call('createGroup', { body: { group, members: [] } })
  await browser.target.call('setPolicies', { body: { name: [policy], entityType: 'user', entityName: user } })
  await browser.target.call('setPolicies', { body: { name: [policy], entityType: 'group', entityName: group } })
  const page = await open(`/policies/${policy}/groups`)
  await tableRow(page, group).waitFor()
  await page.getByPlaceholder('Search Groups').fill('nothing')
  await tableRow(page, group).waitFor({ state: 'detached' })
  expect(await page.getByRole('columnheader').first().textContent()).toBe('Name')
  await page.getByRole('link', { name: 'Users' }).last().click()
  await page.getByPlaceholder('Search Users').fill(user)
  await tableRow(page, user).hover()
  await tableRow(page, user)
    .getByRole('link', { name: `View ${user}` })
    .click()
  await page.waitForURL(`**/users/${user}/groups`)
})

test('the raw policy is edited, cleared and saved [POL-17] [POL-18]', async () => {
  const name = await newPolicy()
  const page = await open(`/policies/${name}/json`)
  const raw = page.getByRole('region', { name: 'Raw Policy' })
  const editor = raw.getByRole('textbox', { name: 'Raw Policy' })
  const save = raw.getByRole('button', { name: 'Save' })
  await editor.getByText('KeepBucket').waitFor()
  await raw.getByRole('button', { name: 'Clear' }).click()
  await expect.poll(() => save.isDisabled()).toBe(true)
  await editor.fill(JSON.stringify(allowS3(['s3:ListBucket'])))
  const call = await holdCalls(page, { url: '**/api/v1/policies', method: 'POST' })
  await save.click()
  await expect.poll(() => save.getAttribute('data-loading')).toBe('true')
  await call.release()
  await page.getByText('Policy successfully updated').waitFor()
  expect((await browser.target.call('getPolicy', { query: { name } })).policy).toContain('s3:ListBucket')
})

test('a policy that is attached is not deleted, and the dialog links to its users', async () => {
  const { accessKey } = await browser.target.newUser(document)
  const [policy = ''] = (await browser.target.madmin.getUser(accessKey)).policies
  const page = await open(`/policies/${policy}/summary`)
  await page.getByRole('button', { name: 'Delete Policy' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete Policy' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('link', { name: 'Show its users' }).click()
  await tableRow(page, accessKey).waitFor()
})
