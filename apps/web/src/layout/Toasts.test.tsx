// @vitest-environment happy-dom
import '../testing/dom.ts'
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiFailure } from '../lib/api/api-failure.ts'
import { toast, toasts } from '../lib/feedback/toast.ts'
import { render } from '../testing/render.tsx'
import { Toasts } from './Toasts.tsx'

beforeEach(async () => {
  toasts.set([])
  render(<Toasts />)
  await screen.findByRole('region', { name: 'Messages' })
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

const pass = (ms: number) => {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}
const shown = (text: string) => screen.queryByText(text) !== null

test('a message is shown for 5 s, an error for 10 s [SHL-28]', () => {
  act(() => {
    toast.ok('Saved')
    toast.error('Refused')
  })
  pass(4_900)
  expect([shown('Saved'), shown('Refused')]).toEqual([true, true])
  pass(200)
  expect([shown('Saved'), shown('Refused')]).toEqual([false, true])
  pass(4_800)
  expect(shown('Refused')).toBe(true)
  pass(200)
  expect(shown('Refused')).toBe(false)
})

test('the timer stops under the pointer, and continues afterwards [SHL-30]', () => {
  act(() => toast.error('Refused'))
  pass(9_000)
  const snack = screen.getByText('Refused').closest('div[class*="snack"]') as HTMLElement
  fireEvent.mouseEnter(snack)
  pass(60_000)
  expect(shown('Refused')).toBe(true)
  fireEvent.mouseLeave(snack)
  pass(1_100)
  expect(shown('Refused')).toBe(false)
})

test('a failed call shows its message and details, and can be closed [SHL-29] [SHL-30]', () => {
  act(() => toast.failure(new ApiFailure(409, { message: 'not empty', detailedMessage: 'delete all versions' })))
  expect(shown('Not empty')).toBe(true)
  expect(shown('Delete all versions')).toBe(false)
  fireEvent.click(screen.getByRole('button', { name: 'Details' }))
  expect(shown('Delete all versions')).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(shown('Not empty')).toBe(false)
})

test('a message has text, detail and type; an empty one does not appear [SHL-26] [SHL-27]', () => {
  act(() => {
    toast.ok('')
    toast.error('', 'a detail of nothing')
    toast.error('Refused', 'why')
  })
  expect(toasts.get()).toMatchObject([{ message: 'Refused', detail: 'why', type: 'error' }])
  act(() => toasts.set([]))
  expect(shown('Refused')).toBe(false)
})

test('an error that the sign-in page shows is not shown twice', () => {
  act(() => {
    toast.failure(new ApiFailure(401, {}))
    toast.failure(new ApiFailure(0, {}))
  })
  expect(toasts.get()).toEqual([])
})
