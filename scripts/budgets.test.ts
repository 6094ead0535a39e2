import { expect, test } from 'vitest'
import { describeRun } from './budgets.mjs'

const file = (name: string, startTime: number, endTime: number, statuses: string[]) => ({
  name: `${process.cwd()}/${name}`,
  startTime,
  endTime,
  assertionResults: statuses.map((status) => ({ status })),
})

test('a run is judged by its whole time for each test that ran, and names its slowest files', () => {
  const testResults = [
    file('a.test.ts', 100, 200, ['passed', 'passed', 'skipped']),
    file('b.test.ts', 100, 1000, ['failed', 'passed']),
    file('c.test.ts', 100, 5000, ['skipped']),
  ]
  const report = { startTime: 0, testResults }
  expect(describeRun('unit', report, 1)).toEqual([
    'unit: 4 tests in 1 s, 250 ms a test, over the budget of 50 ms',
    '     0.9 s     2 tests  b.test.ts',
  ])
  expect(describeRun('http', report)).toEqual(['http: 4 tests in 1 s, 250 ms a test, within 400 ms'])
  expect(describeRun('kube', report)).toEqual(['kube: 4 tests in 1 s, 250 ms a test'])
  expect(describeRun('unit', { startTime: 0, testResults: [] })).toEqual([])
})
