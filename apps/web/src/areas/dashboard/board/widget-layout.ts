import type { WidgetTab } from '@stowage/contract/admin/dashboard-widgets'
import { allWidgets, widgetTabs } from './widgets.ts'

/** The position and size of a widget in the grid of its tab, in columns and rows. */
export interface WidgetPosition {
  i: string
  x: number
  y: number
  w: number
  h: number
  minW: number
}

export const GRID_COLUMNS = 8
/** Of the grid, including its padding (px). */
export const GRID_MAX_WIDTH = 1920
export const GRID_MIN_HEIGHT = 600
export const GRID_PADDING = 10

/** Returns the height of a row: a sixth of 480 px, or of the available height if that is at most 380 px. */
export const gridRowHeight = (height: number) => Math.round((height > 380 ? 480 : height) / 6)

const KEY = 'dashboardConfig'

export const defaultWidgetLayout: readonly WidgetPosition[] = allWidgets.map(({ layoutIdentifier, type, position }) => {
  const [x, y, w, h] = position
  return { i: layoutIdentifier, x, y, w, h, minW: type === 'linearGraph' || type === 'barChart' ? 2 : 1 }
})

/** Returns the layout saved in this browser; the default if none is saved or it is invalid. */
export function readWidgetLayout(): readonly WidgetPosition[] {
  try {
    const saved: unknown = JSON.parse(atob(localStorage.getItem(KEY) ?? ''))
    return isWidgetLayout(saved) ? saved.map((place) => ({ ...place })) : defaultWidgetLayout
  } catch {
    return defaultWidgetLayout
  }
}

export function saveWidgetLayout(layout: readonly WidgetPosition[]): void {
  const positions = layout.map(({ i, x, y, w, h, minW }) => ({ w, h, x, y, i, minW }))
  localStorage.setItem(KEY, btoa(JSON.stringify(positions)))
}

export function forgetWidgetLayout(): void {
  localStorage.removeItem(KEY)
}

/** Reports whether a saved layout is complete. A layout of another release has another length or no `minW`. */
function isWidgetLayout(value: unknown): value is WidgetPosition[] {
  return (
    Array.isArray(value) &&
    value.length === defaultWidgetLayout.length &&
    new Set(value.map((place: Partial<WidgetPosition> | null) => place?.i)).size === value.length &&
    value.every(isWidgetPosition)
  )
}

function isWidgetPosition(value: Partial<WidgetPosition> | null): boolean {
  if (value === null || typeof value !== 'object') return false
  const { i, x, y, w, h, minW } = value
  const whole = [x, y, w, h, minW].every((n) => typeof n === 'number' && Number.isInteger(n) && n >= 0 && n < 1000)
  return whole && (w as number) > 0 && (h as number) > 0 && defaultWidgetLayout.some((place) => place.i === i)
}

/** Returns the positions of a tab's widgets. */
export function tabPositions(layout: readonly WidgetPosition[], tab: WidgetTab): WidgetPosition[] {
  const own = new Set(widgetTabs[tab].map(({ layoutIdentifier }) => layoutIdentifier))
  return layout.filter(({ i }) => own.has(i))
}

/** Returns the layout with changed positions of some widgets. */
export function mergePositions(
  layout: readonly WidgetPosition[],
  changed: readonly Omit<WidgetPosition, 'minW'>[],
): WidgetPosition[] {
  return layout.map((place) => {
    const next = changed.find(({ i }) => i === place.i)
    return next ? { ...place, x: next.x, y: next.y, w: next.w, h: next.h } : place
  })
}
