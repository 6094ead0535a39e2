// @vitest-environment happy-dom
import '../../../testing/dom.ts'
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { browserHistory } from '../../../lib/navigation/navigate.ts'
import { eventually } from '../../../testing/eventually.ts'
import { render } from '../../../testing/render.tsx'
import { PathModal } from './PathModal.tsx'

const onClose = vi.fn()
const field = () => screen.getByLabelText<HTMLInputElement>('New Folder Path')
const type = (path: string) => fireEvent.change(field(), { target: { value: path } })
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

beforeEach(async () => {
  onClose.mockClear()
  browserHistory.replace('/object-browser/media/masters/')
  render(<PathModal bucket="media" prefix="masters/" onClose={onClose} />)
  await screen.findByText('Choose or create a new path')
})

test('shows the current path, and Go waits for a path [OBJ-12]', () => {
  screen.getByText('media/masters/')
  expect(button('Go').disabled).toBe(true)
  type(' / ')
  expect(button('Go').disabled).toBe(true)
  type('2026')
  expect(button('Go').disabled).toBe(false)
})

test('Clear empties the field [OBJ-12]', () => {
  type('2026/11')
  fireEvent.click(button('Clear'))
  expect(field().value).toBe('')
  expect(button('Go').disabled).toBe(true)
})

test('Go opens the folder below, without a call to the server [OBJ-12]', async () => {
  const fetch = vi.fn()
  vi.stubGlobal('fetch', fetch)
  type('/2026//11')
  fireEvent.click(button('Go'))
  await eventually(() => expect(browserHistory.location.pathname).toBe('/object-browser/media/masters/2026/11/'))
  expect(onClose).toHaveBeenCalled()
  expect(fetch).not.toHaveBeenCalled()
  vi.unstubAllGlobals()
})

test('an empty field shows an error, a field with a path does not [SHL-50]', async () => {
  expect(screen.queryByText('Field cannot be empty')).toBeNull()
  fireEvent.blur(field())
  await screen.findByText('Field cannot be empty')
  type('2026')
  await eventually(() => expect(screen.queryByText('Field cannot be empty')).toBeNull())
})
