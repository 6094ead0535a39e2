// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { q, queryClient } from '../../lib/api/query.ts'
import { useChange } from '../../lib/changes/change.ts'
import { openConfirmation } from '../../lib/feedback/confirm.ts'
import { toasts } from '../../lib/feedback/toast.ts'
import { dropDraft } from '../../lib/session/drafts.ts'
import { eventually } from '../../testing/eventually.ts'
import { render } from '../../testing/render.tsx'
import { TextField } from '../form/TextField.tsx'
import { FormModal } from './FormModal.tsx'

let answers: Record<string, () => Response | Promise<Response>> = {}
const json = (body: unknown, status = 200) => Response.json(body, { status })
const onClose = vi.fn()

function Create() {
  const { data } = useQuery(q('listBuckets', {}))
  const isEmpty = (value: string) => (value === '' ? 'Field cannot be empty' : null)
  const form = useForm({ initialValues: { label: '', note: 'x' }, validate: { note: isEmpty, label: isEmpty } })
  const create = useChange('createBucket', { onDone: onClose, message: (_, { body }) => `${body.name} is there` })
  return (
    <>
      <p>{data?.total} buckets</p>
      <FormModal
        title="Create"
        form={form}
        change={create}
        fields={{ name: 'label' }}
        onClose={onClose}
        onSubmit={({ label }) => create.run({ body: { name: label, versioning: false, locking: false } })}
      >
        <TextField label="Label" hint="Choose one" {...form.getInputProps('label')} />
        <TextField label="Note" {...form.getInputProps('note')} />
      </FormModal>
    </>
  )
}

const label = () => screen.getByLabelText<HTMLInputElement>('Label')
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))

beforeEach(async () => {
  onClose.mockClear()
  toasts.set([])
  queryClient.clear()
  // The form of the previous test went away without Cancel.
  dropDraft('Create ')
  answers = { 'GET /api/v1/buckets': () => json({ buckets: [], total: 1 }) }
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => answers[`${method} ${url}`]?.())
  render(<Create />)
  await screen.findByText('1 buckets')
  fireEvent.change(await screen.findByLabelText('Label'), { target: { value: 'media' } })
})
afterEach(() => vi.unstubAllGlobals())

test('a change closes its dialog and shows its message at once; the changed data are read again in the background', async () => {
  answers['POST /api/v1/buckets'] = () => json({}, 201)
  let read = (_: Response) => {}
  answers['GET /api/v1/buckets'] = () => new Promise((resolve) => (read = resolve))
  save()
  await eventually(() => expect(onClose).toHaveBeenCalledOnce())
  expect(toasts.get().map(({ message }) => message)).toEqual(['media is there'])
  screen.getByText('1 buckets')
  read(json({ buckets: [], total: 2 }))
  await screen.findByText('2 buckets')
})

test('a form with wrong fields moves the focus to the first of them', () => {
  for (const name of ['Note', 'Label']) fireEvent.change(screen.getByLabelText(name), { target: { value: '' } })
  screen.getByRole('button', { name: 'Save' }).focus()
  save()
  expect(screen.getAllByText('Field cannot be empty')).toHaveLength(2)
  expect(document.activeElement).toBe(label())
})

test("the server's error about a field is shown at that field, which has the focus, until it is edited", async () => {
  const reason = { id: 'bucket-name-reserved' }
  answers['POST /api/v1/buckets'] = () => json({ message: 'name is kept', field: 'name', reason }, 400)
  save()
  const said = 'The storage server reserves this name'
  await screen.findByText(said)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.queryByText('Choose one')).toBeNull()
  expect(label().getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(label())
  fireEvent.change(label(), { target: { value: 'other' } })
  await screen.findByText('Choose one')
  expect(screen.queryByText(said)).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
  // If the same value is rejected again, the error is shown again.
  save()
  await screen.findByText(said)
})

test('an error without a field, or about a field that the form does not have, is shown in the dialog', async () => {
  answers['POST /api/v1/buckets'] = () => json({ message: 'too large', field: 'quota.amount' }, 400)
  save()
  expect((await screen.findByRole('alert')).textContent).toContain('Too large')
  answers['POST /api/v1/buckets'] = () => json({ message: 'not now' }, 503)
  save()
  await screen.findByText('Not now')
  expect(label().value).toBe('media')
  expect(onClose).not.toHaveBeenCalled()
})

test('a form that is submitted twice before it is shown as busy makes one call, and can be submitted again after an error', async () => {
  let calls = 0
  answers['POST /api/v1/buckets'] = () => {
    calls++
    return json({ message: 'not now' }, 503)
  }
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
  act(() => {
    button.click()
    button.click()
  })
  await screen.findByText('Not now')
  expect(calls).toBe(1)
  save()
  await eventually(() => expect(calls).toBe(2))
})

const pressEscape = () => fireEvent.keyDown(document.body, { key: 'Escape' })

test('Escape asks before it discards the input of several fields; Cancel does not ask', async () => {
  pressEscape()
  await eventually(() => expect(openConfirmation.get()?.title).toBe('Discard Changes'))
  expect(onClose).not.toHaveBeenCalled()
  await act(async () => await openConfirmation.get()?.run())
  expect(onClose).toHaveBeenCalledOnce()
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(onClose).toHaveBeenCalledTimes(2)
})

test('input stays when the form goes away without Cancel or Save, and is gone after Cancel', async () => {
  cleanup()
  render(<Create />)
  await screen.findByText('1 buckets')
  expect(label().value).toBe('media')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  cleanup()
  render(<Create />)
  await screen.findByText('1 buckets')
  expect(label().value).toBe('')
})
