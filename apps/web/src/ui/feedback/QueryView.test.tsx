// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { useQuery } from '@tanstack/react-query'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { q, queryClient } from '../../lib/api/query.ts'
import { render } from '../../testing/render.tsx'
import { Page } from '../page/Page.tsx'
import { QueryView } from './QueryView.tsx'

/** The responses of the console, in order; the last one is repeated. */
let answers: (() => Response)[] = []
const json = (body: unknown, status = 200) => Response.json(body, { status })

function Quota() {
  const query = useQuery(q('getBucketQuota', { params: { bucket: 'media' } }))
  return (
    <Page title="Quota" refresh={['getBucketQuota']}>
      <QueryView query={query} empty={({ quota }) => quota === undefined && <p>No quota</p>}>
        {({ quota }) => <p>{quota} bytes</p>}
      </QueryView>
    </Page>
  )
}

beforeEach(() => {
  queryClient.clear()
  vi.stubGlobal('fetch', async () => ((answers.length > 1 ? answers.shift() : answers[0]) as () => Response)())
})
afterEach(() => vi.unstubAllGlobals())

test('shows the data; Refresh reads them again, and after a failure they stay below a notice', async () => {
  answers = [() => json({ quota: 5 }), () => json({ quota: 6 }), () => json({ message: 'not now' }, 500)]
  render(<Quota />)
  await screen.findByText('5 bytes')
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await screen.findByText('6 bytes')
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await screen.findByText(/^Not now\./)
  screen.getByText('6 bytes')
})

test('a resource that was deleted is no longer shown, and has no Retry button', async () => {
  answers = [() => json({ quota: 5 }), () => json({ message: 'no such bucket' }, 404)]
  render(<Quota />)
  await screen.findByText('5 bytes')
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await screen.findByRole('heading', { name: 'No such bucket' })
  expect(screen.queryByText('5 bytes')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
})

test('a failed read can be retried; an empty result has its own text', async () => {
  answers = [() => json({ message: 'not now' }, 500), () => json({})]
  render(<Quota />)
  await screen.findByRole('heading', { name: 'Not now' })
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText('No quota')
})
