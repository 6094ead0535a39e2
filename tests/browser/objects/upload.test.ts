import { randomBytes } from 'node:crypto'
import { MiB } from '@stowage/contract'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { failCalls, recordCalls } from '../../support/browser/page-calls.ts'
import { chooseFiles, dragFiles, memoryFile, tempFiles } from '../../support/browser/upload-files.ts'
import { listKeys, md5Digest, newBucketWith, readObjectBytes, readObjectText } from '../../support/data/objects.ts'
import { allowS3Conditionally } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

test('a chosen file is uploaded, byte for byte, and in the list [OBJ-30] [SHL-37]', async () => {
  const bucket = await browser.target.newBucket()
  const bytes = randomBytes(3 * MiB)
  await using files = await tempFiles({ 'photo.bin': bytes })
  const page = await open(`/object-browser/${bucket}/in/here/`)
  await chooseFiles(page, files.path('photo.bin'))
  await page.getByText('Object uploaded successfully.').waitFor()
  await page.getByRole('table').getByRole('link', { name: 'photo.bin', exact: true }).waitFor()
  expect(md5Digest(await readObjectBytes(browser.target, bucket, 'in/here/photo.bin'))).toBe(md5Digest(bytes))
})

test('several files are uploaded, including an empty one and unusual names [OBJ-06] [OBJ-30]', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/object-browser/${bucket}`)
  const names = ['plain.txt', 'ä ö €.txt', '100% "quoted".txt', '日本.txt', 'emoji 😀.txt']
  await chooseFiles(page, [...names.map((name) => memoryFile(name, `I am ${name}`)), memoryFile('empty', '')])
  await page.getByText('Objects uploaded successfully.').waitFor()
  expect((await listKeys(browser.target, bucket)).toSorted()).toEqual([...names, 'empty'].toSorted())
  for (const name of names) expect(await readObjectText(browser.target, bucket, name)).toBe(`I am ${name}`)
  await page.getByRole('region', { name: 'Transfers' }).getByText('6 done').first().waitFor()
})

test('files and a folder dropped on the page are uploaded, with the paths in the folder', async () => {
  const bucket = await browser.target.newBucket()
  await using files = await tempFiles({ 'one.txt': '1', 'album/2026/a.jpg': 'a', 'album/b.jpg': 'b' })
  const page = await open(`/object-browser/${bucket}/base/`)
  const zone = page.getByRole('heading', { name: 'This location is empty, please try uploading a new file' })
  await zone.waitFor()
  const paths = [files.path('one.txt'), files.path('album')]
  await dragFiles(page, zone, paths, false)
  await page.getByText('Drop to upload into').waitFor()
  await dragFiles(page, zone, paths)
  await page.getByText('Objects uploaded successfully.').waitFor()
  expect(await page.getByText('Drop to upload into').count()).toBe(0)
  expect((await listKeys(browser.target, bucket)).toSorted()).toEqual([
    'base/album/2026/a.jpg',
    'base/album/b.jpg',
    'base/one.txt',
  ])
  await page.getByRole('link', { name: 'album/', exact: true }).waitFor()
})

test('files that are dropped outside the list are neither uploaded nor opened by the browser', async () => {
  const bucket = await browser.target.newBucket()
  await using files = await tempFiles({ 'one.html': '<h1>opened</h1>' })
  const page = await open(`/object-browser/${bucket}`)
  const opened: string[] = []
  page.context().on('page', (other) => opened.push(other.url()))
  page.on('framenavigated', (frame) => opened.push(frame.url()))
  await dragFiles(page, page.getByRole('navigation', { name: 'Main' }), [files.path('one.html')])
  // Later calls are answered after the drop.
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('This location is empty, please try uploading a new file').waitFor()
  expect(opened).toEqual([])
  expect(await listKeys(browser.target, bucket)).toEqual([])
})

test('two uploads with the same name are distinguished by their folders, in text and button labels', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/object-browser/${bucket}/a/`)
  await chooseFiles(page, [memoryFile('same.txt', '1')])
  const tray = page.getByRole('region', { name: 'Transfers' })
  await tray.getByRole('button', { name: 'Remove same.txt from the list' }).waitFor()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: bucket }).click()
  await page.getByRole('heading', { name: bucket, level: 1 }).waitFor()
  await chooseFiles(page, [memoryFile('same.txt', '2')])
  for (const place of [`${bucket}/a/`, `${bucket}/`]) {
    await tray.getByText(place, { exact: true }).waitFor()
    await tray.getByRole('button', { name: `Remove ${place}same.txt from the list` }).waitFor()
  }
})

test('a chosen folder is uploaded with its paths', async () => {
  const bucket = await browser.target.newBucket()
  await using files = await tempFiles({ 'site/index.html': '<p>', 'site/css/a.css': 'a{}' })
  const page = await open(`/object-browser/${bucket}`)
  await chooseFiles(page, files.path('site'), 'Upload Folder')
  await page.getByText('Objects uploaded successfully.').waitFor()
  expect((await listKeys(browser.target, bucket)).toSorted()).toEqual(['site/css/a.css', 'site/index.html'])
})

test('a refused upload is reported, for one file and for several, with the reason in the tray [OBJ-30]', async () => {
  const bucket = await browser.target.newBucket()
  const as = await browser.target.newUser(allowS3Conditionally(['s3:PutObject'], ['s3:ListBucket']))
  const page = await open(`/object-browser/${bucket}`, { as })
  const messages = page.getByRole('region', { name: 'Messages' })
  await chooseFiles(page, [memoryFile('a', '1')])
  await messages.getByText('An error occurred while uploading the file', { exact: true }).waitFor()
  await page
    .getByRole('region', { name: 'Transfers' })
    .getByText(/^access denied/i)
    .waitFor()
  await chooseFiles(page, [memoryFile('b', '1'), memoryFile('c', '1')])
  await messages.getByText('An error occurred while uploading the files', { exact: true }).waitFor()
  expect(await listKeys(browser.target, bucket)).toEqual([])
})

test('a bucket with a full quota accepts no uploads, and the tray shows the reason', async () => {
  const { target } = browser
  const bucket = await newBucketWith(target, { full: 'x'.repeat(2000) })
  const body = { enabled: true, quota_type: 'hard', amount: 2500 } as const
  await target.call('setBucketQuota', { params: { bucket }, body })
  const page = await open(`/object-browser/${bucket}`)
  await chooseFiles(page, [memoryFile('more', 'y'.repeat(1000))])
  await page.getByText('An error occurred while uploading the file').first().waitFor()
  await page.getByRole('region', { name: 'Transfers' }).getByText(/quota/i).waitFor()
  expect(await listKeys(target, bucket)).toEqual(['full'])
  await target.call('setBucketQuota', { params: { bucket }, body: { ...body, amount: 5000 } })
  await page.getByRole('region', { name: 'Transfers' }).getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Object uploaded successfully.').waitFor()
})

test('an object of the same name is replaced only if chosen', async () => {
  const { target } = browser
  const bucket = await newBucketWith(target, { 'a.txt': 'old a', 'b.txt': 'old b' })
  const page = await open(`/object-browser/${bucket}`)
  const dialog = page.getByRole('dialog', { name: 'Replace the object?' })
  await chooseFiles(page, [memoryFile('a.txt', 'new a')])
  await dialog.getByRole('button', { name: 'Keep' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await readObjectText(target, bucket, 'a.txt')).toBe('old a')

  await chooseFiles(page, [memoryFile('a.txt', 'new a'), memoryFile('b.txt', 'new b')])
  await dialog.getByLabel('Do the same for all 2 objects that exist').check()
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await page.getByText('Objects uploaded successfully.').waitFor()
  expect([await readObjectText(target, bucket, 'a.txt'), await readObjectText(target, bucket, 'b.txt')]).toEqual([
    'new a',
    'new b',
  ])
})

test('a temporarily failed upload shows the reason and the next retry; signing out meanwhile needs a confirmation', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/object-browser/${bucket}`)
  const { mend } = await failCalls(page, { url: /\/objects\/upload/, method: 'POST' }, 'the server is busy', 503)
  await chooseFiles(page, [memoryFile('a.txt', 'a')])
  const tray = page.getByRole('region', { name: 'Transfers' })
  await tray.getByText(/^Trying again/).waitFor()
  await tray.getByText('The server is busy').waitFor()

  await page.getByRole('button', { name: 'Logout' }).click()
  const dialog = page.getByRole('dialog', { name: 'Logout' })
  await dialog.getByText('Transfers are still running. They stop when you sign out.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await mend()
  await page.getByText('Object uploaded successfully.').waitFor()
  expect(await tray.getByText('The server is busy').count()).toBe(0)
})

test('a file larger than the remaining quota is refused before it is sent', async () => {
  const bucket = await newBucketWith(browser.target, { 'there.bin': 'x'.repeat(600) })
  const body = { enabled: true, quota_type: 'hard', amount: 1000 } as const
  await browser.target.call('setBucketQuota', { params: { bucket }, body })
  const page = await open(`/object-browser/${bucket}`)
  const sent = recordCalls(page, /\/objects\/upload/)
  await chooseFiles(page, [memoryFile('large.bin', 'y'.repeat(2000)), memoryFile('small.bin', 'z')])
  const tray = page.getByRole('region', { name: 'Transfers' })
  // 399 if the small file has arrived first.
  await tray.getByText(/^The quota of the bucket leaves (400|399) B$/).waitFor()
  await expect.poll(() => listKeys(browser.target, bucket)).toContain('small.bin')
  expect(sent.filter((call) => call.startsWith('POST'))).toHaveLength(1)
})
