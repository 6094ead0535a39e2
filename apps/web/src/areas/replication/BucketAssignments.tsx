import { TextInput, Tooltip } from '@mantine/core'
import { IconAlertCircle, IconCheck } from '@tabler/icons-react'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../../ui/icons/Icon.tsx'
import css from './replication.module.css'

/** The result for a bucket; without an error it is replicated. */
export interface AssignmentResult {
  error: string | undefined
}

interface BucketAssignmentsProps {
  buckets: readonly string[]
  /** The buckets of the other server. If none are listed, their names are typed. */
  remote: readonly string[]
  assigned: Readonly<Record<string, string>>
  outcomes: ReadonlyMap<string, AssignmentResult>
  onAssign: (bucket: string, to: string) => void
}

/** The fields that assign each bucket the bucket that it is replicated to. */
export function BucketAssignments({ buckets, remote, assigned, outcomes, onAssign }: BucketAssignmentsProps) {
  const t = useT()
  return (
    <ul className={css.buckets} aria-label={t('Buckets Assignation')}>
      <li className={`${css.bucket} ${css.head}`} aria-hidden>
        <span>{t('Bucket')}</span>
        <span>{t('Target Bucket')}</span>
      </li>
      {buckets.map((bucket) => {
        const label = t('Target bucket of {{bucket}}', { bucket })
        const value = assigned[bucket] ?? ''
        return (
          <li key={bucket} className={css.bucket}>
            <span className="truncate strong" title={bucket}>
              {bucket}
            </span>
            {remote.length > 0 ? (
              <select
                className={css.select}
                aria-label={label}
                value={value}
                onChange={(event) => onAssign(bucket, event.currentTarget.value)}
              >
                <option value="">{t('Choose a bucket')}</option>
                {remote.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            ) : (
              <TextInput
                aria-label={label}
                value={value}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => onAssign(bucket, event.currentTarget.value)}
              />
            )}
            <AssignmentResultIcon bucket={bucket} outcome={outcomes.get(bucket)} />
          </li>
        )
      })}
    </ul>
  )
}

/** The result as an icon. The error is in a tooltip, which is accessible by keyboard and to screen readers. */
function AssignmentResultIcon({ bucket, outcome }: { bucket: string; outcome: AssignmentResult | undefined }) {
  const t = useT()
  if (!outcome) return <span />
  if (outcome.error === undefined) {
    return (
      <span role="img" aria-label={t('{{bucket}} is replicated', { bucket })} className={css.good}>
        <Icon of={IconCheck} />
      </span>
    )
  }
  return (
    <Tooltip label={outcome.error} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its tooltip must be reachable by keyboard */}
      <span role="img" tabIndex={0} aria-label={`${bucket}: ${outcome.error}`} className={css.failed}>
        <Icon of={IconAlertCircle} />
      </span>
    </Tooltip>
  )
}
