import { ActionIcon, Button } from '@mantine/core'
import { IconRotate, IconX } from '@tabler/icons-react'
import { memo } from 'react'
import { plural, type Translate, useT } from '../../lib/text/i18n.ts'
import { plainName } from '../../lib/text/visible-name.ts'
import { Details } from '../../ui/Banner.tsx'
import { ProgressBar } from '../../ui/Gauge.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Mark, type MarkState } from '../../ui/Mark.tsx'
import type { Job, JobState } from '../engine/types.ts'
import { jobs } from '../transfers.ts'
import css from './tray.module.css'

const marks: Record<JobState, MarkState> = { running: 'run', held: 'off', failed: 'bad', done: 'ok' }

interface JobRowProps {
  job: Job
  /** Named with its bucket, for another one has the same name. */
  whole?: boolean
}

/** One deletion of the tray: how many are gone, and at its end what could not be deleted. */
export const JobRow = memo(function JobRow({ job, whole = false }: JobRowProps) {
  const t = useT()
  const { id, state } = job
  const title = titleOf(t, job, whole)
  return (
    <div className={css.row}>
      <div className={css.first}>
        <Mark state={marks[state]} />
        <span className={css.plain} title={title}>
          {title}
        </span>
        {state === 'failed' && (
          <Button
            size="xs"
            leftSection={<Icon of={IconRotate} />}
            aria-label={t('Retry: {{title}}', { title })}
            onClick={() => jobs.retry(id)}
          >
            {t('Retry')}
          </Button>
        )}
        <ActionIcon
          aria-label={
            state === 'running' ? t('Stop: {{title}}', { title }) : t('Remove {{name}} from the list', { name: title })
          }
          onClick={() => jobs.cancel(id)}
        >
          <Icon of={IconX} />
        </ActionIcon>
      </div>
      {state === 'running' && <ProgressBar share={undefined} label={title} />}
      <div className={css.facts}>
        <span className="truncate">{deletedText(t, job)}</span>
      </div>
      {state === 'failed' && <Report job={job} />}
    </div>
  )
})

/** Why it failed, and which objects are left. */
function Report({ job: { failed, errors, error } }: { job: Job }) {
  const t = useT()
  const lines = errors.map(({ path, message }) => `${plainName(path)}: ${message}`)
  const left = plural('{{count}} object could not be deleted', '{{count}} objects could not be deleted')
  const text = error?.errorMessage ?? t(left, { count: failed })
  return (
    <div className={css.more}>
      <span className={css.bad}>{text}</span> {lines.length > 0 && <Details text={lines.join('\n')} />}
    </div>
  )
}

function titleOf(t: Translate, { paths, bucket }: Job, whole: boolean): string {
  const [only = '', ...others] = paths
  if (others.length === 0) return t('Delete {{name}}', { name: plainName(whole ? `${bucket}/${only}` : only) })
  const text = plural('Delete {{count}} entry of {{bucket}}', 'Delete {{count}} entries of {{bucket}}')
  return t(text, { count: paths.length, bucket })
}

function deletedText(t: Translate, { state, deleted }: Job): string {
  if (state === 'held') return t('Continues when you sign in again')
  return t(plural('{{count}} object deleted', '{{count}} objects deleted'), { count: deleted })
}
