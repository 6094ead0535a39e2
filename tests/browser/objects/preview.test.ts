import { PutObjectCommand } from '@aws-sdk/client-s3'
import { MiB } from '@stowage/contract'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { newBucketWith, readObjectText } from '../../support/data/objects.ts'

const browser = useBrowser()
const { open } = browser
const detail = (page: Page) => page.getByRole('complementary', { name: 'Object details' })

test('Markdown is formatted: HTML is text, images are links, and nothing is loaded', async () => {
  const text =
    '# Lakes\n\nSee **Como** and [the map](https://a.example/map), ![x](/api/v1/session?stolen), <b onclick=x>html</b>\n\n- one\n'
  const bucket = await newBucketWith(browser.target, { 'a.md': text })
  const loaded: string[] = []
  const page = await open(`/object-browser/${bucket}/a.md?tab=preview`, {
    before: async (page) => void page.on('request', (request) => loaded.push(request.url())),
  })
  const preview = detail(page)
  await preview.getByRole('heading', { name: 'Lakes' }).waitFor()
  expect(await preview.locator('strong').textContent()).toBe('Como')
  await preview.getByText('<b onclick=x>html</b>').waitFor()
  const links = preview.getByRole('tabpanel').getByRole('link')
  expect(
    await links.evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.getAttribute('rel')])),
  ).toEqual([['https://a.example/map', 'noopener noreferrer nofollow']])
  await preview.getByText('Source', { exact: true }).click()
  await preview.getByText('# Lakes').waitFor()
  expect(loaded.filter((url) => /stolen|a\.example/.test(url))).toEqual([])
})

test('JSON is shown with one value per line, unchanged, and its source on request', async () => {
  const text = '{"id":12345678901234567890,"tags":["a",{}],"html":"<b onclick=x>"}'
  const bucket = await newBucketWith(browser.target, { 'a.json': text, 'broken.json': '{"id":' })
  const page = await open(`/object-browser/${bucket}/a.json?tab=preview`)
  const pre = detail(page).locator('pre')
  await expect
    .poll(() => pre.textContent())
    .toBe('{\n  "id": 12345678901234567890,\n  "tags": [\n    "a",\n    {}\n  ],\n  "html": "<b onclick=x>"\n}')
  await detail(page).getByText('Source', { exact: true }).click()
  await expect.poll(() => pre.textContent()).toBe(text)
  await page.goto(`object-browser/${bucket}/broken.json?tab=preview`)
  await expect.poll(() => pre.textContent()).toBe('{"id":')
  expect(await detail(page).getByText('Formatted').count()).toBe(0)
})

test('a large text shows its first MiB at once, and more as one scrolls', async () => {
  const line = (n: number) => `line ${String(n).padStart(7, '0')}\n`
  const lines = Math.ceil((2.5 * MiB) / line(0).length)
  const bucket = await newBucketWith(browser.target, {
    'a.log': Array.from({ length: lines }, (_, n) => line(n)).join(''),
  })
  const page = await open(`/object-browser/${bucket}/a.log?tab=preview`)
  const text = detail(page).locator('pre')
  await detail(page).getByText('1.0 MiB of 2.5 MiB are shown.').waitFor()
  const length = () => text.evaluate((pre) => pre.textContent.length)
  expect(await length()).toBe(MiB)
  await expect
    .poll(async () => {
      await text.evaluate((pre) => pre.scrollTo(0, pre.scrollHeight))
      return await length()
    })
    .toBe(lines * line(0).length)
})

test('pieces of a text that was replaced while it was open are not mixed', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.log': 'old\n'.repeat(MiB / 2) })
  const page = await open(`/object-browser/${bucket}/a.log?tab=preview`)
  await detail(page).getByText('1.0 MiB of 2.0 MiB are shown.').waitFor()
  const next = { Bucket: bucket, Key: 'a.log', Body: 'new\n'.repeat(MiB / 2) }
  await browser.target.s3.send(new PutObjectCommand(next))
  await detail(page).getByRole('button', { name: 'Show more' }).click()
  await detail(page).getByText('The object was replaced after it was opened.').waitFor()
  expect(await detail(page).locator('pre').textContent()).not.toContain('new')
  await detail(page).getByRole('button', { name: 'Show the new content' }).click()
  await expect.poll(async () => (await detail(page).locator('pre').textContent())?.slice(0, 4)).toBe('new\n')
})

test('an object that was deleted or replaced while it was open is reported, and nothing typed is lost', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'one', 'b.txt': 'x' })
  const page = await open(`/object-browser/${bucket}/a.txt?tab=preview`)
  await page.getByRole('button', { name: 'Edit Text' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Text', { exact: true }).fill('mine')
  await browser.target.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a.txt', Body: 'theirs' }))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByLabel('Text', { exact: true }).inputValue()).toBe('mine')
  expect(await readObjectText(browser.target, bucket, 'a.txt')).toBe('theirs')
  await page.keyboard.press('Escape')

  await page.goto(`object-browser/${bucket}/b.txt`)
  await detail(page).getByText('1 byte').waitFor()
  await browser.target.root.send('deleteObject', { params: { bucket }, query: { path: 'b.txt' } })
  await detail(page).getByRole('button', { name: 'Download' }).click()
  await page
    .getByRole('region', { name: 'Messages' })
    .getByText(/does not exist|not found/i)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await detail(page).getByText('There is nothing here.').waitFor()
})

test('audio can be sought, because only the wanted range is read', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.wav': silence(600) })
  const statuses: number[] = []
  const page = await open(`/object-browser/${bucket}/a.wav`)
  page.on('response', (response) => {
    if (response.url().includes('/objects/download')) statuses.push(response.status())
  })
  await detail(page).getByRole('tab', { name: 'Preview' }).click()
  const audio = detail(page).locator('audio')
  await expect.poll(() => audio.evaluate((media: HTMLAudioElement) => Math.round(media.duration))).toBe(600)
  await audio.evaluate((media: HTMLAudioElement) => {
    media.currentTime = 590
  })
  await expect.poll(() => audio.evaluate((media: HTMLAudioElement) => !media.seeking && media.currentTime)).toBe(590)
  expect(new Set(statuses)).toEqual(new Set([206]))
})

test('a PDF is shown without the rights of the page, and its own scripts get no session', async () => {
  const bucket = await browser.target.newBucket()
  const script = '<html><script>parent.hacked = 1</script></html>'
  const put = { Bucket: bucket, Key: 'a.pdf', Body: script }
  for (const ContentType of ['application/pdf', 'text/html', 'application/pdf; x=text/html']) {
    await browser.target.s3.send(new PutObjectCommand({ ...put, ContentType }))
    const page = await open(`/object-browser/${bucket}/a.pdf?tab=preview`)
    const frame = detail(page).locator('iframe')
    await frame.waitFor({ state: 'attached' })
    const content = await page.request.get((await frame.getAttribute('src')) ?? '')
    expect(content.headers()['x-content-type-options']).toBe('nosniff')
    expect(content.headers()['content-security-policy']).toContain("default-src 'none'")
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    await page.close()
  }
})

/** A WAV file of so many seconds, 8,000 samples of one byte each. */
function silence(seconds: number): Buffer {
  const size = seconds * 8000
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + size, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(size, 40)
  return Buffer.concat([head, Buffer.alloc(size, 128)])
}
