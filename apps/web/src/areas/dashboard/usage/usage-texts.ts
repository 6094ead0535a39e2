import type { Output } from '@stowage/contract'
import { formatDuration, formatSize } from '../../../lib/text/format.ts'
import { t } from '../../../lib/text/i18n.ts'

type Usage = Output<'getBucketUsage'>
type Forecast = NonNullable<Usage['quota']>['forecast']

/** Formats growth: `+14 GiB`; an en dash if it is unknown. */
export function growthText(bytes: number | null): string {
  if (bytes === null) return '–'
  if (bytes === 0) return formatSize(0)
  return bytes > 0 ? `+${formatSize(bytes)}` : `−${formatSize(-bytes)}`
}

/** Beyond this, the rate of 30 days allows no forecast (seconds). */
const TEN_YEARS = 3650 * 86_400

/** States briefly when something will be full. */
export function forecastText(forecast: Forecast): string {
  if (forecast.state === 'full') return t('Full')
  if (forecast.state === 'not-growing') return t('Not growing')
  if (forecast.state === 'too-short') return t('Not known yet')
  if (forecast.seconds > TEN_YEARS) return t('More than 10 years')
  return t('In {{time}}', { time: formatDuration(forecast.seconds) })
}

/** Explains what the forecast is based on. */
export function forecastNote(forecast: Forecast): string {
  if (forecast.state === 'too-short') return t('A forecast needs 7 days of history.')
  if (forecast.state === 'growing') return t('At the rate of the last 30 days')
  return forecast.state === 'full' ? '' : t('By the last 30 days')
}
