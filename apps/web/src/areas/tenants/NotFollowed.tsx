import { formatDateTime } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { StatusIcon } from '../../ui/StatusIcon.tsx'
import type { FollowState } from './use-follow.ts'

/** Shows the age of a page that no longer receives changes. */
export function NotFollowed({ state: { since } }: { state: FollowState }) {
  const t = useT()
  if (since === undefined) return null
  return <StatusIcon state="warn">{t('Not followed since {{time}}', { time: formatDateTime(since) })}</StatusIcon>
}
