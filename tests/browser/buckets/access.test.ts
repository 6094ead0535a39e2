import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { holdCalls } from '../../support/browser/page-calls.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

test('the audit has policies and users, which lead to their pages, and the statements of the bucket policy [ACC-01] [ACC-02] [ACC-03]', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const policy = target.freshName('policy')
  await target.madmin.addPolicy(policy, allowS3(['s3:GetObject'], [bucket]))
  const user = target.freshName('user')
  await target.madmin.addUser(user, { secretKey: 'long enough' })
  await target.madmin.setPolicyMapping({ user, policies: [policy] })
  await target.call('setAccessRule', { params: { bucket }, body: { prefix: 'public/', access: 'readonly' } })

  const page = await open(`/buckets/${bucket}/access?bucket-policies.filter=${policy}`)
  await page.getByRole('tab', { name: 'Users' }).waitFor()
  expect((await page.getByRole('tab').allTextContents()).slice(0, 2)).toEqual(['Policies', 'Users'])
  await page.getByRole('columnheader', { name: 'Name' }).waitFor()
  await page.getByRole('row', { name: policy }).hover()
  await page.getByRole('link', { name: `View ${policy}` }).click()
  await page.waitForURL(`**/policies/${policy}/**`)

  await page.goto(`buckets/${bucket}/access?bucket-users.filter=${user}`)
  await page.getByRole('tab', { name: 'Users' }).click()
  await page.getByRole('columnheader', { name: 'User' }).waitFor()
  await page.getByRole('row', { name: user }).hover()
  await page.getByRole('link', { name: `View ${user}` }).click()
  await page.waitForURL(`**/users/${user}/**`)

  await page.goto(`buckets/${bucket}/access?tab=statements`)
  await page
    .getByRole('row', { name: /Allow Everyone s3:GetObject/ })
    .getByText(`${bucket}/public/*`)
    .waitFor()
})

test('a session without the Users page has no Users tab [ACC-03]', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const { Statement } = allowS3(['s3:*'], [bucket]) as { Statement: object[] }
  const as = await target.newUser({
    Version: '2012-10-17',
    Statement: [...Statement, { Effect: 'Allow', Action: ['admin:ListUserPolicies'] }],
  })
  const page = await open(`/buckets/${bucket}/access?tab=users`, { as })
  await page.getByRole('tab', { name: 'Policies' }).waitFor()
  expect(await page.getByRole('tab', { name: 'Users' }).count()).toBe(0)
  await page
    .getByRole('row', { name: 'consoleAdmin' })
    .or(page.getByRole('row', { name: 'readonly' }))
    .first()
    .waitFor()
})

test('access rules are added, changed and deleted; refusals close the dialog, which keeps the input [ACC-06] [ACC-12]', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const page = await open(`/buckets/${bucket}/prefix`)
  await page.getByText('There are no Access Rules yet.', { exact: true }).waitFor()
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: 'Save' })
  await page.getByRole('button', { name: 'Add Access Rule' }).click()
  await dialog.getByRole('textbox', { name: 'Prefix' }).waitFor()
  expect(await save.isDisabled()).toBe(true)
  await dialog.getByRole('textbox', { name: 'Prefix' }).fill('out/')
  await save.click()
  const row = page.getByRole('row', { name: 'out/' })
  await row.getByText('Read only').waitFor()
  expect((await page.getByRole('columnheader').allTextContents()).filter((text) => text !== '')).toEqual([
    'Prefix',
    'Access',
    'Actions',
  ])

  await row.hover()
  await row.getByRole('button', { name: /^Edit Access Rule/ }).click()
  await dialog.getByText('Write only', { exact: true }).click()
  await save.click()
  await row.getByText('Write only').waitFor()
  const rules = async () => (await target.call('listAccessRules', { params: { bucket } })).accessRules
  expect(await rules()).toEqual([{ prefix: 'out/', access: 'writeonly' }])

  // A statement outside of the rules decides about this prefix.
  const statement = {
    Effect: 'Allow',
    Principal: { AWS: ['*'] },
    Action: ['s3:*'],
    Resource: [`arn:aws:s3:::${bucket}/all/*`],
  }
  const policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
  await target.call('setBucketPolicy', { params: { bucket }, body: { policy } })
  await page.getByRole('button', { name: 'Add Access Rule' }).click()
  await dialog.getByRole('textbox', { name: 'Prefix' }).fill('all/')
  await dialog.getByText('Write only', { exact: true }).click()
  await save.click()
  await page.getByText(/Another statement of the bucket policy decides/).waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Add Access Rule' }).click()
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Prefix' }).inputValue()).toBe('all/')
  expect(await dialog.getByRole('radio', { name: /Write only/ }).isChecked()).toBe(true)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('a rule that was changed meanwhile is shown in the dialog, and replaced when it is saved again', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const params = { bucket }
  await target.call('setAccessRule', { params, body: { prefix: 'out/', access: 'readonly' } })
  const page = await open(`/buckets/${bucket}/prefix`)
  const row = page.getByRole('row', { name: 'out/' })
  await row.hover()
  await row.getByRole('button', { name: /^Edit Access Rule/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Write only', { exact: true }).click()
  await target.call('setAccessRule', { params, body: { prefix: 'out/', access: 'readwrite' } })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('status').getByText('Read and write').waitFor()
  expect(await dialog.getByRole('radio', { name: /Write only/ }).isChecked()).toBe(true)
  expect((await target.call('listAccessRules', { params })).accessRules).toMatchObject([{ access: 'readwrite' }])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Write only').waitFor()
})

test('deleting a rule closes the dialog immediately, before the server has answered [ACC-12]', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  await target.call('setAccessRule', { params: { bucket }, body: { prefix: 'out/', access: 'readonly' } })
  const page = await open(`/buckets/${bucket}/prefix`)
  const row = page.getByRole('row', { name: 'out/' })
  await row.hover()
  await row.getByRole('button', { name: /^Delete/ }).click()
  const call = await holdCalls(page, { url: '**/access-rules', method: 'DELETE' })
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Access Rule' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(await row.count()).toBe(1)
  await call.release()
  await row.waitFor({ state: 'hidden' })
})

test('a prefix that policies would treat as a pattern is refused in the dialog', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/buckets/${bucket}/prefix`)
  await page.getByRole('button', { name: 'Add Access Rule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Prefix' }).fill('a*b')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/cannot contain/).waitFor()
  await dialog.getByRole('textbox', { name: 'Prefix' }).fill('übung/')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: 'übung/' }).waitFor()
})
