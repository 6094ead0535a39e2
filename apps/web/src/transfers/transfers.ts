import type { Session } from '@stowage/contract'
import { createApiClient } from '../lib/api/client.ts'
import { loseSession } from '../lib/api/signed-out.ts'
import { consoleBase } from '../lib/base-path.ts'
import { remainingQuota } from '../lib/data/buckets.ts'
import { toast } from '../lib/feedback/toast.ts'
import { t } from '../lib/text/i18n.ts'
import { openJobRecords } from './jobs/job-records.ts'
import { JobRunner } from './jobs/job-runner.ts'
import { jobDoneText } from './jobs/job-texts.ts'
import { runTask } from './jobs/run-task.ts'
import { ListStore } from './list/list-store.ts'
import { connectTabs } from './list/other-tabs.ts'
import { refreshListingsLater, refreshListingsNow } from './list/refresh-listings.ts'
import { requestLimit } from './list/request-limit.ts'
import type { Transfer } from './list/types.ts'
import { showBatchResult } from './uploads/batch-toast.ts'
import { openResumeRecords } from './uploads/resume-records.ts'
import { retryDelay } from './uploads/retry.ts'
import { createUploadApi } from './uploads/upload-api.ts'
import { UploadRunner } from './uploads/upload-runner.ts'
import { xhrSend } from './uploads/xhr-send.ts'

/** The number of connections that transfers may use; a browser opens six to a server. */
const CONNECTIONS = 4

/** All transfers of this tab, of all users. */
export const transfers = new ListStore<Transfer>()

const tabs = connectTabs(() => [...transferUploads.activeIds(), ...transferJobs.activeIds()])

export const transferUploads: UploadRunner = new UploadRunner({
  store: transfers,
  api: createUploadApi(createApiClient(xhrSend)),
  limit: requestLimit(CONNECTIONS),
  records: openResumeRecords(),
  tabs,
  now: Date.now,
  wait: retryDelay,
  remainingQuota: remainingQuota,
  onStored: refreshListingsLater,
  onBatch(batch) {
    refreshListingsNow()
    showBatchResult(batch)
  },
  onSignedOut: () => loseSession('expired'),
})

export const transferJobs: JobRunner = new JobRunner({
  store: transfers,
  run: runTask,
  records: openJobRecords(),
  tabs,
  now: Date.now,
  onChanged(bucket) {
    refreshListingsLater(bucket)
    refreshListingsNow()
  },
  onEnd(job) {
    // A failure is shown in the tray, with a report.
    if (job.state === 'done') toast.ok(jobDoneText(t, job))
  },
})

/** Identifies the owner of transfers: a user on a server, managed by the console at this address. */
export const transferOwner = ({ user = '', server = '' }: Session) => `${user}@${server} ${consoleBase}`

/** Sets the user whose transfers run; undefined while there is no session. */
export function setTransferOwner(owner: string | undefined) {
  transferUploads.setOwner(owner)
  transferJobs.setOwner(owner)
}

/** Reports whether leaving the page would interrupt transfers. */
export const hasBusyTransfers = () => transferUploads.busy || transferJobs.busy
