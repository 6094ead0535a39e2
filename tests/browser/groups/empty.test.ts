import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { startConsole } from '../../support/console/start-console.ts'

const { open } = useBrowser()

test('empty lists of groups, users and policies say so [GRP-03]', async () => {
  // No other test creates users and groups here.
  await using c = await startConsole()
  const page = await open('/groups', { console: c })
  await page.getByText('No Groups Available').waitFor()
  await page.getByText('The policies of a group apply to all of its members.').waitFor()
  await page.getByRole('button', { name: 'Create Group' }).click()
  await page.getByRole('dialog').getByText('No Users Available').waitFor()
  await c.call('createUser', { body: { accessKey: 'lonely', secretKey: 'a-secret-key', groups: [], policies: [] } })
  const policies = await open('/users/lonely/policies', { console: c })
  await policies.getByText('No Policies Available').waitFor()
  expect(await policies.getByRole('row').count()).toBe(1)
  await policies.getByText('The policies of the groups of this user also apply.').waitFor()
  const holders = await open('/policies/readonly/groups', { console: c })
  await holders.getByText('No Groups Available').waitFor()
  await holders.getByRole('main').getByRole('link', { name: 'Users' }).click()
  await holders.getByText('No Users Available').waitFor()
})

test('a server without a directory says so, and where it is set up', async () => {
  await using c = await startConsole()
  const page = await open('/directory', { console: c })
  await page.getByText('The storage server has no directory (LDAP).').waitFor()
  // Without a directory there is nothing to attach policies to, and nothing to try again.
  for (const name of ['Attach Policies', 'Retry']) expect(await page.getByRole('button', { name }).count()).toBe(0)
  await page.getByRole('link', { name: 'Open Configurations' }).click()
  await page.waitForURL('**/settings/configurations')
})
