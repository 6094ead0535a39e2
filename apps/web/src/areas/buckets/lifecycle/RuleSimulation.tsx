import { useDebouncedValue } from '@mantine/hooks'
import type { Input, LifecycleSimulation } from '@stowage/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/api/api.ts'
import { asFailure } from '../../../lib/api/api-failure.ts'
import { formatCount, formatSize } from '../../../lib/text/format.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { ChangePreview } from '../../../ui/dialog/FormModal.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import css from './lifecycle.module.css'
import { LIFECYCLE_ACTION_TEXTS } from './lifecycle-rule-texts.ts'

/** Delay between an edit and the simulation (ms). */
const DEBOUNCE_MS = 500

type Body = Input<'simulateLifecycleRule'>['body']

/** Shows what a rule, or a change of one, would do to the objects of a bucket, before it is saved. */
export function RuleSimulation({ bucket, body }: { bucket: string; body: Body }) {
  const t = useT()
  const [asked] = useDebouncedValue(JSON.stringify(body), DEBOUNCE_MS)
  const query = useQuery({
    queryKey: ['simulateLifecycleRule', bucket, asked],
    queryFn: ({ signal }) =>
      call('simulateLifecycleRule', { params: { bucket }, body: JSON.parse(asked) as Body, signal }),
    placeholderData: keepPreviousData,
    // The answer also depends on the stored rule.
    gcTime: 0,
    retry: false,
  })
  const isCurrent = asked === JSON.stringify(body) && !query.isPlaceholderData
  return (
    <ChangePreview>
      <div aria-busy={!isCurrent || query.isPending}>
        {query.error ? (
          <StatusIcon state="warn">{asFailure(query.error).errorMessage}</StatusIcon>
        ) : query.data && isCurrent ? (
          <SimulationResult found={query.data} />
        ) : (
          <span className="ink-2">{t('Checking which objects this rule affects…')}</span>
        )}
      </div>
    </ChangePreview>
  )
}

function SimulationResult({ found }: { found: LifecycleSimulation }) {
  const t = useT()
  const { due, matched, first, locked, locks_unchecked: unchecked, complete, scanned } = found
  const amount = { size: formatSize(due.bytes), count: due.versions }
  return (
    <>
      <p className="strong">
        {due.versions === 0
          ? t('This rule does not affect any objects now.')
          : t(
              plural(
                'This rule will immediately act on {{count}} object ({{size}}).',
                'This rule will immediately act on {{count}} objects ({{size}}).',
              ),
              amount,
            )}
      </p>
      {locked > 0 && (
        <p>
          <StatusIcon state="warn">
            {t(plural('{{count}} of them is protected by a lock.', '{{count}} of them are protected by locks.'), {
              count: locked,
            })}
          </StatusIcon>
        </p>
      )}
      {unchecked > 0 && (
        <p className="ink-2">
          {t(
            plural(
              'The lock of {{count}} more object was not checked.',
              'The locks of {{count}} more objects were not checked.',
            ),
            { count: unchecked },
          )}
        </p>
      )}
      <p className="ink-2">
        {t(
          plural(
            'It will act on {{count}} of the current objects ({{size}}).',
            'It will act on {{count}} of the current objects ({{size}}).',
          ),
          { count: matched.versions, size: formatSize(matched.bytes) },
        )}
      </p>
      {first.length > 0 && (
        <ul className={css.first}>
          {first.map((entry) => (
            <li key={`${entry.key} ${entry.version_id}`}>
              <ObjectName name={entry.key} />
              <span className="ink-2">
                {t(LIFECYCLE_ACTION_TEXTS[entry.action])} <Time at={entry.due} exact />
                {entry.locked && ` · ${t('locked')}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {!complete && (
        <p className="small ink-3">
          {t('Based on the first {{count}} versions only. The bucket has more.', {
            count: formatCount(scanned),
          })}
        </p>
      )}
    </>
  )
}
