import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api/query.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { ChangedValue } from '../form/SettingForm.tsx'
import css from '../settings.module.css'

type Change = Output<'listConfigHistory'>['entries'][number]['changes'][number]

/** What an entry of the history would change, beside what is set now. */
export function RestoreDifference({ changes }: { changes: readonly Change[] }) {
  return changes.map((change) => <TargetDifference key={`${change.name}:${change.target}`} {...change} />)
}

function TargetDifference({ name, target, key_values }: Change) {
  const t = useT()
  const query = useQuery(q('getConfig', { params: { name } }))
  return (
    <QueryView query={query} needs={{ action: 'admin:ConfigUpdate' }}>
      {({ targets }) => {
        const present = targets.find((each) => each.target === target)?.key_values ?? []
        const now = new Map(present.map(({ key, value = '' }) => [key, value]))
        const differing = key_values.filter(({ key, value = '' }) => (now.get(key) ?? '') !== value)
        if (differing.length === 0) return <p>{t('{{name}} has these values already.', { name })}</p>
        return (
          <div className={css.changes}>
            {differing.map(({ key, value = '' }) => (
              <ChangedValue key={key} name={key} before={now.get(key) ?? ''} now={value} />
            ))}
          </div>
        )
      }}
    </QueryView>
  )
}
