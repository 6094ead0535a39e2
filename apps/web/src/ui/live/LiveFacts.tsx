import { type LiveStatus, type LiveView, MAX_LIVE_ROWS } from '../../lib/api/live-stream.ts'
import { clockTime } from '../../lib/text/clock-time.ts'
import { formatCount } from '../../lib/text/format.ts'
import { plural, useT } from '../../lib/text/i18n.ts'
import { StatusIcon, type StatusIconState } from '../icons/StatusIcon.tsx'

const marks: Record<LiveStatus, StatusIconState> = {
  idle: 'off',
  connecting: 'run',
  running: 'run',
  interrupted: 'warn',
  ended: 'ok',
  stopped: 'off',
  failed: 'bad',
}

/** The state of a live stream, for the line below the page's heading. */
export function LiveFacts({ view }: { view: Omit<LiveView<unknown>, 'rows'> }) {
  const t = useT()
  const { status, startedAt, received, lost, paused } = view
  return (
    <>
      <span role="status">
        <StatusIcon state={marks[status]} sentence>
          {statusText(t, status, startedAt)}
        </StatusIcon>
      </span>
      {received > 0 && <span>{t(plural('{{count}} record', '{{count}} records'), { count: received })}</span>}
      {received > MAX_LIVE_ROWS && <span>{t('The newest {{count}} are kept', { count: MAX_LIVE_ROWS })}</span>}
      {lost > 0 && <span>{t('{{count}} lost', { count: formatCount(lost) })}</span>}
      {paused && <span>{t('Paused')}</span>}
    </>
  )
}

function statusText(t: ReturnType<typeof useT>, status: LiveStatus, startedAt: number | undefined): string {
  switch (status) {
    case 'idle':
      return t('Not started')
    case 'connecting':
      return t('Connecting')
    case 'running':
      return t('Running since {{time}}', { time: clockTime(startedAt ?? 0).slice(0, 8) })
    case 'interrupted':
      return t('The storage server cannot be reached. Connecting again.')
    case 'ended':
      return t('Ended')
    case 'stopped':
      return t('Stopped')
    case 'failed':
      return t('Failed')
  }
}
