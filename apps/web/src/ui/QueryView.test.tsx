// @vitest-environment happy-dom
import '../testing/dom.ts'
import { useQuery } from '@tanstack/react-query'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { q, queryClient } from '../lib/api/query.ts'
import { render } from '../testing/render.tsx'
import { Page } from './Page.tsx'
import { QueryView } from './QueryView.tsx'

/** What the console answers, one after the other; the last one is for all that follow. */
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

test('a read is shown; Refresh reads it again, and a failure leaves it with a notice', async () => {
  answers = [() => json({ quota: 5 }), () => json({ quota: 6 }), () => json({ message: 'not now' }, 500)]
  render(<Quota />)
  await screen.findByText('5 bytes')
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await screen.findByText('6 bytes')
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await screen.findByText(/^Not now\./)
  screen.getByText('6 bytes')
})

test('what is gone since is not shown any more, and cannot be tried again', async () => {
  answers = [() => json({ quota: 5 }), () => json({ message: 'no such bucket' }, 404)]
  render(<Quota />)
  await screen.findByText('5 bytes')
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await screen.findByRole('heading', { name: 'No such bucket' })
  expect(screen.queryByText('5 bytes')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
})

test('a failed read can be tried again; an answer without content has its own words', async () => {
  answers = [() => json({ message: 'not now' }, 500), () => json({})]
  render(<Quota />)
  await screen.findByRole('heading', { name: 'Not now' })
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText('No quota')
})
