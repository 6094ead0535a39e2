import { formatRate, formatSize, formatSizeParts, formatTimeLeft, formatUnits } from '../../lib/text/format.ts'
import { type Plural, plural, type Translate } from '../../lib/text/i18n.ts'
import type { TransferSummary } from './transfer-summary.ts'

/** Formats `52 of 86 GiB`, or `214 MiB of 1.2 GiB`. */
export function sentSizeText(t: Translate, done: number, size: number): string {
  const a = formatSizeParts(done)
  const b = formatSizeParts(size)
  return a.unit === b.unit
    ? t('{{done}} of {{size}}', { done: a.value, size: formatSize(size) })
    : t('{{done}} of {{size}}', { done: formatSize(done), size: formatSize(size) })
}

/** Formats `52 of 86 GiB, 112 MiB/s`; without the rate if it is 0. */
export function uploadProgressText(t: Translate, done: number, size: number, rate: number): string {
  const text = sentSizeText(t, done, size)
  return rate > 0 ? formatUnits([text, formatRate(rate)]) : text
}

/** Formats `5 min left`; empty if unknown. */
export const timeLeftText = (seconds: number | undefined) => (seconds === undefined ? '' : formatTimeLeft(seconds))

/** Formats `2 running, 1 failed`; with `worstFirst` the states that need the user come first. */
export function summaryText(t: Translate, summary: TransferSummary, worstFirst = false): string {
  const { running, waiting, paused, failed, asking, done } = summary
  const say = (text: Plural, count: number) => (count > 0 ? [t(text, { count })] : [])
  const trouble = [
    ...say(plural('{{count}} failed', '{{count}} failed'), failed),
    ...say(plural('{{count}} needs you', '{{count}} need you'), asking),
  ]
  const going = [
    ...say(plural('{{count}} running', '{{count}} running'), running),
    ...say(plural('{{count}} waiting', '{{count}} waiting'), waiting),
    ...say(plural('{{count}} paused', '{{count}} paused'), paused),
  ]
  const parts = worstFirst ? [...trouble, ...going] : [...going, ...trouble]
  return formatUnits(parts.length > 0 ? parts : say(plural('{{count}} done', '{{count}} done'), done))
}
