import { expect, test } from 'vitest'
import { stateOf } from './admin-info.ts'

test.each([
  [16, 16, 'ok'],
  [15, 16, 'warn'],
  [9, 16, 'warn'],
  [8, 16, 'bad'],
  [0, 1, 'bad'],
] as const)('%d of %d working is %s', (healthy, total, state) => expect(stateOf({ healthy, total })).toBe(state))
