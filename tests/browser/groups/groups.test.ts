import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { tableRow } from '../../support/browser/rows.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

async function newGroup(members: string[] = []): Promise<string> {
  const group = browser.target.freshName('group')
  await browser.target.call('createGroup', { body: { group, members } })
  return group
}
const newUser = async () => (await browser.target.newUser(allowS3(['s3:*']))).accessKey

test('a group is created with members, and found by a part of its name [GRP-01] [GRP-02] [GRP-04] [GRP-07]', async () => {
  const [name, user] = [browser.target.freshName('group'), await newUser()]
  const page = await open('/groups')
  await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Create Group' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Group' })
  const save = dialog.getByRole('button', { name: 'Save' })
  await dialog.getByLabel('Group Name').waitFor()
  expect(await save.isDisabled()).toBe(true)
  await dialog.getByLabel('Group Name').fill(name)
  await dialog.getByRole('textbox', { name: 'Search Users' }).fill(user)
  await dialog.getByRole('checkbox', { name: user }).check()
  await save.click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByPlaceholder('Search Groups').fill(name.slice(3))
  await tableRow(page, name).waitFor()
  const headers = (await page.getByRole('columnheader').allTextContents()).filter(
    (text) => text !== '' && text !== 'Actions',
  )
  expect(headers).toEqual(['Name'])
  expect((await browser.target.call('getGroup', { query: { name } })).members).toEqual([user])
})

test('a group’s members and status are edited, its name is not [GRP-02] [GRP-04] [GRP-06] [GRP-07]', async () => {
  const user = await newUser()
  const name = await newGroup([user])
  const page = await open(`/groups?groups.filter=${name}`)
  await tableRow(page, name).hover()
  await tableRow(page, name)
    .getByRole('button', { name: `View ${name}` })
    .click()
  const dialog = page.getByRole('dialog', { name: /Edit Group/ })
  expect(await dialog.getByLabel('Group Name').isDisabled()).toBe(true)
  await dialog.getByRole('switch', { name: 'Enabled' }).click()
  await dialog.getByRole('switch', { name: 'Disabled' }).waitFor()
  await dialog.getByRole('checkbox', { name: user }).uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await browser.target.call('getGroup', { query: { name } })).toMatchObject({ members: [], status: 'disabled' })
})

test('a group’s policies are set from its row [GRP-02]', async () => {
  const name = await newGroup()
  const page = await open(`/groups?groups.filter=${name}`)
  await tableRow(page, name).hover()
  await tableRow(page, name)
    .getByRole('button', { name: `Set Policies ${name}` })
    .click()
  const dialog = page.getByRole('dialog', { name: /Set Policies/ })
  await dialog.getByRole('textbox', { name: 'Search Policies' }).fill('readonly')
  await dialog.getByRole('checkbox', { name: 'readonly' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect((await browser.target.call('getGroup', { query: { name } })).policy).toBe('readonly')
})

test('a group with members is emptied and deleted when its name is typed [GRP-02] [GRP-04]', async () => {
  const name = await newGroup([await newUser()])
  const page = await open(`/groups?groups.filter=${name}`)
  await tableRow(page, name).hover()
  await tableRow(page, name)
    .getByRole('button', { name: `Delete ${name}` })
    .click()
  const dialog = page.getByRole('dialog', { name: /Delete Group/ })
  await dialog.getByRole('button', { name: 'Delete Group' }).click()
  await dialog.getByRole('button', { name: 'Remove its members and delete it' }).click()
  await dialog.getByLabel(/Type/).fill(name)
  await dialog.getByRole('button', { name: 'Delete Group' }).click()
  await tableRow(page, name).waitFor({ state: 'detached' })
})

test('a click on the row of a group opens it', async () => {
  const name = await newGroup()
  const page = await open(`/groups?groups.filter=${name}`)
  await tableRow(page, name).getByText(name).click()
  await page.getByRole('dialog', { name: /Edit Group/ }).waitFor()
})

test('before the policies of a disabled group are replaced, the dialog says that they are not shown', async () => {
  const name = await newGroup()
  const body = { name: ['readonly'], entityType: 'group' as const, entityName: name }
  await browser.target.call('setPolicies', { body })
  const page = await open(`/groups?groups.filter=${name}`)
  const note = page.getByText('The server does not show the policies of a disabled group.')
  const openPolicies = async () => {
    await tableRow(page, name).hover()
    await tableRow(page, name)
      .getByRole('button', { name: `Set Policies ${name}` })
      .click()
    return page.getByRole('dialog', { name: /Set Policies/ })
  }
  const enabled = await openPolicies()
  await enabled.getByRole('checkbox', { name: 'readonly', exact: true, checked: true }).waitFor()
  expect(await note.count()).toBe(0)
  await enabled.getByRole('button', { name: 'Cancel' }).click()
  await browser.target.call('updateGroup', { query: { name }, body: { group: name, members: [], status: 'disabled' } })
  const disabled = await openPolicies()
  await note.waitFor()
  await disabled.getByRole('textbox', { name: 'Search Policies' }).fill('readonly')
  await disabled.getByRole('checkbox', { name: 'readonly', exact: true, checked: false }).waitFor()
})
