// @vitest-environment happy-dom
import '../../../testing/dom.ts'
import { GiB } from '@stowage/contract'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../../lib/api/query.ts'
import { eventually } from '../../../testing/eventually.ts'
import { render } from '../../../testing/render.tsx'
import { answerRequests, type SentRequest } from '../../../testing/responses.ts'
import { AddPoolModal } from './AddPoolModal.tsx'

let sent: SentRequest[]
beforeEach(async () => {
  queryClient.clear()
  const quota = (name: string) => ({ name: `${name}.storageclass.storage.k8s.io/requests.storage`, hard: 1, used: 0 })
  sent = answerRequests({
    'GET /api/v1/namespaces/team-a/resourcequotas/team-a-storagequota': () => ({
      elements: ['fast', 'slow'].map(quota),
    }),
    'POST /api/v1/namespaces/team-a/tenants/media/pools': () => null,
  })
  render(<AddPoolModal namespace="team-a" tenant="media" taken={['pool-0']} onClose={() => undefined} />)
  await screen.findByLabelText('Volume Size (Gi)')
})
afterEach(() => vi.unstubAllGlobals())

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })

test.each([
  ['Volume Size (Gi)', ['', '0', '0.5', '0.99', '-4'], '1', 'The pool size must be greater than 1Gi'],
  ['Volumes per Server', ['', '0', '-1'], '1', 'Number of drives must be at least 1'],
])('%s has a minimum of 1 [TNT-28]', (label, wrong, right, problem) => {
  for (const value of wrong) {
    type(label, value)
    screen.getByText(problem)
    expect([value, save().disabled]).toEqual([value, true])
  }
  type(label, right)
  expect(screen.queryByText(problem)).toBeNull()
  expect(save().disabled).toBe(false)
})

test('the capacities are those of one server and of all, and the pool is sent with the chosen class [TNT-27] [TNT-30]', async () => {
  type('Number o Nodes', '5')
  type('Volume Size (Gi)', '10')
  type('Volumes per Server', '2')
  const value = (label: string) => screen.getByText(label).parentElement?.textContent
  expect(value('Instance Capacity')).toBe('Instance Capacity20 GiB')
  expect(value('Total Capacity')).toBe('Total Capacity100 GiB')
  await screen.findByRole('option', { name: 'slow' })
  fireEvent.change(screen.getByLabelText('Storage Class'), { target: { value: 'slow' } })
  fireEvent.click(save())
  await eventually(() =>
    expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({
      name: 'pool-1',
      servers: 5,
      volumes_per_server: 2,
      volume_configuration: { size: 10 * GiB, storage_class_name: 'slow' },
    }),
  )
})
