import { formatUnits } from '../../lib/text/format.ts'
import { type Plural, plural, type Translate } from '../../lib/text/i18n.ts'
import { plainName } from '../../lib/text/visible-name.ts'
import type { Job } from '../list/types.ts'

/** Returns `Delete italy/`, or `Move 3 entries of photos`; with `whole` including the bucket. */
export function jobTitle(t: Translate, { task, bucket }: Job, whole: boolean): string {
  const named = (key: string) => plainName(whole || key === '' ? `${bucket}/${key}` : key)
  switch (task.type) {
    case 'delete': {
      const [only, ...others] = task.paths
      if (only === undefined) return t('Empty {{bucket}}', { bucket })
      if (others.length === 0) return t('Delete {{name}}', { name: named(only) })
      const text = plural('Delete {{count}} entry of {{bucket}}', 'Delete {{count}} entries of {{bucket}}')
      return t(text, { count: task.paths.length, bucket })
    }
    case 'copyObjects': {
      const { entries, move } = task.body
      const [only, ...others] = entries
      if (only && others.length === 0)
        return move ? t('Move {{name}}', { name: named(only.from) }) : t('Copy {{name}}', { name: named(only.from) })
      const text = move
        ? plural('Move {{count}} entry of {{bucket}}', 'Move {{count}} entries of {{bucket}}')
        : plural('Copy {{count}} entry of {{bucket}}', 'Copy {{count}} entries of {{bucket}}')
      return t(text, { count: entries.length, bucket })
    }
    case 'changeObjects': {
      const { paths } = task.body
      const [only, ...others] = paths
      if (only !== undefined && others.length === 0) return t('Change {{name}}', { name: named(only) })
      const text = plural('Change {{count}} entry of {{bucket}}', 'Change {{count}} entries of {{bucket}}')
      return t(text, { count: paths.length, bucket })
    }
    case 'restoreFolder':
      return t('Restore {{name}}', { name: named(task.body.prefix) })
    case 'undeleteObjects':
      return t('Undo the deletion in {{bucket}}', { bucket })
    case 'exportLogs':
      return task.query.format === 'csv' ? t('Export audit records as CSV') : t('Export audit records as NDJSON')
    case 'healthReport':
      return t('Diagnostic report')
  }
}

/** Returns `12 objects moved, 2 unchanged`. */
export function jobProgressText(t: Translate, job: Job): string {
  if (job.state === 'held') return t('Continues when you sign in again')
  // A plural for other languages, which inflect the word.
  const unchanged = plural('{{count}} unchanged', '{{count}} unchanged')
  return formatUnits([
    t(countTexts(job).changed, { count: job.count }),
    ...(job.skipped > 0 ? [t(unchanged, { count: job.skipped })] : []),
  ])
}

/** Returns the number of failed objects as text. */
export const jobFailedText = (t: Translate, job: Job) => t(countTexts(job).failed, { count: job.failed })

/** Returns the text of the snackbar at the end. */
export function jobDoneText(t: Translate, job: Job): string {
  if (job.task.type === 'healthReport') return t('The diagnostic report is ready.')
  return job.task.type === 'delete' ? t('Objects deleted successfully.') : jobProgressText(t, job)
}

function countTexts({ task }: Job): { changed: Plural; failed: Plural } {
  if (task.type === 'delete')
    return {
      changed: plural('{{count}} object deleted', '{{count}} objects deleted'),
      failed: plural('{{count}} object could not be deleted', '{{count}} objects could not be deleted'),
    }
  if (task.type === 'changeObjects')
    return {
      changed: plural('{{count}} object changed', '{{count}} objects changed'),
      failed: plural('{{count}} object could not be changed', '{{count}} objects could not be changed'),
    }
  if (task.type === 'exportLogs')
    return {
      changed: plural('{{count}} record exported', '{{count}} records exported'),
      failed: plural('{{count}} record could not be exported', '{{count}} records could not be exported'),
    }
  if (task.type === 'healthReport')
    return {
      changed: plural('{{count}} section collected', '{{count}} sections collected'),
      failed: plural('{{count}} section could not be collected', '{{count}} sections could not be collected'),
    }
  if (task.type !== 'copyObjects')
    return {
      changed: plural('{{count}} object restored', '{{count}} objects restored'),
      failed: plural('{{count}} object could not be restored', '{{count}} objects could not be restored'),
    }
  return task.body.move
    ? {
        changed: plural('{{count}} object moved', '{{count}} objects moved'),
        failed: plural('{{count}} object could not be moved', '{{count}} objects could not be moved'),
      }
    : {
        changed: plural('{{count}} object copied', '{{count}} objects copied'),
        failed: plural('{{count}} object could not be copied', '{{count}} objects could not be copied'),
      }
}
