// @vitest-environment happy-dom

import { MiB } from '@stowage/contract'
import type { DetachedWindowAPI } from 'happy-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toasts } from '../lib/feedback/toast.ts'
import { eventually } from '../testing/eventually.ts'
import { downloadObject, downloadZip, startingDownloads } from './downloads.ts'

// A frame starts as an empty page; its later addresses are recorded below instead of loaded. Vitest's window is happy-dom's,
// but not typed as such.
const { happyDOM } = window as unknown as { happyDOM: DetachedWindowAPI }
happyDOM.settings.enableIframePageLoading = true

/** The addresses that the hidden frames were sent to; a real frame would request them. */
const asked: string[] = []

beforeEach(() => {
  asked.length = 0
  toasts.set([])
  vi.spyOn(HTMLIFrameElement.prototype, 'src', 'set').mockImplementation((url) => asked.push(url))
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (this: HTMLFormElement) {
    asked.push(
      `${this.method} ${this.getAttribute('action')} ${new URLSearchParams([...new FormData(this)] as [string, string][])}`,
    )
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

const answer = (status: number, body?: object) =>
  vi.fn(async (..._: Parameters<typeof fetch>) => new Response(JSON.stringify(body), { status }))
const messages = () => toasts.get().map(({ type, message }) => `${type}: ${message}`)

test('a download is requested in a hidden frame, with key and version encoded [OBJ-28]', async () => {
  vi.stubGlobal('fetch', answer(206))
  await downloadObject({ bucket: 'b', key: 'a/ü&?.txt', versionId: 'v1' })
  expect(asked).toEqual(['/api/v1/buckets/b/objects/download?prefix=a%2F%C3%BC%26%3F.txt&version_id=v1'])
  expect(messages()).toEqual([])
})

test.each([
  [404, 'NoSuchKey'],
  [403, 'AccessDenied'],
])('a response %d is reported on the page and saves no file', async (status, message) => {
  vi.stubGlobal('fetch', answer(status, { message }))
  await downloadObject({ bucket: 'b', key: 'a' })
  expect(asked).toEqual([])
  expect(messages()).toEqual([`error: ${message}`])
})

test('an empty object is downloaded although it has no first byte', async () => {
  vi.stubGlobal('fetch', answer(416))
  await downloadObject({ bucket: 'b', key: 'empty' })
  expect(asked).toHaveLength(1)
})

test.each([
  [100 * MiB, []],
  [
    100 * MiB + 1,
    [
      'message: Download process started, it may take a few moments to complete',
      'message: If the download is interrupted, resume it in the downloads of your browser.',
    ],
  ],
])('a download of %d bytes shows %j [OBJ-31]', async (size, expected) => {
  vi.stubGlobal('fetch', answer(206))
  await downloadObject({ bucket: 'b', key: 'a', size })
  expect(messages()).toEqual(expected)
})

test('a file is listed as downloading until its download has started [OBJ-18]', async () => {
  let begin = () => {}
  vi.stubGlobal('fetch', () => new Promise((done) => (begin = () => done(new Response('', { status: 206 })))))
  const done = downloadObject({ bucket: 'b', key: 'a' })
  await eventually(() => expect(startingDownloads.get()).toMatchObject([{ bucket: 'b', keys: ['a'] }]))
  const beginFirst = begin
  const second = downloadObject({ bucket: 'b', key: 'c' })
  await eventually(() => expect(startingDownloads.get()).toMatchObject([{ keys: ['a'] }, { keys: ['c'] }]))
  beginFirst()
  await done
  expect(startingDownloads.get()).toMatchObject([{ keys: ['c'] }])
  begin()
  await second
  expect(startingDownloads.get()).toEqual([])
})

test('a selection is requested as one zip file, by a form', async () => {
  vi.stubGlobal('fetch', answer(200))
  await downloadZip('b', ['a/', 'c'], 'b.zip', undefined)
  expect(asked).toEqual([
    'post /api/v1/buckets/b/objects/download-multiple objects=%5B%22a%2F%22%2C%22c%22%5D&name=b.zip',
  ])
})

test('a zip file that may take long is announced, because it cannot be resumed', async () => {
  vi.stubGlobal('fetch', answer(200))
  await downloadZip('b', ['c'], 'b.zip', 5 * MiB)
  expect(messages()).toEqual([])
  const announced = [
    'message: Download of b.zip started. A zip file cannot be resumed: if it is interrupted, start it again.',
  ]
  await downloadZip('b', ['c'], 'b.zip', 500 * MiB)
  expect(messages()).toEqual(announced)
  toasts.set([])
  await downloadZip('b', ['a/'], 'b.zip', undefined)
  expect(messages()).toEqual(announced)
})
