import { formatCount, formatPercent, formatSize } from '../../../lib/text/format.ts'
import { t } from '../../../lib/text/i18n.ts'
import type { WidgetData } from './widget-values.ts'
import type { BoardWidget } from './widgets.ts'

/** Height of the title (px). */
const HEAD = 36
const MARGIN = 12
/** Space for the label of a bar, and for its figure (px). */
const LABEL = 170
const FIGURE = 80

interface Pen {
  context: CanvasRenderingContext2D
  /** Size below the title (px). */
  width: number
  height: number
  color(name: string): string
  text(text: string, x: number, y: number, options?: { size?: number; align?: CanvasTextAlign; color?: string }): void
}

/** Draws a widget with its title. Line charts are copied, at their resolution. @param cell the element of the widget */
export function drawWidget(
  title: string,
  definition: Pick<BoardWidget, 'format'>,
  data: WidgetData,
  cell: HTMLElement,
): HTMLCanvasElement {
  const drawn = cell.querySelector('canvas')
  const ratio = window.devicePixelRatio || 1
  const width = drawn ? drawn.width / ratio : cell.clientWidth
  const height = drawn ? drawn.height / ratio : Math.max(160, cell.clientHeight - HEAD)
  const picture = document.createElement('canvas')
  picture.width = Math.round(width * ratio)
  picture.height = Math.round((height + HEAD) * ratio)
  const context = picture.getContext('2d')
  if (!context) return picture
  const styles = getComputedStyle(cell)
  const color = (name: string) => styles.getPropertyValue(name).trim()
  const text: Pen['text'] = (line, x, y, { size = 13, align = 'left', color: name = '--st-ink' } = {}) => {
    context.font = `${size}px ${styles.fontFamily}`
    context.textAlign = align
    context.textBaseline = 'middle'
    context.fillStyle = color(name) || styles.color
    context.fillText(line, x, y)
  }
  context.scale(ratio, ratio)
  context.fillStyle = color('--st-surface')
  context.fillRect(0, 0, width, height + HEAD)
  text(title, MARGIN, HEAD / 2, { size: 14 })
  context.translate(0, HEAD)
  const pen: Pen = { context, width, height, color, text }
  if (drawn) context.drawImage(drawn, 0, 0, width, height)
  else if (data.kind === 'bars') drawBars(pen, data.bars)
  else if (data.kind === 'share') drawShare(pen, data)
  else if (data.kind === 'value') text(definition.format(data.value), MARGIN, height / 2, { size: 32 })
  return picture
}

function drawBars({ context, width, height, color, text }: Pen, bars: (WidgetData & { kind: 'bars' })['bars']): void {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const row = height / bars.length
  for (const [n, { label, value }] of bars.entries()) {
    const y = row * (n + 0.5)
    const length = (width - LABEL - FIGURE - 2 * MARGIN) * (value / most)
    text(t(label), MARGIN, y)
    context.fillStyle = color('--st-chart-1')
    context.fillRect(LABEL, y - row / 4, Math.max(value > 0 ? 1 : 0, length), row / 2)
    text(formatCount(value), LABEL + length + MARGIN, y)
  }
}

function drawShare({ context, height, color, text }: Pen, { free, total }: WidgetData & { kind: 'share' }): void {
  const used = total === undefined ? undefined : Math.max(0, total - free)
  const middle = height / 2
  const radius = middle - 2 * MARGIN
  const left = used === undefined ? MARGIN : height
  if (used !== undefined) {
    const share = total ? used / total : 0
    const top = -Math.PI / 2
    context.lineWidth = MARGIN
    for (const [name, end] of [
      ['--st-line', 1],
      ['--st-chart-1', share],
    ] as const) {
      context.strokeStyle = color(name)
      context.beginPath()
      context.arc(middle, middle, radius, top, top + end * 2 * Math.PI)
      context.stroke()
    }
    text(formatPercent(share), middle, middle, { size: 16, align: 'center' })
    text(`${t('Used')}: ${formatSize(used)}`, left, middle - 12)
  }
  text(`${t('Free')}: ${formatSize(free)}`, left, middle + 12)
}
