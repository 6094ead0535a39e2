import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

const signIn = async (page: Page, accessKey: string, secretKey: string) => {
  await page.getByLabel('Enter Username').fill(accessKey)
  await page.getByLabel('Enter Password', { exact: true }).fill(secretKey)
  await page.getByRole('button', { name: 'Login' }).click()
}
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

test('all tabs are signed out together, and signed in again as another user, with that user’s name and pages', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const other = await target.newUser(
    allowS3(['s3:ListBucket', 's3:ListAllMyBuckets', 's3:GetBucketLocation'], [bucket]),
  )
  const one = await open('/dashboard')
  await heading(one, 'Dashboard').waitFor()
  const two = await one.context().newPage()
  await two.goto('buckets')
  await heading(two, 'Buckets').waitFor()

  await two.getByRole('button', { name: 'Logout' }).click()
  await heading(one, 'Console Login').waitFor()
  expect(new URL(one.url()).pathname).toBe('/login')

  await signIn(one, other.accessKey, other.secretKey)
  await one.getByTitle(other.accessKey).waitFor()
  await two.getByTitle(other.accessKey).waitFor()
  expect(await two.getByRole('link', { name: 'Dashboard' }).count()).toBe(0)
})

test('a tab whose session was replaced by another user is reloaded, without its input', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const other = await target.newUser(
    allowS3(['s3:ListBucket', 's3:ListAllMyBuckets', 's3:GetBucketLocation'], [bucket]),
  )
  const one = await open('/buckets?create=bucket')
  await one.getByLabel('Bucket Name').fill('secret-plans')
  // The cookie is deleted, as when another user has signed in.
  const two = await one.context().newPage()
  await two.goto('buckets')
  await heading(two, 'Buckets').waitFor()
  await one.context().clearCookies()
  await two.reload()
  await signIn(two, other.accessKey, other.secretKey)
  await one.getByTitle(other.accessKey).waitFor()
  await one.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(await one.getByTitle(target.rootUser).count()).toBe(0)
})
