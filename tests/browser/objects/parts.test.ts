import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { MiB } from '@stowage/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { breakCalls, holdCalls, recordCalls, routeCalls } from '../../support/browser/page-calls.ts'
import {
  answerChooser,
  chooseFiles,
  memoryFile,
  type TempFiles,
  tempFiles,
} from '../../support/browser/upload-files.ts'
import { listKeys, md5Digest, readObjectBytes } from '../../support/data/objects.ts'
import { type FaultProxy, startFaultProxy } from '../../support/network/fault-proxy.ts'

const browser = useBrowser()
const { open } = browser

/** Uploaded in two parts, the second one smaller. */
const bytes = randomBytes(18 * MiB)
let files: TempFiles
let big: string
beforeAll(async () => {
  files = await tempFiles({ 'big.bin': bytes })
  big = files.path('big.bin')
})
afterAll(async () => await files[Symbol.asyncDispose]())

const tray = (page: Page) => page.getByRole('region', { name: 'Transfers' })
const part = (n: number) => ({ url: new RegExp(`/uploads/[^/]+/${n}\\?`), method: 'PUT' })
const partCall = /\/uploads\/[^/]+\/\d+$/
/** How often each part was sent. */
const sentParts = (calls: string[]) => calls.map((call) => Number(/\/(\d+)\?/.exec(call)?.[1])).toSorted()
/** Chooses the file and waits until its first part, 16 of 18 MiB, has arrived; the test holds the second one. */
async function uploadFirstPart(page: Page) {
  const first = page.waitForResponse(part(1).url)
  await chooseFiles(page, big)
  await first
  const progress = tray(page).getByRole('progressbar', { name: 'Progress of big.bin' })
  await expect.poll(async () => Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThanOrEqual(88)
}

/** Uploads the first part, then cuts the connection of the second one in its middle, so many times. */
async function cutSecondPart(page: Page, network: FaultProxy, times: number) {
  const second = await holdCalls(page, part(2))
  await uploadFirstPart(page)
  const calls = recordCalls(page, partCall)
  const failed = page.waitForEvent('requestfailed', (request) => part(2).url.test(request.url()))
  network.set({ cutUpAfter: MiB, times })
  await second.release()
  return { calls, failed: await failed }
}

const isWhole = async (bucket: string) =>
  md5Digest(await readObjectBytes(browser.target, bucket, 'big.bin')) === md5Digest(bytes)
const openUploads = async (bucket: string) =>
  (await browser.target.s3.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? []

test('a failed part is sent again automatically', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/object-browser/${bucket}`)
  const calls = recordCalls(page, partCall)
  const network = await breakCalls(page, part(2), 1)
  await chooseFiles(page, big)
  await page.getByText('Object uploaded successfully.').waitFor()
  expect(network.broken()).toBe(1)
  expect(sentParts(calls)).toEqual([1, 2, 2])
  expect(await isWhole(bucket)).toBe(true)
})

test('if a connection breaks in the middle of a part, the part is sent again and the upload continues', async () => {
  const bucket = await browser.target.newBucket()
  await using network = await startFaultProxy(browser.target.url)
  const page = await open(`/object-browser/${bucket}`, { url: network.url })
  // Twice: Chromium repeats a request once, unseen by the page, if the connection was used before.
  const { calls, failed } = await cutSecondPart(page, network, 2)
  expect(failed.failure()?.errorText).toContain('net::ERR_CONNECTION_RESET')
  await page.getByText('Object uploaded successfully.').waitFor()
  expect(network.cuts).toBe(2)
  expect(sentParts(calls)).not.toContain(1)
  expect(await isWhole(bucket)).toBe(true)
})

test('an upload waits while the computer is offline, and goes on by itself when the network is back', async () => {
  const bucket = await browser.target.newBucket()
  await using network = await startFaultProxy(browser.target.url)
  const page = await open(`/object-browser/${bucket}`, { url: network.url })
  // No body arrives whole until the network is back.
  const { calls } = await cutSecondPart(page, network, 1000)
  await page.context().setOffline(true)
  await tray(page).getByText('Waiting for the network').waitFor()
  network.set({})
  await page.context().setOffline(false)
  await page.getByText('Object uploaded successfully.').waitFor()
  expect(network.cuts).toBeGreaterThan(0)
  expect(sentParts(calls)).not.toContain(1)
  expect(await isWhole(bucket)).toBe(true)
})

test('Retry continues a failed upload with the missing parts [OBJ-30]', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/object-browser/${bucket}`)
  await routeCalls(page, part(2).url, (route) =>
    route.fulfill({ status: 403, json: { code: 403, message: 'not now' } }),
  )
  await chooseFiles(page, big)
  await page.getByRole('region', { name: 'Messages' }).getByText('An error occurred while uploading the file').waitFor()
  await tray(page).getByText('Not now').waitFor()
  await page.unroute(part(2).url)
  const calls = recordCalls(page, partCall)
  await tray(page).getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Object uploaded successfully.').waitFor()
  expect(sentParts(calls)).toEqual([2])
  expect(await isWhole(bucket)).toBe(true)
})

test('progress is shown; a cancelled upload is deleted with its parts', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/object-browser/${bucket}`)
  await holdCalls(page, part(2))
  await uploadFirstPart(page)
  expect(await openUploads(bucket)).toHaveLength(1)
  await tray(page).getByRole('button', { name: 'Cancel big.bin' }).click()
  await tray(page).waitFor({ state: 'hidden' })
  await expect.poll(() => openUploads(bucket)).toEqual([])
  await page.getByText('This location is empty, please try uploading a new file').waitFor()
})

test('a paused upload waits, and continues where it stopped', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/object-browser/${bucket}`)
  const second = await holdCalls(page, part(2))
  await uploadFirstPart(page)
  await tray(page).getByRole('button', { name: 'Pause big.bin' }).click()
  await tray(page).getByText('Paused', { exact: true }).waitFor()
  await tray(page).getByText('16 of 18 MiB kept').waitFor()
  await second.release()
  const calls = recordCalls(page, partCall)
  await tray(page).getByRole('button', { name: 'Resume big.bin' }).click()
  await page.getByText('Object uploaded successfully.').waitFor()
  expect(sentParts(calls)).toEqual([2])
  expect(await isWhole(bucket)).toBe(true)
})

test('after a reload the upload asks for its file again and continues with the missing parts', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/object-browser/${bucket}`)
  // The browser asks before the page is left.
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  const second = await holdCalls(page, part(2))
  await uploadFirstPart(page)
  await page.reload()
  await second.release()
  expect(asked).toEqual(['beforeunload'])

  await tray(page).getByText('Choose the file again to continue').waitFor()
  const choose = tray(page).getByRole('button', { name: 'Choose File' })
  await answerChooser(page, choose, [memoryFile('other.bin', 'not it')])
  await page.getByText('No upload is waiting for other.bin').waitFor()

  const calls = recordCalls(page, partCall)
  await answerChooser(page, choose, big)
  await page.getByText('Object uploaded successfully.').waitFor()
  expect(sentParts(calls)).toEqual([2])
  expect(await isWhole(bucket)).toBe(true)
})

test('an upload survives a change of page and the end of the session [SHL-33]', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/object-browser/${bucket}`)
  const second = await holdCalls(page, part(2))
  await chooseFiles(page, big)
  await page.getByRole('link', { name: 'All Buckets' }).click()
  await page.getByRole('heading', { name: 'All Buckets' }).waitFor()
  await tray(page).getByText('1 running').first().waitFor()
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByLabel('Enter Username').fill(browser.target.rootUser)
  expect(await tray(page).count()).toBe(0)
  await second.release()
  await page.getByLabel('Enter Password', { exact: true }).fill(browser.target.rootPassword)
  await page.keyboard.press('Enter')
  await page.getByText('Object uploaded successfully.').waitFor()
  await page.getByRole('heading', { name: 'All Buckets' }).waitFor()
  expect(await isWhole(bucket)).toBe(true)
})

test('a file that changes while it is uploaded is refused at once, and no mixed object appears', async () => {
  const bucket = await browser.target.newBucket()
  await using own = await tempFiles({ 'big.bin': bytes })
  const page = await open(`/object-browser/${bucket}`)
  const second = await holdCalls(page, part(2))
  const first = page.waitForResponse(part(1).url)
  await chooseFiles(page, own.path('big.bin'))
  await first
  await tray(page).getByRole('button', { name: 'Pause big.bin' }).click()
  await second.release()
  await writeFile(own.path('big.bin'), randomBytes(18 * MiB + 1))
  const calls = recordCalls(page, partCall)
  await tray(page).getByRole('button', { name: 'Resume big.bin' }).click()
  await tray(page).getByText('The file was changed, moved or deleted after it was chosen').waitFor()
  expect(calls.length).toBeLessThanOrEqual(1)
  expect(await listKeys(browser.target, bucket)).toEqual([])
})

test('an upload that reaches the quota keeps its parts, and Retry continues when there is room', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const page = await open(`/object-browser/${bucket}`)
  const second = await holdCalls(page, part(2))
  await uploadFirstPart(page)
  const quota = (amount: number) =>
    target.call('setBucketQuota', { params: { bucket }, body: { enabled: true, quota_type: 'hard', amount } })
  await quota(MiB)
  await second.release()
  await tray(page).getByText(/quota/i).waitFor()
  expect(await listKeys(target, bucket)).toEqual([])
  await quota(100 * MiB)
  const calls = recordCalls(page, partCall)
  await tray(page).getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Object uploaded successfully.').waitFor()
  expect(sentParts(calls)).not.toContain(1)
  expect(await isWhole(bucket)).toBe(true)
})
