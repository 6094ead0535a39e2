import { useDebouncedValue } from '@mantine/hooks'
import type { LifecycleBody, LifecycleSimulation } from '@stowage/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/api/api.ts'
import { asFailure } from '../../../lib/failure.ts'
import { formatCount, formatSize } from '../../../lib/text/format.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { Effect } from '../../../ui/FormModal.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { ObjectName } from '../../../ui/ObjectName.tsx'
import { Time } from '../../../ui/Time.tsx'
import css from './lifecycle.module.css'
import { ACTION_WORDS } from './rule-words.ts'

/** Delay between an edit and the simulation (ms). */
const DEBOUNCE_MS = 500

/** Shows what a rule would do to the objects of a bucket, before it is saved. */
export function Simulation({ bucket, body }: { bucket: string; body: LifecycleBody }) {
  const t = useT()
  const [asked] = useDebouncedValue(JSON.stringify(body), DEBOUNCE_MS)
  const query = useQuery({
    queryKey: ['simulateLifecycleRule', bucket, asked],
    queryFn: ({ signal }) =>
      call('simulateLifecycleRule', { params: { bucket }, body: JSON.parse(asked) as LifecycleBody, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isCurrent = asked === JSON.stringify(body) && !query.isPlaceholderData
  return (
    <Effect>
      <div aria-busy={!isCurrent || query.isPending}>
        {query.error ? (
          <Mark state="warn">{asFailure(query.error).errorMessage}</Mark>
        ) : query.data && isCurrent ? (
          <Result found={query.data} />
        ) : (
          <span className="ink-2">{t('Looking for what this rule touches…')}</span>
        )}
      </div>
    </Effect>
  )
}

function Result({ found }: { found: LifecycleSimulation }) {
  const t = useT()
  const { due, matched, first, locked, complete, scanned } = found
  const amount = { size: formatSize(due.bytes), count: due.versions }
  return (
    <>
      <p className="strong">
        {due.versions === 0
          ? t('This rule has nothing to do now.')
          : t(
              plural(
                'This rule acts on {{count}} object at once ({{size}}).',
                'This rule acts on {{count}} objects at once ({{size}}).',
              ),
              amount,
            )}
      </p>
      <p className="ink-2">
        {t(
          plural(
            'At some time it acts on {{count}} object of those stored now ({{size}}).',
            'At some time it acts on {{count}} objects of those stored now ({{size}}).',
          ),
          { count: matched.versions, size: formatSize(matched.bytes) },
        )}
      </p>
      {locked > 0 && (
        <p>
          <Mark state="warn">
            {t(plural('A lock keeps {{count}} of them.', 'Locks keep {{count}} of them.'), { count: locked })}
          </Mark>
        </p>
      )}
      {first.length > 0 && (
        <ul className={css.first}>
          {first.map((entry) => (
            <li key={`${entry.key} ${entry.version_id}`}>
              <ObjectName name={entry.key} />
              <span className="ink-2">
                {t(ACTION_WORDS[entry.action])} <Time at={entry.due} exact />
                {entry.locked && ` · ${t('locked')}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {!complete && (
        <p className="small ink-3">
          {t('A sample: the first {{count}} versions were looked at. The bucket has more.', {
            count: formatCount(scanned),
          })}
        </p>
      )}
    </>
  )
}
