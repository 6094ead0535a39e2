import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

test('Can they? names the statement that decides and marks its lines; a condition changes the answer', async () => {
  const { target } = browser
  const [allow, deny, user, group] = ['write', 'keep', 'user', 'group'].map((name) => target.freshName(name)) as [
    string,
    string,
    string,
    string,
  ]
  await target.madmin.addPolicy(allow, allowS3(['s3:*'], ['builds']))
  await target.madmin.addPolicy(deny, {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'KeepReleases',
        Effect: 'Deny',
        Action: ['s3:DeleteObject'],
        Resource: ['arn:aws:s3:::builds/release/*'],
        Condition: { NotIpAddress: { 'aws:SourceIp': ['10.0.0.0/8'] } },
      },
    ],
  })
  await target.madmin.addUser(user, { secretKey: 'a long enough secret' })
  await target.madmin.addGroupMembers(group, [user])
  await target.madmin.setPolicyMapping({ user, policies: [allow] })
  await target.madmin.setPolicyMapping({ group, policies: [deny] })

  const page = await open(`/can-they?name=${user}`)
  await page.getByRole('heading', { name: 'Can they?', level: 1 }).waitFor()
  await page.getByRole('combobox', { name: 'Action' }).fill('s3:DeleteObject')
  await page.getByRole('combobox', { name: 'Resource' }).fill('builds/release/app.zst')
  await page.getByRole('combobox', { name: 'Resource' }).press('Enter')
  const answer = page.getByRole('region', { name: 'Answer' })
  await answer.getByText('Depends', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add condition' }).click()
  await page.getByRole('combobox', { name: 'Condition key' }).fill('aws:SourceIp')
  await page.getByLabel('Value', { exact: true }).fill('192.0.2.1')
  await page.getByLabel('Value', { exact: true }).press('Enter')
  await answer.getByText('Denied', { exact: true }).waitFor()
  expect(await answer.textContent()).toContain(`${deny} denies s3:DeleteObject here in KeepReleases`)
  const how = page.getByRole('region', { name: 'How it was decided' })
  await how.getByRole('button', { name: new RegExp(`Deny.*${deny}.*by group ${group}.*Decides`) }).waitFor()
  await how.getByRole('button', { name: new RegExp(`Allow.*${allow}.*Overruled`) }).waitFor()
  const text = page.getByRole('region', { name: deny })
  await text.getByText('Lines 4 to 20 decide').waitFor()
  expect(await text.locator('.cm-marked').count()).toBe(17)
  await page
    .getByRole('region', { name: 'What is missing' })
    .getByText(`Remove ${user} from the group ${group}`)
    .waitFor()
  // The question is in the URL.
  await page.reload()
  await answer.getByText('Denied', { exact: true }).waitFor()
})
