import { allWidgets, type WidgetTabId, widgetTabs } from './widgets.ts'

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

/** By widget: column, row, width, height. */
const DEFAULT_POSITIONS: Readonly<Record<number, readonly [x: number, y: number, w: number, h: number]>> = {
  50: [0, 0, 2, 3],
  53: [2, 0, 1, 1],
  69: [3, 0, 1, 1],
  9: [4, 0, 1, 1],
  78: [5, 0, 1, 1],
  1: [6, 0, 2, 1],
  44: [2, 1, 2, 1],
  66: [4, 1, 1, 1],
  61: [5, 1, 1, 1],
  62: [6, 1, 2, 1],
  65: [2, 2, 1, 1],
  64: [3, 2, 1, 1],
  80: [4, 2, 2, 1],
  81: [6, 2, 2, 1],
  68: [0, 3, 4, 3],
  52: [4, 3, 4, 3],
  63: [0, 6, 4, 3],
  70: [4, 6, 4, 3],
  60: [0, 0, 4, 4],
  71: [4, 0, 4, 4],
  17: [0, 4, 4, 3],
  73: [4, 4, 4, 3],
  77: [0, 0, 4, 3],
  76: [4, 0, 4, 3],
  11: [0, 3, 4, 3],
  8: [4, 3, 4, 3],
  82: [0, 6, 4, 3],
  74: [4, 6, 4, 3],
}

export const defaultWidgetLayout: readonly WidgetPosition[] = allWidgets.map(({ id, layoutIdentifier, type }) => {
  const [x, y, w, h] = DEFAULT_POSITIONS[id] ?? [0, 0, 4, 3]
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
export function tabPositions(layout: readonly WidgetPosition[], tab: WidgetTabId): WidgetPosition[] {
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
