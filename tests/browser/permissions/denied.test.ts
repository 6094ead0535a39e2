import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { newBucketWith } from '../../support/data/objects.ts'
import { allowS3, allowS3Conditionally, allowS3Except } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

test('a denied listing shows the action, the resource, and the result of each statement', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'a' })
  const as = await browser.target.newUser(allowS3(['s3:GetObject'], [bucket]))
  const page = await open(`/object-browser/${bucket}/2026/`, { as })
  const denied = page.getByRole('alert').filter({ hasText: 'Access Denied' })
  await denied.getByText(`This needs an action that no policy of ${as.accessKey} allows.`).waitFor()
  const shownDetails = (await denied.locator('dd').allTextContents()).map((text) => text.split(' ')[0])
  expect(shownDetails.slice(0, 3)).toEqual(['s3:ListBucket', `arn:aws:s3:::${bucket}`, '2026/'])

  const decided = page.getByRole('region', { name: 'How it was decided' }).getByRole('listitem')
  await decided.first().waitFor()
  expect(await decided.allTextContents()).toEqual([
    `No matchStatement 1allows s3:GetObject on arn:aws:s3:::${bucket}, arn:aws:s3:::${bucket}/*It does not include s3:ListBucket`,
    'DeniedDefaultNo statement allows the action, so it is denied by default.',
  ])

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy request for an administrator' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(
    new RegExp(
      `^Access Denied\nUser: ${as.accessKey}\nMissing action: s3:ListBucket\nResource: arn:aws:s3:::${bucket}\n` +
        'Prefix: 2026/\nRequest ID: .+\nTime: \\d{4}-',
    ),
  )
})

test('a folder outside the user’s own shows the condition that does not hold', async () => {
  const bucket = await newBucketWith(browser.target, { 'home/bob/a': '1', 'home/eve/b': '2' })
  const as = await browser.target.newUser({
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'OwnHome',
        Effect: 'Allow',
        Action: ['s3:ListBucket'],
        Resource: [`arn:aws:s3:::${bucket}`],
        Condition: { StringLike: { 's3:prefix': ['home/bob/*'] } },
      },
    ],
  })
  const page = await open(`/object-browser/${bucket}/home/eve/`, { as })
  const own = page.getByRole('listitem').filter({ hasText: 'OwnHome' })
  await own.getByText('No match').waitFor()
  await own
    .getByText(/The condition StringLike s3:prefix "home\/bob\/\*" is not met: the request has "home\/eve\/"/)
    .waitFor()
})

test('a bucket whose settings a statement denies names that statement, and links back', async () => {
  const bucket = await browser.target.newBucket()
  const as = await browser.target.newUser(allowS3Except(['s3:GetBucketPolicy'], [bucket]))
  const page = await open(`/buckets/${bucket}/summary`, { as })
  const denied = page.getByRole('alert').filter({ hasText: 'Access Denied' })
  await denied.getByText(`This needs an action that a policy of ${as.accessKey} denies.`).waitFor()
  await denied.getByText('s3:GetBucketPolicy', { exact: true }).waitFor()
  const decided = page.getByRole('region', { name: 'How it was decided' })
  const statement = decided.getByRole('listitem').filter({ hasText: 'Denied' })
  expect(await statement.textContent()).toContain('denies s3:GetBucketPolicy on')
  expect(await decided.getByText('Default').count()).toBe(0)
  await page.getByRole('link', { name: 'Back to Buckets' }).click()
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
})

test('if the decision depends on a condition of the request, that is shown', async () => {
  const bucket = await browser.target.newBucket()
  const as = await browser.target.newUser(allowS3Conditionally(['s3:ListBucket'], ['s3:GetObject']))
  const page = await open(`/object-browser/${bucket}`, { as })
  await page
    .getByText(`This needs an action that the policies of ${as.accessKey} allow under a condition only.`)
    .waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Depends' }).getByText('It depends on aws:UserAgent').waitFor()
})
