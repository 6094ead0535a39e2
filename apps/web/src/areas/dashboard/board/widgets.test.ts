import { expect, test } from 'vitest'
import { listStep, tickInterval, widgetStep } from './chart-ticks.ts'
import { allWidgets, shownWidgets, widgetTabs } from './widgets.ts'

test('the tabs have the widgets of the specification, in its order [DSH-19] [DSH-20]', () => {
  const ids = (tab: keyof typeof widgetTabs) => widgetTabs[tab].map(({ id }) => id)
  expect(ids('summary')).toEqual([1, 64, 65, 68, 52, 44, 61, 80, 81, 66, 62, 53, 63, 50, 69, 70, 9, 78])
  expect(ids('traffic')).toEqual([60, 71, 17, 73])
  expect([...ids('resources')].sort((a, b) => a - b)).toEqual([8, 11, 74, 76, 77, 82])
})

test('a widget has id, title, type, layout identifier and a formatter of its values [DSH-11]', () => {
  const types = ['singleValue', 'linearGraph', 'barChart', 'pieChart', 'singleRep']
  for (const { id, title, type, layoutIdentifier, format } of allWidgets) {
    expect(id).toBeGreaterThan(0)
    expect(title).not.toBe('')
    expect(types).toContain(type)
    expect(layoutIdentifier).toMatch(/^panel-\d+$/)
    expect(format(5)).toMatch(/\d/)
  }
  expect(new Set(allWidgets.map(({ type }) => type)).size).toBe(types.length)
  expect(new Set(allWidgets.map(({ layoutIdentifier }) => layoutIdentifier)).size).toBe(28)
})

test('widgets are matched by title, ignoring case and white space, and by type [DSH-08]', () => {
  const reported = [
    { title: ' node io ', type: 'graph' },
    { title: 'S3 API Request Rate', type: 'stat' },
  ]
  expect(shownWidgets('traffic', reported).map(({ id }) => id)).toEqual([73])
  expect(shownWidgets('summary', [{ title: 'Uptime', type: 'singlestat' }]).map(({ id }) => id)).toEqual([1])
})

test.each([
  [undefined, 15, 0],
  [59, 15, 15],
  [60, 1, 1],
  [900, 15, 15],
  [86_400, 1440, 1440],
])('the step of a range of %s s is %d for a widget, %d for the list [DSH-10]', (range, widget, list) => {
  expect(widgetStep(range)).toBe(widget)
  expect(listStep(range)).toBe(list)
})

test.each([
  [401, 5],
  [400, 10],
  [350, 15],
  [300, 20],
  [250, 30],
])('a chart of %d px has a label every %d points [DSH-18]', (width, interval) =>
  expect(tickInterval(width)).toBe(interval),
)
