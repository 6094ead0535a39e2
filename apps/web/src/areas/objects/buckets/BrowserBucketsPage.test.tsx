// @vitest-environment happy-dom
import '../../../testing/dom.ts'
import type { Input } from '@stowage/contract'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../../lib/api/query.ts'
import { eventually } from '../../../testing/eventually.ts'
import { render } from '../../../testing/render.tsx'
import { BrowserBucketsPage } from './BrowserBucketsPage.tsx'

const bucket = { name: 'media', creation_date: '2026-01-01T00:00:00Z', size: 2048, objects: 3 }
/** The size of each listed bucket, in bytes. */
const listed = { size: 0 }
function start(mayCreate: boolean, buckets = [bucket]) {
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    if (url === '/api/v1/has-permission') {
      const { actions } = JSON.parse(body) as Input<'hasPermission'>['body']
      const may = (action: string) => action !== 's3:CreateBucket' || mayCreate
      return Response.json({ permissions: actions.map(({ id, action }) => ({ id, can: may(action), sure: true })) })
    }
    return Response.json({ buckets: buckets.map((each) => ({ ...each, size: listed.size })), total: buckets.length })
  })
  render(<BrowserBucketsPage />)
}

const places = [
  { bucket: 'homes', prefix: 'bob/', list: true },
  { bucket: 'drop', prefix: 'in/', list: false },
  { bucket: 'media', prefix: '', list: true },
]
beforeEach(() => {
  listed.size = bucket.size
  queryClient.clear()
  queryClient.setQueryData(['getSession', {}], { user: 'bob', places })
})
afterEach(() => vi.unstubAllGlobals())

test('lists all buckets, with filter and refresh [OBJ-01] [OBJ-03]', async () => {
  start(false)
  await screen.findByRole('heading', { name: 'All Buckets' })
  screen.getByPlaceholderText('Filter Buckets')
  for (const name of ['Name', 'Used Space']) screen.getByRole('columnheader', { name })
  await screen.findByText('2.0 KiB')
  listed.size = 4096
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await screen.findByText('4.0 KiB')
})

test.each([
  [true, 1],
  [false, 0],
])('may create buckets: %s, so there are %d buttons for it [OBJ-02]', async (mayCreate, icons) => {
  start(mayCreate)
  await screen.findByText('2.0 KiB')
  await eventually(() => expect(screen.queryAllByRole('button', { name: 'Create Bucket' })).toHaveLength(icons))
})

test('without buckets, the page explains them and offers to create one', async () => {
  start(true, [])
  await screen.findByRole('heading', { name: 'There are no Buckets yet.' })
  await eventually(() => expect(screen.getAllByRole('button', { name: 'Create Bucket' })).toHaveLength(2))
})

test('a user without the right to list any bucket reads so, and how to open one by name', async () => {
  start(false, [])
  await screen.findByRole('heading', { name: 'There are no buckets that you may list.' })
  screen.getByText('To open a bucket or folder whose name you know, choose Go to.')
})

test('folders that may be listed are links beside the buckets; other names can be typed', async () => {
  start(false)
  const folders = await screen.findByRole('navigation', { name: 'Your folders' })
  expect([...folders.querySelectorAll('a')].map((link) => link.textContent)).toEqual(['homes/bob/'])
  screen.getByRole('button', { name: 'Go to' })
})
