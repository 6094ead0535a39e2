// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toasts } from '../../lib/feedback/toast.ts'
import { eventually } from '../../testing/eventually.ts'
import { render } from '../../testing/render.tsx'
import { BulkDialog } from './BulkDialog.tsx'

const onClose = vi.fn()
const calls: string[] = []
let answer: (url: string) => Response | Promise<Response>

const show = async (names: string[]) => {
  const view = render(
    <BulkDialog
      title="Delete them"
      body="They will be gone."
      names={names}
      operation="deleteBucket"
      input={(bucket) => ({ params: { bucket }, body: { name: bucket } })}
      done="Deleted"
      progress={(done, total) => `${done} of ${total}`}
      failed={(count) => `${count} left`}
      message={(count) => `${count} gone`}
      help={(_, name) => `Look at ${name}`}
      onClose={onClose}
    />,
  )
  await screen.findByText('They will be gone.')
  return view
}
const start = () => fireEvent.click(screen.getByRole('button', { name: 'Delete them' }))

beforeEach(() => {
  onClose.mockClear()
  toasts.set([])
  calls.length = 0
  vi.stubGlobal('fetch', async (url: string) => {
    calls.push(url)
    return await answer(url)
  })
})
afterEach(() => vi.unstubAllGlobals())

test('nothing happens before the button is pressed; when all calls succeeded, the dialog closes and reports their number', async () => {
  answer = () => new Response(null, { status: 204 })
  await show(['a', 'b'])
  expect(calls).toEqual([])
  start()
  await eventually(() => expect(onClose).toHaveBeenCalledOnce())
  expect(calls).toEqual(['/api/v1/buckets/a', '/api/v1/buckets/b'])
  expect(toasts.get().map(({ message }) => message)).toEqual(['2 gone'])
})

test('a dialog that is confirmed twice before it is shown as busy makes each call once', async () => {
  answer = () => new Response(null, { status: 204 })
  await show(['a', 'b'])
  const button = screen.getByRole('button', { name: 'Delete them' })
  act(() => {
    button.click()
    button.click()
  })
  await eventually(() => expect(onClose).toHaveBeenCalled())
  expect(calls).toEqual(['/api/v1/buckets/a', '/api/v1/buckets/b'])
  expect(onClose).toHaveBeenCalledOnce()
})

test('after a failure it continues, and stays open with the result of each item', async () => {
  answer = (url) =>
    url.endsWith('a') ? Response.json({ message: 'not empty' }, { status: 409 }) : new Response(null, { status: 204 })
  await show(['a', 'b'])
  start()
  await screen.findByText('1 left')
  const [a, b] = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect([a, b]).toEqual([expect.stringContaining('Not emptyLook at a'), expect.stringContaining('bDeleted')])
  expect(onClose).not.toHaveBeenCalled()
  expect(toasts.get().map(({ message }) => message)).toEqual(['1 gone'])
})

test.each(['Cancel', 'unmount'])('%s makes no further call', async (how) => {
  let settle = (_: Response) => {}
  answer = () => new Promise((resolve) => (settle = resolve))
  const { unmount } = await show(['a', 'b'])
  start()
  await eventually(() => expect(calls).toHaveLength(1))
  if (how === 'unmount') unmount()
  else fireEvent.click(screen.getByRole('button', { name: how }))
  settle(new Response(null, { status: 204 }))
  await eventually(() => expect(toasts.get().map(({ message }) => message)).toEqual(['1 gone']))
  expect(calls).toHaveLength(1)
})
