import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { listKeys, newBucketWith } from '../../support/data/objects.ts'

const browser = useBrowser()
const { open } = browser

test('The whole bucket is searched, and the results can be opened, exported and deleted', async () => {
  const bucket = await newBucketWith(browser.target, { 'a/app.log': 'x', 'b/c/old.log': 'yy', 'b/photo.jpg': 'z' })
  const page = await open(`/object-browser/${bucket}`)
  await page.getByRole('button', { name: 'Search the bucket' }).click()
  const form = page.getByRole('form', { name: 'Search the bucket' })
  await form.getByLabel('Name').fill('*.log')
  await form.getByLabel('Minimum size').fill('many')
  await form.getByRole('button', { name: 'Search' }).click()
  await form.getByText('Enter a size such as 10 MiB').waitFor()
  await form.getByLabel('Minimum size').fill('1 B')
  await form.getByRole('button', { name: 'Search' }).click()
  await page.getByText('2 objects found').waitFor()
  expect(new URL(page.url()).searchParams.get('name')).toBe('*.log')

  await page.getByRole('button', { name: 'Export' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Everything found, as CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe(`${bucket}-search.csv`)

  await page
    .getByRole('row', { name: /old\.log/ })
    .getByRole('checkbox')
    .check()
  await page.getByRole('button', { name: 'Delete Selected' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await page.getByText('1 object found').waitFor()
  await expect.poll(() => listKeys(browser.target, bucket)).toEqual(['a/app.log', 'b/photo.jpg'])

  await page.getByRole('link', { name: 'View a/app.log' }).click()
  await page.waitForURL(`**/object-browser/${bucket}/a/app.log`)
})
