import { expect, test } from 'vitest'
import { quotaElements } from './cluster-resource-routes.ts'

test('a quota counts before its controller has filled the status, which then decides', () => {
  const spec = { hard: { 'requests.storage': '16Ei', pods: '4' } }
  expect(quotaElements({ spec })).toEqual([
    { name: 'requests.storage', hard: Number.MAX_SAFE_INTEGER, used: 0 },
    { name: 'pods', hard: 4, used: 0 },
  ])
  expect(quotaElements({ spec, status: { hard: { pods: '3' }, used: { pods: '2' } } })).toContainEqual({
    name: 'pods',
    hard: 3,
    used: 2,
  })
  expect(quotaElements({})).toEqual([])
})
