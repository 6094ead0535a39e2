import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser.ts'
import { allowS3 } from '../../support/policies.ts'

const browser = useBrowser()
const { open } = browser

test('form and JSON of a policy stay in sync, and both are saved', async () => {
  const { target } = browser
  const name = target.freshName('policy')
  await target.madmin.addPolicy(name, allowS3(['s3:GetObject'], ['photos']))
  const page = await open(`/policies/${name}/json`)
  const statement = page.getByRole('region', { name: 'Statement 1' })
  const json = page.getByRole('textbox', { name: 'Raw Policy' })

  // From the form to the text: an action found by its description, an effect, a condition.
  await statement.getByRole('combobox', { name: 'Actions' }).fill('legal hold of obj')
  await page.getByRole('option', { name: 's3:PutObjectLegalHold' }).click()
  await statement.getByText('Deny', { exact: true }).click()
  await statement.getByRole('button', { name: 'Add condition' }).click()
  await statement.getByRole('combobox', { name: 'Condition key' }).fill('aws:SourceIp')
  await statement.getByLabel('Value').fill('10.0.0.1')
  await statement.getByLabel('Value').press('Enter')
  await expect.poll(() => json.textContent()).toContain('"aws:SourceIp"')
  const text = (await json.textContent()) ?? ''
  expect(text).toContain('"s3:PutObjectLegalHold"')
  expect(text).toContain('"Effect": "Deny"')

  // From the text to the form.
  await json.fill('{"Version":"2012-10-17","Statement":[{"Sid":"All","Effect":"Allow","Action":["admin:*"]}')
  await page.getByRole('status').getByText('The JSON is not valid yet.').waitFor()
  await json.fill('{"Version":"2012-10-17","Statement":[{"Sid":"All","Effect":"Allow","Action":["admin:*"]}]}')
  const typed = page.getByRole('region', { name: 'All' })
  await typed.getByText('admin:*', { exact: true }).waitFor()
  await typed.getByText(/grants administration/).waitFor()
  const one = (members: string) => json.fill(`{"Version":"2012-10-17","Statement":[{"Sid":"All",${members}}]}`)
  await one('"Effect":"Allow","Action":["s3:GetObjectt"],"Resource":["arn:aws:s3:::*"]')
  await typed
    .getByText(/s3:GetObjectt/)
    .first()
    .waitFor()
  await one('"Effect":"Allow","Action":["s3:GetObject"],"Resource":["arn:aws:s3:::photos"]')
  await typed
    .getByText(/is a bucket as a whole/)
    .first()
    .waitFor()
  await one('"Action":["s3:GetObject"],"Resource":["arn:aws:s3:::*"]')
  await typed
    .getByText(/Effect/)
    .first()
    .waitFor()
  await json.fill('{"Version":"2012-10-17","Statement":[{"Sid":"All","Effect":"Allow","Action":["admin:*"]}]}')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Policy successfully updated').waitFor()
  const saved = await target.call('getPolicy', { query: { name } })
  expect(JSON.parse(saved.policy).Statement).toEqual([{ Sid: 'All', Effect: 'Allow', Action: ['admin:*'] }])
})
