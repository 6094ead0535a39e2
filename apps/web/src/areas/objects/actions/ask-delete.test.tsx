// @vitest-environment happy-dom
import '../../../testing/dom.ts'
import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openConfirmation } from '../../../lib/feedback/confirm.ts'
import { toasts } from '../../../lib/feedback/toast.ts'
import { eventually } from '../../../testing/eventually.ts'
import { render } from '../../../testing/render.tsx'
import { setTransferOwner, transfers } from '../../../transfers/transfers.ts'
import type { FolderEntry } from '../entries/folder-entries.ts'
import { askDeleteEntries } from './ask-delete.tsx'

const object = (key: string): FolderEntry => ({
  key,
  name: key,
  folder: false,
  size: 1,
  modified: '',
  etag: '',
  order: 0,
})
const folder = (key: string): FolderEntry => ({ ...object(key), folder: true })
const lines = (...values: object[]) => new Response(values.map((value) => JSON.stringify(value)).join('\n'))
const calls: { url: string; body: unknown }[] = []
const answerWith = (...values: object[]) =>
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    calls.push({ url, body: init.body ? JSON.parse(String(init.body)) : undefined })
    return lines(...values)
  })
const messages = () => toasts.get().map(({ type, message }) => `${type}: ${message}`)

/** Presses the dialog's button. */
async function agree() {
  const question = openConfirmation.get()
  if (!question) throw new Error('nothing was asked')
  await question.run()
}

beforeEach(() => {
  calls.length = 0
  toasts.set([])
  openConfirmation.set(undefined)
  setTransferOwner('amal')
})
afterEach(() => vi.unstubAllGlobals())

test('a single object is deleted while the dialog waits, and its name is reported [OBJ-26] [OBJ-32]', async () => {
  answerWith({ done: true, deleted: 1, failed: 0, errors: [] })
  askDeleteEntries({ bucket: 'media', entries: [object('slate.png')], versioned: false })
  expect(openConfirmation.get()).toMatchObject({ title: 'Delete Object', subject: 'slate.png', danger: true })
  await agree()
  expect(calls[0]?.url).toBe('/api/v1/buckets/media/objects?path=slate.png')
  expect(messages()).toEqual(["message: Object 'slate.png' deleted successfully."])
})

test('if an object may not be deleted, the dialog shows the error', async () => {
  const errors = [{ path: 'slate.png', code: 'AccessDenied', message: 'Access Denied.' }]
  answerWith({ done: true, deleted: 0, failed: 1, errors })
  askDeleteEntries({ bucket: 'media', entries: [object('slate.png')], versioned: false })
  await expect(agree()).rejects.toThrow('Access Denied.')
  expect(messages()).toEqual([])
})

test('a selection is deleted as a job in the tray, folders with their content [OBJ-27] [OBJ-32]', async () => {
  answerWith({ deleted: 5, failed: 0 }, { done: true, deleted: 7, failed: 0, errors: [] })
  const onDone = vi.fn()
  askDeleteEntries({ bucket: 'media', entries: [object('a'), folder('b/')], versioned: false, onDone })
  await agree()
  expect(onDone).toHaveBeenCalled()
  await eventually(() => expect(messages()).toEqual(['message: Objects deleted successfully.']))
  expect(calls[0]).toEqual({
    url: '/api/v1/buckets/media/delete-objects',
    body: [
      { path: 'a', recursive: false },
      { path: 'b/', recursive: true },
    ],
  })
  expect([...transfers.values()].at(-1)).toMatchObject({ kind: 'job', state: 'done', count: 7 })
})

test.each([
  [true, /a delete marker hides the object, its versions are kept/],
  [false, /This cannot be undone/],
])('the dialog explains the consequences (versioning: %s)', async (versioned, text) => {
  askDeleteEntries({ bucket: 'media', entries: [folder('b/')], versioned })
  render(openConfirmation.get()?.body)
  await screen.findByText(text)
  screen.getByText(/Every object in the folder/)
})
