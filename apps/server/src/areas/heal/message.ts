import type { HealColumns, HealedItem } from '@stowage/contract'
import type { HealDrive, HealItem } from '@stowage/madmin'
import { type Colour, colourOf } from './health.ts'

/** Counts of the items of a heal. */
export interface HealTotals {
  bytesScanned: number
  objectsScanned: number
  itemsScanned: number
  objectsHealed: number
  itemsHealed: number
  healthBeforeCols: HealColumns
  healthAfterCols: HealColumns
}

export const noTotals = (): HealTotals => ({
  bytesScanned: 0,
  objectsScanned: 0,
  itemsScanned: 0,
  objectsHealed: 0,
  itemsHealed: 0,
  healthBeforeCols: {},
  healthAfterCols: {},
})

const COLUMN = { green: 'Green', yellow: 'Yellow', red: 'Red', grey: 'Grey' } as const satisfies Record<Colour, string>

export function addItem(totals: HealTotals, item: HealedItem): void {
  const isHealed = item.after.online > item.before.online
  totals.itemsScanned++
  if (isHealed) totals.itemsHealed++
  if (item.type === 'object') {
    totals.objectsScanned++
    totals.bytesScanned += item.size
    if (isHealed) totals.objectsHealed++
  }
  count(totals.healthBeforeCols, item.before.color)
  count(totals.healthAfterCols, item.after.color)
}

function count(columns: HealColumns, colour: Colour): void {
  const column = COLUMN[colour]
  columns[column] = (columns[column] ?? 0) + 1
}

/** Returns an item in the form that the original console sends to its pages. */
export function healedItemOf(item: HealItem): HealedItem {
  const isObject = item.type === 'object'
  return {
    status: 'success',
    ...(item.detail !== '' && item.type !== 'metadata' && { error: item.detail }),
    type: isObject ? 'object' : item.type === 'bucket' ? 'bucket' : 'system',
    name: nameOf(item),
    versionId: item.versionId,
    before: healthOf(item, item.before),
    after: healthOf(item, item.after),
    size: isObject ? Math.max(0, item.size) : 0,
  }
}

export const isHealthy = ({ before, after, error }: HealedItem) =>
  before.color === 'green' && after.color === 'green' && error === undefined

function nameOf({ type, bucket, object, detail }: HealItem): string {
  if (type === 'metadata') return detail
  if (type === 'bucket-metadata') return `bucket-metadata:${bucket}/${object}`
  return `${bucket}/${object}`
}

function healthOf(item: HealItem, drives: readonly HealDrive[]): HealedItem['before'] {
  const countOf = (state: string) => drives.filter((drive) => drive.state === state).length
  return {
    color: colourOf(item, drives),
    online: countOf('ok'),
    offline: countOf('offline'),
    missing: countOf('missing'),
    corrupted: countOf('corrupt'),
    drives: [...drives],
  }
}
