import { PutBucketVersioningCommand } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { clickRowAction, tableRow } from '../../support/browser/rows.ts'
import { listKeys, newBucketWith } from '../../support/data/objects.ts'
import { allowS3Conditionally } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

test('one object is deleted after a question, and is removed from the list [OBJ-10] [OBJ-32] [SHL-37]', async () => {
  const bucket = await newBucketWith(browser.target, { 'dir/a.txt': 'a', 'dir/b.txt': 'b' })
  const page = await open(`/object-browser/${bucket}/dir/`)
  await clickRowAction(page, 'a.txt', 'Delete')
  const dialog = page.getByRole('dialog', { name: /Delete Object/ })
  await dialog.getByText('This cannot be undone.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await listKeys(browser.target, bucket)).toHaveLength(2)

  await clickRowAction(page, 'a.txt', 'Delete')
  await dialog.getByRole('button', { name: 'Delete Object' }).click()
  await page.getByText("Object 'a.txt' deleted successfully.").waitFor()
  await tableRow(page, 'a.txt').waitFor({ state: 'hidden' })
  expect(await listKeys(browser.target, bucket)).toEqual(['dir/b.txt'])
})

test('selected objects and folders are deleted, and nothing else [OBJ-07] [OBJ-32]', async () => {
  const bucket = await newBucketWith(browser.target, { 'a/1': '', 'a/2/3': '', ab: '', b: '', c: '' })
  const page = await open(`/object-browser/${bucket}`)
  await page.getByLabel('Select a/', { exact: true }).check()
  await page.getByLabel('Select b', { exact: true }).check()
  await page.getByRole('button', { name: 'Delete Selected' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Selected' })
  await dialog.getByText('1 object and 1 folder with all its content').waitFor()
  await dialog.getByRole('button', { name: 'Delete Selected' }).click()
  await page.getByText('Objects deleted successfully.').waitFor()
  await tableRow(page, 'a/').waitFor({ state: 'hidden' })
  expect((await listKeys(browser.target, bucket)).toSorted()).toEqual(['ab', 'c'])
})

test('a folder is deleted with its content, but not its neighbours [OBJ-32]', async () => {
  const bucket = await newBucketWith(browser.target, {
    'x/dir/1': '',
    'x/dir/deep/2': '',
    'x/dir2/3': '',
    'x/dir.txt': '',
  })
  const page = await open(`/object-browser/${bucket}/x/`)
  await clickRowAction(page, 'dir/', 'Delete')
  const dialog = page.getByRole('dialog', { name: /Delete Folder/ })
  await dialog.getByRole('button', { name: 'Delete Folder' }).click()
  await page.getByText('Objects deleted successfully.').waitFor()
  await page.getByRole('region', { name: 'Transfers' }).getByText('2 objects deleted').waitFor()
  expect((await listKeys(browser.target, bucket)).toSorted()).toEqual(['x/dir.txt', 'x/dir2/3'])
})

test('in a bucket with versions the confirmation says that they are kept', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'a' })
  const VersioningConfiguration = { Status: 'Enabled' } as const
  await browser.target.s3.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration }))
  const page = await open(`/object-browser/${bucket}`)
  await clickRowAction(page, 'a.txt', 'Delete')
  await page
    .getByRole('dialog')
    .getByText(/its versions are kept/)
    .waitFor()
})

test('a refused deletion is reported in the dialog, and the object remains', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'a', 'b.txt': 'b' })
  const as = await browser.target.newUser(allowS3Conditionally(['s3:DeleteObject'], ['s3:ListBucket']))
  const page = await open(`/object-browser/${bucket}`, { as })
  await clickRowAction(page, 'a.txt', 'Delete')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete Object' }).click()
  await dialog
    .getByRole('alert')
    .getByText(/access denied/i)
    .waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Delete Selected' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Selected' }).click()
  const tray = page.getByRole('region', { name: 'Transfers' })
  await tray.getByText('2 objects could not be deleted').waitFor()
  await tray.getByRole('button', { name: 'Details' }).click()
  await tray.getByText(/a\.txt: .*denied/i).waitFor()
  expect(await listKeys(browser.target, bucket)).toHaveLength(2)
})
