import type { Session } from '@stowage/contract'
import { createClient } from '../lib/api/client.ts'
import { loseSession } from '../lib/api/signed-out.ts'
import { base } from '../lib/base.ts'
import { roomInBucket } from '../lib/data/buckets.ts'
import { toast } from '../lib/feedback/toast.ts'
import { t } from '../lib/text/i18n.ts'
import { runTask } from './api/run-task.ts'
import { createUploadApi } from './api/upload-api.ts'
import { xhrSend } from './api/xhr-send.ts'
import { openJobRecords } from './engine/job-records.ts'
import { Jobs } from './engine/jobs.ts'
import { ListStore } from './engine/list-store.ts'
import { refreshLater, refreshNow } from './engine/refresh.ts'
import { openResumeRecords } from './engine/resume-records.ts'
import { delay } from './engine/retry.ts'
import { Slots } from './engine/slots.ts'
import { openTabs } from './engine/tabs.ts'
import type { Transfer } from './engine/types.ts'
import { Uploads } from './engine/uploads.ts'
import { doneText } from './tray/job-texts.ts'
import { tellBatch } from './tray/tell-batch.ts'

/** The number of connections that transfers may use; a browser opens six to a server. */
const CONNECTIONS = 4

/** All transfers of this tab, of all users. */
export const transfers = new ListStore<Transfer>()

const tabs = openTabs(() => [...uploads.inHand(), ...jobs.inHand()])

export const uploads: Uploads = new Uploads({
  store: transfers,
  api: createUploadApi(createClient(xhrSend)),
  slots: new Slots(CONNECTIONS),
  records: openResumeRecords(),
  tabs,
  now: Date.now,
  wait: delay,
  roomIn: roomInBucket,
  onStored: refreshLater,
  onBatch(batch) {
    refreshNow()
    tellBatch(batch)
  },
  onSignedOut: () => loseSession('expired'),
})

export const jobs: Jobs = new Jobs({
  store: transfers,
  run: runTask,
  records: openJobRecords(),
  tabs,
  now: Date.now,
  onChanged(bucket) {
    refreshLater(bucket)
    refreshNow()
  },
  onEnd(job) {
    // A failure is shown in the tray, with a report.
    if (job.state === 'done') toast.ok(doneText(t, job))
  },
})

/** Identifies the owner of transfers: a user on a server, managed by the console at this address. */
export const ownerOf = ({ user = '', server = '' }: Session) => `${user}@${server} ${base}`

/** Sets the user whose transfers run; undefined while there is no session. */
export function setTransferOwner(owner: string | undefined) {
  uploads.setOwner(owner)
  jobs.setOwner(owner)
}

/** Reports whether leaving the page would interrupt transfers. */
export const isBusy = () => uploads.busy || jobs.busy
