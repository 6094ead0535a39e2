// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { render } from '../../testing/render.tsx'
import { answerRequests, type SentRequest } from '../../testing/responses.ts'
import { ChangePasswordModal } from './ChangePasswordModal.tsx'

let sent: SentRequest[]
beforeEach(async () => {
  sent = answerRequests({ 'POST /api/v1/account/change-password': () => null })
  render(<ChangePasswordModal onClose={() => undefined} />)
  await screen.findByLabelText('Current Password')
})
afterEach(() => vi.unstubAllGlobals())

const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
function fill(current: string, next: string, repeated: string) {
  const values = { 'Current Password': current, 'New Password': next, 'Type New Password Again': repeated }
  for (const [label, value] of Object.entries(values))
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
}

test('Save needs all three fields [SVC-19]', () => {
  expect(save().disabled).toBe(true)
  for (const [current, next, repeated] of [
    ['', 'new-secret', 'new-secret'],
    ['old-secret', '', 'new-secret'],
    ['old-secret', 'new-secret', ''],
  ] as const) {
    fill(current, next, repeated)
    expect([current, next, repeated, save().disabled]).toEqual([current, next, repeated, true])
  }
  fill('old-secret', 'new-secret', 'new-secret')
  expect(save().disabled).toBe(false)
})

test.each([
  ['new-secret', 'new-Secret', "New passwords don't match"],
  ['new-secret', 'other-word', "New passwords don't match"],
  ['seven-7', 'seven-7', 'Passwords must be at least 8 characters long'],
])('%s and %s: %s, and nothing is sent [SVC-17] [SVC-18]', async (next, repeated, problem) => {
  fill('old-secret', next, repeated)
  fireEvent.click(save())
  await screen.findByText(problem)
  expect(sent).toEqual([])
})

test('equal passwords of eight characters are sent with the current one [SVC-17] [SVC-18] [SVC-20]', async () => {
  fill('old-secret', 'eight-88', 'eight-88')
  fireEvent.click(save())
  await eventually(() =>
    expect(sent[0]?.body).toEqual({ current_secret_key: 'old-secret', new_secret_key: 'eight-88' }),
  )
})
