import { expect, test } from 'vitest'
import { t } from '../../lib/text/i18n.ts'
import type { Job, JobTask } from '../list/types.ts'
import { jobDoneText, jobFailedText, jobProgressText, jobTitle } from './job-texts.ts'

const job = (task: JobTask, fields: Partial<Job> = {}): Job => ({
  ...{ kind: 'job', id: '1', owner: 'o', bucket: 'photos', task, state: 'done' },
  ...{ count: 2, skipped: 0, failed: 1, errors: [] },
  ...fields,
})
const copy = (move: boolean, ...from: string[]): JobTask => ({
  type: 'copyObjects',
  body: { target_bucket: 'b', move, entries: from.map((key) => ({ from: key, to: 'x' })) },
})

test.each<[JobTask, string, string, string]>([
  [{ type: 'delete', paths: [] }, 'Empty photos', '2 objects deleted', '1 object could not be deleted'],
  [{ type: 'delete', paths: ['a'] }, 'Delete a', '2 objects deleted', '1 object could not be deleted'],
  [copy(false, 'a'), 'Copy a', '2 objects copied', '1 object could not be copied'],
  [copy(true, 'a', 'b/'), 'Move 2 entries of photos', '2 objects moved', '1 object could not be moved'],
  [
    { type: 'changeObjects', body: { paths: ['a'], changes: { content_type: 'a/b', governance_bypass: false } } },
    'Change a',
    '2 objects changed',
    '1 object could not be changed',
  ],
  [
    { type: 'restoreFolder', body: { prefix: '', date: '' } },
    'Restore photos/',
    '2 objects restored',
    '1 object could not be restored',
  ],
  [
    { type: 'undeleteObjects', body: { paths: ['a'], since: '' } },
    'Undo the deletion in photos',
    '2 objects restored',
    '1 object could not be restored',
  ],
  [
    { type: 'exportLogs', query: { format: 'csv' } },
    'Export audit records as CSV',
    '2 records exported',
    '1 record could not be exported',
  ],
  [
    { type: 'healthReport', masked: true },
    'Diagnostic report',
    '2 sections collected',
    '1 section could not be collected',
  ],
])('the texts of %j', (task, title, progress, failed) => {
  expect([jobTitle(t, job(task), false), jobProgressText(t, job(task)), jobFailedText(t, job(task))]).toEqual([
    title,
    progress,
    failed,
  ])
})

test('the texts include skipped objects, and a job that waits for its user', () => {
  expect(jobDoneText(t, job(copy(false, 'a'), { skipped: 3 }))).toBe('2 objects copied, 3 unchanged')
  expect(jobProgressText(t, job(copy(false, 'a'), { state: 'held' }))).toBe('Continues when you sign in again')
  expect(jobTitle(t, job({ type: 'delete', paths: ['a'] }), true)).toBe('Delete photos/a')
})
