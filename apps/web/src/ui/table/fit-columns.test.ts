import { expect, test } from 'vitest'
import { msg } from '../../lib/text/i18n.ts'
import { fitColumns, MIN_COLUMN_WIDTH, neededWidth } from './fit-columns.ts'
import type { Column } from './types.ts'

const columns: Column<object>[] = [
  { key: 'name', label: msg('Name') },
  { key: 'a', label: msg('A'), width: 100, yields: 1 },
  { key: 'b', label: msg('B'), width: 100 },
  { key: 'c', label: msg('C'), width: 100, yields: 2 },
]
const fitting = (room: number) => fitColumns(columns, room).map(({ key }) => key)

test.each([
  [0, 'name a b c'],
  [MIN_COLUMN_WIDTH + 300, 'name a b c'],
  [MIN_COLUMN_WIDTH + 299, 'name a b'],
  [MIN_COLUMN_WIDTH + 100, 'name b'],
  [10, 'name b'],
])('in %d px: %s', (room, keys) => expect(fitting(room).join(' ')).toBe(keys))

test('the width that columns need', () => expect(neededWidth(columns)).toBe(MIN_COLUMN_WIDTH + 300))
