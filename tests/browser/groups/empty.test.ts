import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser.ts'
import { startConsole } from '../../support/console.ts'

const { open } = useBrowser()

test('empty lists of groups, users and policies say so [GRP-03]', async () => {
  // No other test creates users and groups here.
  await using c = await startConsole()
  const page = await open('/groups', { console: c })
  await page.getByText('No Groups Available').waitFor()
  await page.getByRole('button', { name: 'Create Group' }).click()
  await page.getByRole('dialog').getByText('No Users Available').waitFor()
  await c.call('createUser', { body: { accessKey: 'lonely', secretKey: 'a-secret-key', groups: [], policies: [] } })
  const policies = await open('/users/lonely/policies', { console: c })
  await policies.getByText('No Policies Available').waitFor()
  expect(await policies.getByRole('row').count()).toBe(1)
  const holders = await open('/policies/readonly/groups', { console: c })
  await holders.getByText('No Groups Available').waitFor()
  await holders.getByRole('link', { name: 'Users' }).click()
  await holders.getByText('No Users Available').waitFor()
})
