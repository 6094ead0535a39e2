// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openConfirmation } from '../../lib/feedback/confirm.ts'
import { eventually } from '../../testing/eventually.ts'
import { render } from '../../testing/render.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'

test('a question that is confirmed twice before it is shown as busy runs once, and can be confirmed again after an error', async () => {
  const run = vi.fn(async () => {
    throw new Error('not now')
  })
  const question = { title: 'Delete it', body: 'It will be gone.', action: 'Delete', run }
  openConfirmation.set(question)
  render(<ConfirmDialog question={question} />)
  const button = await screen.findByRole('button', { name: 'Delete' })
  act(() => {
    button.click()
    button.click()
  })
  await screen.findByRole('alert')
  expect(run).toHaveBeenCalledOnce()
  expect(openConfirmation.get()).toBe(question)
  run.mockResolvedValueOnce(undefined as never)
  fireEvent.click(button)
  await eventually(() => expect(openConfirmation.get()).toBeUndefined())
  expect(run).toHaveBeenCalledTimes(2)
})
