import { expect, test } from 'vitest'
import { GiB, TiB } from '../values/units.ts'
import { defaultParity, distributeDrives, erasureTable, nextPoolName, planMemory, possibleParities } from './sizing.ts'

test.each([
  [4, 1, ['EC:2']],
  [4, 4, ['EC:8', 'EC:7', 'EC:6', 'EC:5', 'EC:4', 'EC:3', 'EC:2']],
  [4, 10, ['EC:4', 'EC:3', 'EC:2']],
  [4, 5, ['EC:2']],
  [5, 1, ['EC:2']],
  [6, 1, ['EC:3', 'EC:2']],
  [2, 50, ['EC:5', 'EC:4', 'EC:3', 'EC:2']],
  [18, 1, ['EC:4', 'EC:3', 'EC:2']],
  [9, 3, ['EC:4', 'EC:3', 'EC:2']],
  [7, 3, ['EC:3', 'EC:2']],
  [17, 1, []],
])('%d servers with %d drives can use the parities %j [WIZ-63]', (servers, drives, choices) => {
  expect(possibleParities(servers, drives)).toEqual(choices)
})

test('the default parity is EC:4 for large pools, and the largest for all others [WIZ-47]', () => {
  expect(defaultParity(4, 4)).toBe('EC:8')
  expect(defaultParity(8, 4)).toBe('EC:4')
  expect(defaultParity(8, 2)).toBe('EC:8')
  expect(defaultParity(17, 1)).toBeUndefined()
})

test('a set of 5 drives is calculated as 5 drives, not rounded', () => {
  const [row] = erasureTable(5, 1, 10 * GiB)
  expect(row).toEqual({ parity: 'EC:2', set: 5, raw: 50 * GiB, usable: 30 * GiB, serverFailures: 2 })
})

test('the drives lost with one server count for the tolerated failures', () => {
  expect(erasureTable(4, 4, GiB).map(({ parity, serverFailures }) => [parity, serverFailures])).toEqual([
    ['EC:8', 2],
    ['EC:7', 1],
    ['EC:6', 1],
    ['EC:5', 1],
    ['EC:4', 1],
    ['EC:3', 0],
    ['EC:2', 0],
  ])
})

test('a size is distributed over servers and drives [WIZ-48] [WIZ-49]', () => {
  expect(distributeDrives(100 * GiB, 4, 1)).toEqual({ problem: '', nodes: 4, volumes: 4, drives: 1, size: 25 * GiB })
  expect(distributeDrives(4 * GiB, 4, 1)).toMatchObject({ problem: '', size: GiB })
  expect(distributeDrives(48 * TiB, 4, 1)).toMatchObject({ problem: '', size: 12 * TiB })
  expect(distributeDrives(GiB / 2, 4, 1).problem).toBe('The pool size must be greater than 1Gi')
  expect(distributeDrives(100 * GiB, 4, 0).problem).toBe('Number of drives must be at least 1')
  for (const [total, nodes, drives] of [
    [Number.NaN, 4, 1],
    [100 * GiB, Number.NaN, 1],
    [100 * GiB, 4, Number.NaN],
  ] as const)
    expect(distributeDrives(total, nodes, drives).problem).toBe('Some provided data is invalid, please try again.')
  expect(distributeDrives(49 * TiB, 4, 1).problem).toBe('We were not able to allocate this server.')
  expect(distributeDrives(2 * GiB, 4, 1).problem).toBe(
    'Disk Size with this combination would be less than 1Gi, please try another combination',
  )
})

test('memory is limited by the nodes, and has minimums for large tenants [WIZ-43] [WIZ-44] [WIZ-46]', () => {
  expect(planMemory(2, 0, GiB).problem).toBe('There is no memory available for the selected number of nodes')
  expect(planMemory(2, GiB, GiB).problem).toBe('There are not enough memory resources available')
  expect(planMemory(1, 16 * GiB, GiB).problem).toBe('The requested memory size must be greater than 2Gi')
  expect(planMemory(32, 16 * GiB, GiB).problem).toMatch(/greater than the max available memory/)
  expect(planMemory(2, 16 * GiB, 100 * GiB)).toEqual({ problem: '', request: 2 * GiB, limit: 2 * GiB })
  for (const [size, floor] of [
    [1, 8],
    [10, 16],
    [100, 32],
    [1024, 64],
  ] as const)
    expect(planMemory(2, 16 * GiB, size * TiB).limit).toBe(floor * GiB)
  // A floor does not lower a larger request, and does not apply below its size.
  expect(planMemory(12, 16 * GiB, TiB)).toEqual({ problem: '', request: 12 * GiB, limit: 12 * GiB })
  expect(planMemory(2, 16 * GiB, TiB - 1).limit).toBe(2 * GiB)
})

test('a new pool gets the first free name [TNT-31]', () => {
  expect(nextPoolName([])).toBe('pool-0')
  expect(nextPoolName(['pool-0', 'pool-2'])).toBe('pool-1')
})
