import { formatDateTime, formatList } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import type { ClusterChanges } from './use-cluster-changes.ts'

/** Shows the age of a page that no longer receives changes, or that the user may not watch what it shows. */
export function StaleDataNote({ state: { since, refused } }: { state: ClusterChanges }) {
  const t = useT()
  if (refused.length > 0)
    return (
      <StatusIcon state="warn" sentence>
        {t('Changes are not shown by themselves: you may not watch {{kinds}}.', { kinds: formatList(refused) })}
      </StatusIcon>
    )
  if (since === undefined) return null
  return <StatusIcon state="warn">{t('Not followed since {{time}}', { time: formatDateTime(since) })}</StatusIcon>
}
