import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'

/* What two administrators do at the same time, and what is typed when a page is left. */

const browser = useBrowser()
const { open } = browser

const policyText = (action: string) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: [action], Resource: ['arn:aws:s3:::a/*'] }],
  })
const save = (name: string, action: string) =>
  browser.target.call('createPolicy', { body: { name, policy: policyText(action) } })
const read = async (name: string) => (await browser.target.call('getPolicy', { query: { name } })).policy
async function newPolicy(): Promise<string> {
  const name = browser.target.freshName('policy')
  await save(name, 's3:GetObject')
  return name
}

test('Create Policy with the name of an existing policy is refused with its name, and replaces nothing [POL-03]', async () => {
  const name = await newPolicy()
  const page = await open('/policies?create=policy')
  const dialog = page.getByRole('dialog', { name: 'Create Policy' })
  await dialog.getByLabel('Policy Name').fill(name)
  await dialog.getByLabel('Start from').selectOption('readwrite')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(`The policy ${name} already exists`).waitFor()
  expect(await read(name)).toContain('s3:GetObject')
})

test('the text of a policy stays when the tab is changed, and a second editor sees the first save before replacing it', async () => {
  const name = await newPolicy()
  const page = await open(`/policies/${name}/json`)
  const editor = page.getByRole('textbox', { name: 'Raw Policy' })
  await editor.fill(policyText('s3:PutObject'))
  const sections = page.getByRole('navigation', { name: 'Sections' })
  await sections.getByRole('link', { name: 'Summary' }).click()
  await page.waitForURL(`**/policies/${name}/summary`)
  await save(name, 's3:DeleteObject')
  await sections.getByRole('link', { name: 'JSON' }).click()
  await editor.getByText('s3:PutObject').waitFor()

  const saveButton = page.getByRole('button', { name: 'Save' })
  await saveButton.click()
  const notice = page.getByText('Somebody has changed this meanwhile')
  await notice.waitFor()
  await page.locator('pre').getByText('s3:DeleteObject').waitFor()
  expect(await read(name)).toContain('s3:DeleteObject')
  await saveButton.click()
  await page.getByText('Policy successfully updated').waitFor()
  expect(await read(name)).toContain('s3:PutObject')
})

test('Enable and Disable of a user send the status only, so that groups set meanwhile stay', async () => {
  const { accessKey: user } = await browser.target.newUser(JSON.parse(policyText('s3:GetObject')) as object)
  const page = await open(`/users/${user}`)
  await page.getByRole('button', { name: 'Disable' }).waitFor()
  const group = browser.target.freshName('group')
  await browser.target.call('createGroup', { body: { group, members: [user] } })
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('button', { name: 'Enable' }).waitFor()
  const { memberOf, status } = await browser.target.call('getUser', { query: { name: user } })
  expect([memberOf, status]).toEqual([[group], 'disabled'])
})

test('Escape asks before it discards a form; Cancel does not, and a form that was left by Back has its input', async () => {
  const page = await open('/users')
  const policies = page.getByRole('navigation').getByRole('link', { name: 'IAM Policies' }).first()
  await policies.click()
  await page.getByRole('button', { name: 'Create Policy' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Policy' })
  await dialog.getByLabel('Policy Name').fill('half-typed')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard Changes' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await dialog.getByLabel('Policy Name').inputValue()).toBe('half-typed')

  await page.goBack()
  await page.waitForURL('**/users')
  await dialog.waitFor({ state: 'detached' })
  await policies.click()
  await page.getByRole('button', { name: 'Create Policy' }).click()
  expect(await dialog.getByLabel('Policy Name').inputValue()).toBe('half-typed')

  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard Changes' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Create Policy' }).click()
  expect(await dialog.getByLabel('Policy Name').inputValue()).toBe('')
})
