// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { browserHistory } from '../../lib/navigation/navigate.ts'
import { msg } from '../../lib/text/i18n.ts'
import { render } from '../../testing/render.tsx'
import { FilterField } from './FilterField.tsx'
import { useFilter } from './use-filter.ts'

function List() {
  const [text, type] = useFilter('buckets', { placeholder: msg('Filter Buckets') })
  return <FilterField placeholder={msg('Filter Buckets')} value={text} onType={type} />
}

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => vi.useRealTimers())

const shown = async (at: string) => {
  browserHistory.push(at)
  render(<List />)
  return await screen.findByLabelText<HTMLInputElement>('Filter Buckets')
}
const settled = () => act(() => vi.advanceTimersByTimeAsync(1000))

test('the filter is kept in the URL, and a URL with a filter fills the field', async () => {
  const field = await shown('/buckets?buckets.filter=logs')
  expect(field.value).toBe('logs')
  await userEvent.type(field, '-7')
  await settled()
  expect(browserHistory.location.search).toBe('?buckets.filter=logs-7')
  await userEvent.clear(field)
  await settled()
  expect(browserHistory.location.search).toBe('')
})

test('leaving the page before the filter settled, or without typing, changes no other URL', async () => {
  const field = await shown('/buckets?buckets.filter=logs')
  await userEvent.type(field, '-7')
  act(() => browserHistory.push('/buckets/logs-7/summary'))
  await settled()
  expect(browserHistory.location.pathname + browserHistory.location.search).toBe('/buckets/logs-7/summary')
})
