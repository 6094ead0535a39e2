// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import {
  defaultWidgetLayout,
  gridRowHeight,
  mergePositions,
  readWidgetLayout,
  saveWidgetLayout,
  tabPositions,
} from './widget-layout.ts'
import { allWidgets, widgetTabs } from './widgets.ts'

beforeEach(() => localStorage.clear())

const store = (value: unknown) => localStorage.setItem('dashboardConfig', btoa(JSON.stringify(value)))

test('the layout is stored as Base64 of JSON: w, h, x, y, i, minW of each widget [DSH-16]', () => {
  const moved = mergePositions(defaultWidgetLayout, [{ i: 'panel-0', x: 0, y: 9, w: 4, h: 2 }])
  saveWidgetLayout(moved)
  const saved = JSON.parse(atob(localStorage.getItem('dashboardConfig') ?? ''))
  expect(saved).toHaveLength(allWidgets.length)
  expect(saved[0]).toEqual({ w: 4, h: 2, x: 0, y: 9, i: 'panel-0', minW: 1 })
  expect(readWidgetLayout()).toEqual(moved)
})

const without = defaultWidgetLayout.map(({ minW: _, ...place }) => place)
test.each<[string, unknown]>([
  ['an empty list', []],
  ['one without minW', without],
  ['one of another length', defaultWidgetLayout.slice(1)],
  ['an unknown widget', [...defaultWidgetLayout.slice(1), { ...defaultWidgetLayout[0], i: 'panel-99' }]],
  ['one widget twice', [...defaultWidgetLayout.slice(1), defaultWidgetLayout[1]]],
  ['a width of no number', [...defaultWidgetLayout.slice(1), { ...defaultWidgetLayout[0], w: 'wide' }]],
  ['a width of 0', [...defaultWidgetLayout.slice(1), { ...defaultWidgetLayout[0], w: 0 }]],
  ['null', null],
])('a saved layout that is %s is discarded [DSH-16]', (_name, saved) => {
  store(saved)
  expect(readWidgetLayout()).toEqual(defaultWidgetLayout)
})

test.each(['garbage', btoa('{'), ''])('the saved text %j is discarded [DSH-16]', (text) => {
  localStorage.setItem('dashboardConfig', text)
  expect(readWidgetLayout()).toEqual(defaultWidgetLayout)
})

test('by default the widgets of a tab do not overlap and fit into eight columns [DSH-03]', () => {
  for (const tab of ['summary', 'traffic', 'resources'] as const) {
    const taken = new Set<string>()
    const places = tabPositions(defaultWidgetLayout, tab)
    expect(places).toHaveLength(widgetTabs[tab].length)
    for (const { x, y, w, h } of places) {
      expect(x + w).toBeLessThanOrEqual(8)
      for (let column = x; column < x + w; column++)
        for (let row = y; row < y + h; row++) {
          expect(taken.has(`${column},${row}`)).toBe(false)
          taken.add(`${column},${row}`)
        }
    }
  }
})

test.each([
  [900, 80],
  [381, 80],
  [300, 50],
])('with a height of %d px a row has %d px [DSH-17]', (height, row) => expect(gridRowHeight(height)).toBe(row))
