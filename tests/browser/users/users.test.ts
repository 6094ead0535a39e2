import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { tableRow } from '../../support/browser/rows.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

const secretKey = 'a-secret-of-users'

async function newUser(more: { groups?: string[]; policies?: string[] } = {}): Promise<string> {
  const accessKey = browser.target.freshName('user')
  await browser.target.call('createUser', { body: { accessKey, secretKey, groups: [], policies: [], ...more } })
  return accessKey
}

async function newGroup(): Promise<string> {
  const group = browser.target.freshName('group')
  await browser.target.call('createGroup', { body: { group, members: [] } })
  return group
}

test('a user is created with a secret key that is long enough [USR-01] [USR-13] [USR-16] [USR-17]', async () => {
  const name = browser.target.freshName('user')
  const page = await open('/users')
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  await page.getByPlaceholder('Search Users').waitFor()
  await page.getByRole('button', { name: 'Create User' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create User' })
  const save = dialog.getByRole('button', { name: 'Save' })
  await dialog.getByLabel('Access Key').fill(name)
  expect(await save.isDisabled()).toBe(true)
  await dialog.getByLabel('Secret Key').fill('1234567')
  await save.click()
  await dialog.getByText('Passwords must be at least 8 characters long').waitFor()
  await dialog.getByLabel('Secret Key').fill(secretKey)
  await dialog.getByRole('textbox', { name: 'Search Policies' }).fill('readonly')
  await dialog.getByRole('checkbox', { name: 'readonly' }).check()
  await save.click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByPlaceholder('Search Users').fill(name)
  await tableRow(page, name).getByText('readonly').waitFor()
  expect(await browser.target.call('getUser', { query: { name } })).toMatchObject({ policy: ['readonly'] })
})

test('checked users are added to a group [USR-02] [USR-03] [USR-13] [USR-18]', async () => {
  const users = [await newUser(), await newUser()]
  const group = await newGroup()
  const page = await open('/users')
  const add = page.getByRole('button', { name: 'Add to Group' })
  await page.getByRole('columnheader', { name: 'Access Key' }).waitFor()
  expect(await add.getAttribute('aria-disabled')).toBe('true')
  expect((await page.getByRole('columnheader').allTextContents()).slice(1, 2)).toEqual(['Access Key'])
  for (const user of users) {
    await page.getByPlaceholder('Search Users').fill(user)
    await page.getByLabel(`Select ${user}`).check()
  }
  await page.getByPlaceholder('Search Users').fill('')
  await page.getByRole('status').getByText('2 selected').waitFor()
  await add.click()
  const dialog = page.getByRole('dialog', { name: 'Add Users to Group' })
  const save = dialog.getByRole('button', { name: 'Save' })
  expect(await save.isDisabled()).toBe(true)
  await dialog.getByRole('textbox', { name: 'Search Groups' }).fill(group)
  await dialog.getByRole('checkbox', { name: group }).check()
  await dialog.getByRole('checkbox', { name: group }).uncheck()
  await dialog.getByText('You need to select at least one group to assign').waitFor()
  await dialog.getByRole('checkbox', { name: group }).check()
  await save.click()
  await dialog.waitFor({ state: 'hidden' })
  expect((await browser.target.call('getGroup', { query: { name: group } })).members).toEqual(users.toSorted())
})

test('rows open and delete a user, but never the signed-in one [USR-03] [USR-04]', async () => {
  const admin = await browser.target.newUser({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['admin:*'] }],
  })
  const user = await newUser()
  const page = await open('/users', { as: admin })
  await page.getByPlaceholder('Search Users').fill(admin.accessKey)
  await tableRow(page, admin.accessKey).hover()
  const own = tableRow(page, admin.accessKey).getByRole('button', { name: `Delete ${admin.accessKey}` })
  expect(await own.getAttribute('aria-disabled')).toBe('true')
  await page.getByPlaceholder('Search Users').fill(user)
  await tableRow(page, user).hover()
  await tableRow(page, user)
    .getByRole('link', { name: `View ${user}` })
    .waitFor()
  await tableRow(page, user)
    .getByRole('button', { name: `Delete ${user}` })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete User' }).click()
  await tableRow(page, user).waitFor({ state: 'detached' })
})

test('a user’s page has breadcrumb, status and sections; the button changes the status immediately [USR-05] [USR-06] [USR-07] [USR-08] [USR-09]', async () => {
  const group = await newGroup()
  const user = `${browser.target.freshName('user')}/with slash`
  await browser.target.call('createUser', { body: { accessKey: user, secretKey, groups: [group], policies: [] } })
  // With a plain slash and an encoded one.
  const page = await open(`/users/${user}`)
  await page.waitForURL(`**/users/${encodeURIComponent(user)}/groups`)
  await page.getByRole('heading', { name: user, level: 1 }).waitFor()
  await page.getByText('Status: Enabled').waitFor()
  const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  expect(await sections.allTextContents()).toEqual(['Groups', 'Service Accounts', 'Policies'])
  await page.getByRole('button', { name: 'Delete User' }).waitFor()
  await page.getByRole('button', { name: 'Change Password' }).waitFor()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Status: Disabled').waitFor()
  expect(await browser.target.call('getUser', { query: { name: user } })).toMatchObject({
    status: 'disabled',
    memberOf: [group],
  })
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('Status: Enabled').waitFor()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Users' }).click()
  await page.waitForURL('**/users')
})

test('groups of a user are listed and set [USR-10] [USR-13]', async () => {
  const [old, fresh] = [await newGroup(), await newGroup()]
  const user = await newUser({ groups: [old] })
  const page = await open(`/users/${user}/groups`)
  await tableRow(page, old).waitFor()
  await page.getByRole('button', { name: 'Add to Groups' }).click()
  const dialog = page.getByRole('dialog', { name: /Set Groups/ })
  await dialog.getByRole('checkbox', { name: old }).uncheck()
  await dialog.getByRole('textbox', { name: 'Search Groups' }).fill(fresh)
  await dialog.getByRole('checkbox', { name: fresh }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await tableRow(page, fresh).waitFor()
  expect((await browser.target.call('getUser', { query: { name: user } })).memberOf).toEqual([fresh])
})

test('policies of a user are listed, set and viewed [USR-12] [USR-13]', async () => {
  const user = await newUser({ policies: ['readonly'] })
  const page = await open(`/users/${user}/policies`)
  await tableRow(page, 'readonly').waitFor()
  await page.getByRole('button', { name: 'Assign Policies' }).click()
  const dialog = page.getByRole('dialog', { name: /Set Policies/ })
  await dialog.getByRole('checkbox', { name: 'readonly' }).uncheck()
  await dialog.getByRole('textbox', { name: 'Search Policies' }).fill('diagnostics')
  await dialog.getByRole('checkbox', { name: 'diagnostics' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await tableRow(page, 'diagnostics').hover()
  await tableRow(page, 'diagnostics').getByRole('link', { name: 'View diagnostics' }).click()
  await page.waitForURL('**/policies/diagnostics/summary')
})

test('a service account of a user is created, shown once and listed [USR-11]', async () => {
  const user = await newUser()
  const page = await open(`/users/${user}/service-accounts`)
  await page.getByRole('button', { name: 'Create service account' }).click()
  await page
    .getByRole('dialog', { name: /Create Service Account/ })
    .getByRole('button', { name: 'Create' })
    .click()
  const shown = page.getByRole('dialog', { name: 'New Service Account Created' })
  await shown.getByRole('button', { name: 'Done' }).click()
  const [accessKey = ''] = await browser.target.call('listUserServiceAccounts', { params: { user } })
  await page.getByRole('cell', { name: accessKey, exact: true }).waitFor()
})

test('the password of a user is changed if both entries are equal [USR-08] [USR-13] [USR-19] [USR-20]', async () => {
  const user = await newUser()
  const page = await open(`/users/${user}`)
  await page.getByRole('button', { name: 'Change Password' }).click()
  const dialog = page.getByRole('dialog', { name: /Change User Password/ })
  const save = dialog.getByRole('button', { name: 'Save' })
  const [fresh, again] = [
    dialog.getByLabel('New Password', { exact: true }),
    dialog.getByLabel('Type New Password Again'),
  ]
  await fresh.fill('short')
  expect(await save.isDisabled()).toBe(true)
  await again.fill('shirt')
  expect(await save.isDisabled()).toBe(true)
  await again.fill('short')
  await save.click()
  await dialog.getByText('Passwords must be at least 8 characters long').waitFor()
  await fresh.fill('a-new-secret-key')
  await again.fill('a-new-secret-key')
  await save.click()
  await dialog.waitFor({ state: 'hidden' })
  await browser.target.signIn(user, 'a-new-secret-key')
})

test('without the right to list users there is no item for them, and the URL leads elsewhere', async () => {
  const as = await browser.target.newUser(allowS3(['s3:*']))
  const page = await open('/users', { as })
  await page.waitForURL('**/buckets')
  expect(await page.getByRole('link', { name: 'Users', exact: true }).count()).toBe(0)
})

test('on a phone the list names the groups of a user, and a user without policies and groups has a dash', async () => {
  const group = await newGroup()
  const users = {
    grouped: await newUser({ groups: [group] }),
    both: await newUser({ groups: [group], policies: ['readonly'] }),
    bare: await newUser(),
  }
  const page = await open('/users', { width: 390, height: 844 })
  const rowLines = async (user: string) => {
    await page.getByPlaceholder('Search Users').fill(user)
    await tableRow(page, user).waitFor()
    return (await tableRow(page, user).innerText()).split('\n').filter((line) => line.trim() !== '')
  }
  expect(await rowLines(users.grouped)).toEqual([users.grouped, 'Enabled', `Groups: ${group}`])
  expect(await rowLines(users.both)).toEqual([users.both, 'Enabled', `Groups: ${group}`, 'readonly'])
  expect(await rowLines(users.bare)).toEqual([users.bare, 'Enabled', '–'])
})
