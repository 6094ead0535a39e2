// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { act, renderHook, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ApiFailure } from '../../lib/api/api-failure.ts'
import { queryClient } from '../../lib/api/query.ts'
import { loadedResult } from '../../lib/api/query-result.ts'
import { browserHistory } from '../../lib/navigation/navigate.ts'
import { msg } from '../../lib/text/i18n.ts'
import { render } from '../../testing/render.tsx'
import { SlowNotice } from '../feedback/states.tsx'
import { type Column, DataTable, OVERSCAN, ROW_HEIGHT } from './DataTable.tsx'
import { useSelection } from './use-selection.ts'
import { parseSort } from './use-table-model.ts'

// Row rendering depends on layout, which happy-dom does not have. Browser tests cover the rows.
interface Row {
  name: string
}
const columns: Column<Row>[] = [{ key: 'name', label: msg('Name') }]
const texts = {
  name: msg('Buckets'),
  empty: msg('There are no Buckets yet.'),
  noMatch: msg('No Buckets match the filter.'),
}
const table = (o: Partial<Parameters<typeof DataTable<Row>>[0]>) => (
  <DataTable<Row> name="t" texts={texts} query={loadedResult([])} rowId={(r) => r.name} columns={columns} {...o} />
)

test('an empty table shows its own text, or the given one [SHL-43]', async () => {
  render(table({}))
  await screen.findByText('There are no Buckets yet.')
  render(table({ empty: <p>Nothing rewound</p> }))
  await screen.findByText('Nothing rewound')
})

test('a loading table shows that, and not that it is empty [SHL-41]', async () => {
  render(table({ query: { ...loadedResult([]), data: undefined } }))
  await screen.findByText('Loading...')
  expect(screen.queryByText('There are no Buckets yet.')).toBeNull()
})

test('a list that could not be read shows the error in its place', async () => {
  render(
    table({
      query: { ...loadedResult([]), data: undefined, error: new ApiFailure(502, { message: 'server is gone' }) },
    }),
  )
  await screen.findByText('Server is gone')
  expect(screen.queryByText('There are no Buckets yet.')).toBeNull()
})

test('row height and overscan [SHL-44]', () => expect([ROW_HEIGHT, OVERSCAN]).toEqual([40, 10]))

test('slow loading is reported, from 6 s on with the elapsed time', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  render(<SlowNotice />)
  const text = async () => (await screen.findByRole('status')).textContent
  expect(await text()).toBe('Loading...')
  await act(() => vi.advanceTimersByTimeAsync(3000))
  expect(await text()).toBe('This operation is taking longer than expected...')
  await act(() => vi.advanceTimersByTimeAsync(4000))
  expect(await text()).toMatch(/^This operation is taking longer than expected... \([67] seconds elapsed\)$/)
})

test.each([
  ['size', { key: 'size', desc: false }],
  ['-size', { key: 'size', desc: true }],
  [undefined, { key: 'name', desc: false }],
])('the search parameter %s sorts by %j', (text, sort) =>
  expect(parseSort(text, { key: 'name', desc: false })).toEqual(sort),
)

test('selection of one row, a range, and all; removed rows are deselected', () => {
  const { result, rerender } = renderHook(({ order }) => useSelection(order), {
    initialProps: { order: ['a', 'b', 'c', 'd'] },
  })
  act(() => result.current.toggle('b'))
  act(() => result.current.toggle('d', true))
  expect([...result.current.ids]).toEqual(['b', 'c', 'd'])
  expect(result.current.state).toBe('some')
  act(() => result.current.toggle('c'))
  expect([...result.current.ids]).toEqual(['b', 'd'])
  rerender({ order: ['a', 'b'] })
  expect([...result.current.ids]).toEqual(['b'])
  act(() => result.current.all(true))
  expect(result.current.state).toBe('all')
  act(() => result.current.clear())
  expect(result.current.state).toBe('none')
})

test('without rows nothing can be selected', async () => {
  const selection = { actions: () => null }
  const { unmount } = render(table({ selection, query: { ...loadedResult([]), data: undefined } }))
  expect(await screen.findByLabelText('Select all')).toHaveProperty('disabled', true)
  unmount()
  render(table({ selection, query: loadedResult([{ name: 'a' }]) }))
  expect(await screen.findByLabelText('Select all')).toHaveProperty('disabled', false)
})

test('after a failed refresh the previous rows stay, below the error', async () => {
  const failure = new ApiFailure(502, { message: 'server is gone' })
  render(table({ query: { ...loadedResult([{ name: 'a' }]), error: failure } }))
  await screen.findByText('Server is gone.', { exact: false })
  expect(screen.queryByRole('table')).not.toBeNull()
})

test('a denied request is explained by the required action', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ permissions: [], user: 'anna', status: 'ok' }))
  onTestFinished(() => void vi.unstubAllGlobals())
  queryClient.setQueryData(['getSession', {}], { user: 'anna' })
  const failure = new ApiFailure(403, { message: 'access denied' })
  render(table({ query: { ...loadedResult([]), data: undefined, error: failure }, needs: { action: 's3:ListBucket' } }))
  await screen.findByText('s3:ListBucket')
})

test('two tables on one page have separate sort orders and filters in the URL', async () => {
  browserHistory.push('/x?users.filter=an&groups.sort=-name')
  const filter = { placeholder: msg('Filter Buckets') }
  render(
    <>
      {table({ name: 'users', filter })}
      {table({ name: 'groups', filter })}
    </>,
  )
  const fields = await screen.findAllByLabelText<HTMLInputElement>('Filter Buckets')
  expect(fields.map((field) => field.value)).toEqual(['an', ''])
  const heads = screen.getAllByRole('columnheader', { name: 'Name' })
  expect(heads.map((head) => head.getAttribute('aria-sort'))).toEqual([null, 'descending'])
})
