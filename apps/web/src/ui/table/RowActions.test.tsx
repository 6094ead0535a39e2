// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { msg } from '../../lib/text/i18n.ts'
import { render } from '../../testing/render.tsx'
import { RowActions } from './RowActions.tsx'
import type { RowActionType } from './types.ts'

interface Row {
  name: string
  locked: boolean
}

const types: RowActionType[] = [
  'view',
  'edit',
  'delete',
  'description',
  'share',
  'cloud',
  'console',
  'download',
  'disable',
  'format',
  'preview',
]

test('each type of action has a different icon [SHL-40]', async () => {
  const row = { name: 'a', locked: false }
  render(types.map((type) => <RowActions key={type} row={row} name="a" actions={[{ type, label: msg('View') }]} />))
  const buttons = await screen.findAllByRole('button')
  expect(new Set(buttons.map((button) => button.innerHTML)).size).toBe(types.length)
})

test('an action works on its row, and is disabled with a reason on another one [SHL-40]', async () => {
  const onClick = vi.fn()
  const actions = [
    {
      type: 'delete' as const,
      label: msg('Delete'),
      onClick,
      disabled: ({ locked }: Row) => locked && 'it is locked',
      busy: ({ name }: Row) => name === 'busy',
    },
    { type: 'view' as const, label: msg('View'), to: ({ name }: Row) => `/buckets/${name}` as never },
  ]
  const rows = [
    { name: 'free', locked: false },
    { name: 'kept', locked: true },
    { name: 'busy', locked: false },
  ]
  render(rows.map((row) => <RowActions key={row.name} row={row} name={row.name} actions={actions} />))
  for (const { name } of rows) fireEvent.click(await screen.findByRole('button', { name: `Delete ${name}` }))
  expect(onClick.mock.calls).toEqual([[rows[0]]])
  expect(screen.getByRole('button', { name: 'Delete busy' }).hasAttribute('data-loading')).toBe(true)
  expect(screen.getByRole('button', { name: 'Delete kept' }).getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByRole('link', { name: 'View kept' }).getAttribute('href')).toBe('/buckets/kept')
})
