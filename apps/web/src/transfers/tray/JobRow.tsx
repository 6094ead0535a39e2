import { ActionIcon, Button } from '@mantine/core'
import { IconArrowBackUp, IconRotate, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { q } from '../../lib/api/query.ts'
import { useT } from '../../lib/text/i18n.ts'
import { plainName } from '../../lib/text/visible-name.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { TechnicalDetails } from '../../ui/feedback/Banner.tsx'
import { Icon } from '../../ui/icons/Icon.tsx'
import { StatusIcon, type StatusIconState } from '../../ui/icons/StatusIcon.tsx'
import { ProgressBar } from '../../ui/values/Gauge.tsx'
import { jobFailedText, jobProgressText, jobTitle } from '../jobs/job-texts.ts'
import type { Job, JobState } from '../list/types.ts'
import { transferJobs } from '../transfers.ts'
import css from './tray.module.css'

const jobStatusIcons: Record<JobState, StatusIconState> = { running: 'run', held: 'off', failed: 'bad', done: 'ok' }

interface JobRowProps {
  job: Job
  /** Shows the bucket too, because another transfer has the same name. */
  whole?: boolean
}

/** A job in the tray: how many objects are done, and at the end which ones failed. */
export const JobRow = memo(function JobRow({ job, whole = false }: JobRowProps) {
  const t = useT()
  const { id, state } = job
  const title = jobTitle(t, job, whole)
  return (
    <div className={css.row}>
      <div className={css.first}>
        <StatusIcon state={jobStatusIcons[state]} />
        <span className={css.plain} title={title}>
          {title}
        </span>
        {state === 'failed' && (
          <Button
            size="xs"
            leftSection={<Icon of={IconRotate} />}
            aria-label={
              job.stoppedAfter === undefined ? t('Retry: {{title}}', { title }) : t('Continue: {{title}}', { title })
            }
            onClick={() => transferJobs.retry(id)}
          >
            {job.stoppedAfter === undefined ? t('Retry') : t('Continue')}
          </Button>
        )}
        {state === 'done' && <UndoButton job={job} />}
        {state === 'done' && job.task.type === 'healthReport' && (
          <Link to="/health-info" className="link">
            {t('Show')}
          </Link>
        )}
        <ActionIcon
          aria-label={
            state === 'running' ? t('Stop: {{title}}', { title }) : t('Remove {{name}} from the list', { name: title })
          }
          onClick={() => transferJobs.cancel(id)}
        >
          <Icon of={IconX} />
        </ActionIcon>
      </div>
      {state === 'running' && <ProgressBar share={undefined} label={title} />}
      <div className={css.facts}>
        <span className="truncate">{jobProgressText(t, job)}</span>
      </div>
      {state === 'failed' && <JobReport job={job} />}
    </div>
  )
})

/**
 * The button that undoes a deletion in a bucket with versioning. Its row is then removed, because a deletion can be undone
 * once.
 */
function UndoButton({ job: { id, bucket, task, since, count } }: { job: Job }) {
  const t = useT()
  const versioning = useQuery({
    ...q('getBucketVersioning', { params: { bucket } }),
    staleTime: 60_000,
    enabled: task.type === 'delete' && since !== undefined,
  })
  if (task.type !== 'delete' || since === undefined || count === 0 || task.paths.length === 0) return null
  if (versioning.data?.is_versioned !== true) return null
  const undo = () => {
    transferJobs.start(bucket, { type: 'undeleteObjects', body: { paths: task.paths, since } })
    transferJobs.cancel(id)
  }
  return (
    <Button size="xs" leftSection={<Icon of={IconArrowBackUp} />} onClick={undo}>
      {t('Undo')}
    </Button>
  )
}

/** Shows why the job failed, and which objects remain. */
function JobReport({ job }: { job: Job }) {
  const t = useT()
  const lines = job.errors.map(({ path, message }) => `${plainName(path)}: ${message}`)
  const text = job.error?.errorMessage ?? jobFailedText(t, job)
  return (
    <div className={css.more}>
      <span className={css.bad}>{text}</span>{' '}
      {job.stoppedAfter !== undefined && (
        <span>{t('It continues after {{name}}.', { name: plainName(job.stoppedAfter) })} </span>
      )}
      {lines.length > 0 && <TechnicalDetails text={lines.join('\n')} />}
    </div>
  )
}
