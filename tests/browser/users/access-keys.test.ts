import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { tableRow } from '../../support/browser/rows.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

test('all access keys are in one table, with owner, expiry, last use and age', async () => {
  const { target } = browser
  const { accessKey: owner } = await target.newUser(allowS3(['s3:*']))
  const used = await target.madmin.addServiceAccount({ targetUser: owner, name: 'nightly' })
  const unused = await target.madmin.addServiceAccount({ targetUser: owner })
  await new S3Client({
    endpoint: target.serverUrl,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: used.accessKey, secretAccessKey: used.secretKey },
  }).send(new ListBucketsCommand({}))
  const page = await open('/users')
  await page.getByRole('link', { name: 'All access keys' }).click()
  await page.getByPlaceholder('Search Service Accounts').fill(owner)
  await tableRow(page, unused.accessKey).waitFor()
  const headers = (await page.getByRole('columnheader').allTextContents()).map((text) => text.trim())
  expect(headers).toEqual(expect.arrayContaining(['Owner', 'Expires', 'Age', 'Last use']))
  const cells = async (key: string) => await tableRow(page, key).getByRole('cell').allTextContents()
  const day = new Date().toISOString().slice(0, 10)
  expect(await cells(used.accessKey)).toEqual(expect.arrayContaining([owner, 'nightly', 'Never', day]))
  expect(await cells(unused.accessKey)).not.toContain(day)
  await tableRow(page, used.accessKey).getByRole('link', { name: owner }).click()
  await page.getByRole('heading', { name: owner, level: 1 }).waitFor()
})
