import type { WidgetUnit } from '@stowage/contract/admin/dashboard-widgets'
import { formatCount, formatDuration, formatRate, formatSize, formatSizeParts } from '../../../lib/text/format.ts'
import { t } from '../../../lib/text/i18n.ts'
import { inLanguage } from '../../../lib/text/locale.ts'

const short = inLanguage((language) => new Intl.NumberFormat(language, { maximumSignificantDigits: 3 }))
const compact = inLanguage(
  (language) => new Intl.NumberFormat(language, { notation: 'compact', maximumSignificantDigits: 3 }),
)

/** Formats a value with its unit, for tables and tooltips. */
export function formatUnit(value: number, unit: WidgetUnit): string {
  if (unit === 'bytes') return formatSize(value)
  if (unit === 'bytesPerSecond') return formatRate(value)
  if (unit === 'perSecond') return t('{{number}}/s', { number: shortNumber(value) })
  if (unit === 'cores') return shortNumber(value)
  if (unit === 'seconds') return formatDuration(value)
  if (unit === 'nanoseconds') return formatDuration(value / 1e9)
  return formatCount(value)
}

const shortNumber = (value: number) => (value >= 100 ? formatCount(value) : short().format(value))

/** Splits a value into figure and unit, for large figures. */
export function formatUnitParts(value: number, unit: WidgetUnit): { value: string; unit?: string } {
  if (unit === 'bytes') return formatSizeParts(value)
  if (unit === 'count') return { value: formatCount(value) }
  const text = formatUnit(value, unit)
  const [, number = text, rest] = /^([\d.,]+)\s+(\D+)$/.exec(text) ?? []
  return rest === undefined ? { value: number } : { value: number, unit: rest }
}

/** Formats a value briefly, for an axis; `sizeTicks` labels axes of sizes. */
export const formatTick = (value: number): string => compact().format(value)
