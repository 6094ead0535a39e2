import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { allowS3 } from '../../support/data/policies.ts'

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
  await typed.getByText('Effect: is missing; it is one of Allow, Deny').waitFor()
  await typed.getByText('No effect').waitFor()
  await json.fill('{"Version":"2012-10-17","Statement":[{"Sid":"All","Effect":"Allow","Action":["admin:*"]}]}')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Policy successfully updated').waitFor()
  const saved = await target.call('getPolicy', { query: { name } })
  expect(JSON.parse(saved.policy).Statement).toEqual([{ Sid: 'All', Effect: 'Allow', Action: ['admin:*'] }])
})

test('actions and resources that do not fit in one line are all visible', async () => {
  const { target } = browser
  const name = target.freshName('policy')
  const buckets = ['first-of-the-buckets', 'second-of-the-buckets']
  await target.madmin.addPolicy(name, allowS3(['s3:GetObject', 's3:PutObject', 's3:GetObjectRetention'], buckets))
  const page = await open(`/policies/${name}/json`, { width: 390, height: 844 })
  const statement = page.getByRole('region', { name: 'Statement 1' })
  const pill = statement.getByText('arn:aws:s3:::second-of-the-buckets/*', { exact: true })
  await pill.waitFor()
  // Below the lower edge of the field it would be cut off.
  const field = statement.locator('[data-multiline]').filter({ hasText: 'second-of-the-buckets/*' }).first()
  const [inner, outer] = [await pill.boundingBox(), await field.boundingBox()]
  expect((inner?.y ?? 0) + (inner?.height ?? 0)).toBeLessThanOrEqual((outer?.y ?? 0) + (outer?.height ?? 0))
})
