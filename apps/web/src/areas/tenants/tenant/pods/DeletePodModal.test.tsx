// @vitest-environment happy-dom
import '../../../../testing/dom.ts'
import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '../../../../testing/render.tsx'
import { DeletePodModal } from './DeletePodModal.tsx'

test('a pod is deleted only after its whole name is typed [TNT-33]', async () => {
  render(<DeletePodModal namespace="team-a" tenant="media" pod="media-pool-0-1" onClose={() => undefined} />)
  const field = await screen.findByLabelText('Pod Name')
  const remove = screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' })
  const type = (value: string) => fireEvent.change(field, { target: { value } })
  expect([remove.disabled, screen.queryByText('Tenant name is incorrect')]).toEqual([true, null])
  for (const wrong of ['media-pool-0', 'media-pool-0-10', ' media-pool-0-1', 'MEDIA-POOL-0-1']) {
    type(wrong)
    screen.getByText('Tenant name is incorrect')
    expect([wrong, remove.disabled]).toEqual([wrong, true])
  }
  type('media-pool-0-1')
  expect([remove.disabled, screen.queryByText('Tenant name is incorrect')]).toEqual([false, null])
})
