import type { HealColumns, HealedItem } from '@stowage/contract'
import type { HealDrive, HealItemInfo } from '@stowage/madmin'
import { type HealColour, itemColour } from './item-colour.ts'

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

export const emptyHealTotals = (): HealTotals => ({
  bytesScanned: 0,
  objectsScanned: 0,
  itemsScanned: 0,
  objectsHealed: 0,
  itemsHealed: 0,
  healthBeforeCols: {},
  healthAfterCols: {},
})

const COLUMN = { green: 'Green', yellow: 'Yellow', red: 'Red', grey: 'Grey' } as const satisfies Record<
  HealColour,
  string
>

export function addToHealTotals(totals: HealTotals, item: HealedItem): void {
  const isHealed = item.after.online > item.before.online
  totals.itemsScanned++
  if (isHealed) totals.itemsHealed++
  if (item.type === 'object') {
    totals.objectsScanned++
    totals.bytesScanned += item.size
    if (isHealed) totals.objectsHealed++
  }
  countColour(totals.healthBeforeCols, item.before.color)
  countColour(totals.healthAfterCols, item.after.color)
}

function countColour(columns: HealColumns, colour: HealColour): void {
  const column = COLUMN[colour]
  columns[column] = (columns[column] ?? 0) + 1
}

/** Returns an item in the form that the original console sends to its pages. */
export function wireHealedItem(item: HealItemInfo): HealedItem {
  const isObject = item.type === 'object'
  return {
    status: 'success',
    ...(item.detail !== '' && item.type !== 'metadata' && { error: item.detail }),
    type: isObject ? 'object' : item.type === 'bucket' ? 'bucket' : 'system',
    name: itemName(item),
    versionId: item.versionId,
    before: itemHealth(item, item.before),
    after: itemHealth(item, item.after),
    size: isObject ? Math.max(0, item.size) : 0,
  }
}

export const isHealthyItem = ({ before, after, error }: HealedItem) =>
  before.color === 'green' && after.color === 'green' && error === undefined

function itemName({ type, bucket, object, detail }: HealItemInfo): string {
  if (type === 'metadata') return detail
  if (type === 'bucket-metadata') return `bucket-metadata:${bucket}/${object}`
  return `${bucket}/${object}`
}

function itemHealth(item: HealItemInfo, drives: readonly HealDrive[]): HealedItem['before'] {
  const countDrives = (state: string) => drives.filter((drive) => drive.state === state).length
  return {
    color: itemColour(item, drives),
    online: countDrives('ok'),
    offline: countDrives('offline'),
    missing: countDrives('missing'),
    corrupted: countDrives('corrupt'),
    drives: [...drives],
  }
}
