import { expect, test } from 'vitest'
import { healthState } from './admin-info.ts'

test.each([
  [16, 16, 'ok'],
  [15, 16, 'warn'],
  [9, 16, 'warn'],
  [8, 16, 'bad'],
  [3, 4, 'warn'],
  [2, 4, 'bad'],
  [0, 1, 'bad'],
] as const)('%d of %d working is %s [DSH-25]', (healthy, total, state) =>
  expect(healthState({ healthy, total })).toBe(state),
)
