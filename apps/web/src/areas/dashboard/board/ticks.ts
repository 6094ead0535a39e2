/** Returns the number of points between two labels of a chart's time axis, by its width (px). */
export function tickInterval(width: number): number {
  if (width > 400) return 5
  if (width > 350) return 10
  if (width > 300) return 15
  return width > 250 ? 20 : 30
}

/** Returns the step for a range (both in seconds): a sixtieth of it; 15 for less than a minute or without a range. */
export function widgetStep(range: number | undefined): number {
  const step = Math.floor((range ?? 0) / 60)
  return step < 1 ? 15 : step
}

/** Returns the step for the list of widgets: as above, but 0 without a range. */
export function listStep(range: number | undefined): number {
  return range === undefined ? 0 : widgetStep(range)
}
