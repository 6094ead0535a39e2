import type { Session } from '@stowage/contract'
import { createApiClient } from '../lib/api/client.ts'
import { loseSession } from '../lib/api/signed-out.ts'
import { consoleBase } from '../lib/base.ts'
import { remainingQuota } from '../lib/data/buckets.ts'
import { toast } from '../lib/feedback/toast.ts'
import { t } from '../lib/text/i18n.ts'
import { runTask } from './api/run-task.ts'
import { createUploadApi } from './api/upload-api.ts'
import { xhrSend } from './api/xhr-send.ts'
import { openJobRecords } from './engine/job-records.ts'
import { JobRunner } from './engine/jobs.ts'
import { ListStore } from './engine/list-store.ts'
import { refreshListingsLater, refreshListingsNow } from './engine/refresh.ts'
import { openResumeRecords } from './engine/resume-records.ts'
import { retryDelay } from './engine/retry.ts'
import { ConnectionLimit } from './engine/slots.ts'
import { connectTabs } from './engine/tabs.ts'
import type { Transfer } from './engine/types.ts'
import { UploadRunner } from './engine/uploads.ts'
import { jobDoneText } from './tray/job-texts.ts'
import { showBatchResult } from './tray/tell-batch.ts'

/** The number of connections that transfers may use; a browser opens six to a server. */
const CONNECTIONS = 4

/** All transfers of this tab, of all users. */
export const transfers = new ListStore<Transfer>()

const tabs = connectTabs(() => [...transferUploads.activeIds(), ...transferJobs.activeIds()])

export const transferUploads: UploadRunner = new UploadRunner({
  store: transfers,
  api: createUploadApi(createApiClient(xhrSend)),
  slots: new ConnectionLimit(CONNECTIONS),
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
