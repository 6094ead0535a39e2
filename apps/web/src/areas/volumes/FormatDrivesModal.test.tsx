// @vitest-environment happy-dom
import '../../testing/dom.ts'
import type { DirectDrive } from '@stowage/contract'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { render } from '../../testing/render.tsx'
import { answerRequests } from '../../testing/responses.ts'
import { FormatDrivesModal } from './FormatDrivesModal.tsx'

afterEach(() => vi.unstubAllGlobals())

const drives = ['sda', 'sdb'].map((drive) => ({ node: 'node1', drive })) as DirectDrive[]
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

test('drives are formatted only after YES, PROCEED, and Cancel is disabled while that runs [STO-11] [STO-12]', async () => {
  const sent = answerRequests({ 'POST /api/v1/direct-csi/drives/format': () => new Promise(() => undefined) })
  render(<FormatDrivesModal drives={drives} all={false} onClose={() => undefined} onDone={() => undefined} />)
  await screen.findByText('All information will be erased and cannot be recovered.')
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['node1:sda', 'node1:sdb'])
  const type = (value: string) => fireEvent.change(screen.getByLabelText('Confirmation'), { target: { value } })
  for (const wrong of ['', 'YES', 'yes, proceed', 'YES, PROCEED ', 'YES,PROCEED']) {
    type(wrong)
    expect([wrong, button('Format Drive(s)').disabled]).toEqual([wrong, true])
  }
  type('YES, PROCEED')
  expect([button('Format Drive(s)').disabled, button('Cancel').disabled]).toEqual([false, false])
  fireEvent.click(screen.getByLabelText('Force Format'))
  fireEvent.click(button('Format Drive(s)'))
  await eventually(() => expect(sent[0]?.body).toEqual({ drives: ['node1:sda', 'node1:sdb'], force: true }))
  expect(button('Cancel').disabled).toBe(true)
})
