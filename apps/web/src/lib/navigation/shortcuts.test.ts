// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { keyLabels, listShortcuts, runShortcut } from './shortcuts.ts'

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {}) =>
  new KeyboardEvent('keydown', { key, cancelable: true, ...held })

test.each([
  ['ArrowDown', {}, 'down'],
  ['ArrowDown', { shiftKey: true }, 'extendDown'],
  ['End', { shiftKey: true }, 'last'],
  [' ', {}, 'preview'],
  ['x', {}, 'select'],
  ['j', {}, 'down'],
  ['j', { ctrlKey: true }, undefined],
  ['Delete', {}, 'remove'],
  [' ', { shiftKey: true }, 'extend'],
  ['a', { ctrlKey: true }, 'all'],
  ['A', { metaKey: true }, 'all'],
  ['a', {}, undefined],
  ['Enter', { altKey: true }, undefined],
  ['Enter', { ctrlKey: true }, undefined],
] as const)('%j with %j on a row is %s', (key, held, name) => {
  const ran = vi.fn()
  const names = ['down', 'extendDown', 'last', 'preview', 'select', 'extend', 'all', 'open', 'remove'] as const
  const event = press(key, held)
  runShortcut('rows', event, Object.fromEntries(names.map((one) => [one, () => ran(one)])))
  expect(ran.mock.calls).toEqual(name === undefined ? [] : [[name]])
  expect(event.defaultPrevented).toBe(name !== undefined)
})

test('a handler that returns false leaves the key to the browser', () => {
  const event = press('Escape')
  runShortcut('lists', event, { clear: () => false })
  expect(event.defaultPrevented).toBe(false)
})

test('keys are shown as labelled on the keyboard', () => {
  expect(keyLabels('Mod+K')).toEqual(['Ctrl', 'K'])
  expect(keyLabels('Shift+ArrowDown')).toEqual(['Shift', '↓'])
  expect(keyLabels(' ')).toEqual(['Space'])
  expect(listShortcuts('everywhere').map(({ keys }) => keys)).toContainEqual(['?'])
})
