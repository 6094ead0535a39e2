import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { newBucketWith } from '../../support/data/objects.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

test('a user who may list only one folder starts there, and gets a link to it in denied folders', async () => {
  const bucket = await newBucketWith(browser.target, { 'bob/mine.txt': '1', 'eve/hers.txt': '2' })
  const as = await browser.target.newUser({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['s3:ListBucket'],
        Resource: [`arn:aws:s3:::${bucket}`],
        Condition: { StringLike: { 's3:prefix': ['bob/*'] } },
      },
      { Effect: 'Allow', Action: ['s3:GetObject'], Resource: [`arn:aws:s3:::${bucket}/bob/*`] },
    ],
  })
  const page = await open('/', { as })
  await page.waitForURL(`**/object-browser/${bucket}/bob/`)
  await page.getByText('mine.txt').waitFor()
  await page.goto(page.url().replace('/bob/', '/eve/'))
  await page.getByRole('alert').filter({ hasText: 'Access Denied' }).waitFor()
  await page
    .getByRole('region', { name: 'Folders that you may list' })
    .getByRole('link', { name: `${bucket}/bob/` })
    .click()
  await page.getByText('mine.txt').waitFor()
})

test('a user who may list nothing opens a bucket or prefix by name, and can see which rights are missing', async () => {
  const bucket = await newBucketWith(browser.target, { 'drop/a.txt': '1' })
  const as = await browser.target.newUser(allowS3(['s3:PutObject'], [bucket]))
  const page = await open('/', { as })
  await page.waitForURL('**/object-browser')
  await page.getByRole('button', { name: 'Go to' }).click()
  await page.getByRole('textbox', { name: 'Bucket or prefix' }).fill(`${bucket}/drop`)
  await page.getByRole('dialog').getByRole('button', { name: 'Go' }).click()
  await page.waitForURL(`**/object-browser/${bucket}/drop/`)
  await page.getByRole('alert').filter({ hasText: 'Access Denied' }).waitFor()
  await page.getByRole('link', { name: 'Open in Can they?' }).click()
  const answer = page.getByRole('region', { name: 'Answer' })
  await answer.getByText('Denied', { exact: true }).waitFor()
  expect(await page.getByRole('combobox', { name: 'Resource' }).inputValue()).toBe(`arn:aws:s3:::${bucket}/drop/`)
})
