import type { Session } from '@stowage/contract'
import { callLines } from '../lib/api.ts'
import { base } from '../lib/base.ts'
import { t } from '../lib/i18n.ts'
import { loseSession } from '../lib/signed-out.ts'
import { toast } from '../lib/toast.ts'
import { Jobs } from './jobs.ts'
import { ListStore } from './list-store.ts'
import { refreshLater, refreshNow } from './refresh.ts'
import { openResumeRecords } from './resume-records.ts'
import { delay } from './retry.ts'
import { xhrSend } from './send.ts'
import { Slots } from './slots.ts'
import { openTabs } from './tabs.ts'
import { tellBatch } from './tell-batch.ts'
import type { Transfer } from './types.ts'
import { createUploadApi } from './upload-api.ts'
import { Uploads } from './uploads.ts'

/** Connections that transfers may take; a browser has six to a server. */
const CONNECTIONS = 4

/** Everything that the tray shows, of all users of this tab. */
export const transfers = new ListStore<Transfer>()

export const uploads: Uploads = new Uploads({
  store: transfers,
  api: createUploadApi(xhrSend),
  slots: new Slots(CONNECTIONS),
  records: openResumeRecords(),
  tabs: openTabs(() => uploads.inHand()),
  now: Date.now,
  wait: delay,
  onStored: refreshLater,
  onBatch(batch) {
    refreshNow()
    tellBatch(batch)
  },
  onSignedOut: () => loseSession('expired'),
})

export const jobs = new Jobs({
  store: transfers,
  deletePaths(bucket, paths, signal) {
    const body = paths.map((path) => ({ path, recursive: path.endsWith('/') }))
    return callLines('deleteObjects', { params: { bucket }, body, signal })
  },
  onChanged(bucket) {
    refreshLater(bucket)
    refreshNow()
  },
  onEnd({ state }) {
    // A failure stands in the tray, with its report.
    if (state === 'done') toast.ok(t('Objects deleted successfully.'))
  },
})

/** Transfers belong to a user of a server behind one address of the console. */
export const ownerOf = ({ user = '', server = '' }: Session) => `${user}@${server} ${base}`

/** Whose transfers run. Nobody's while the session is over. */
export function setTransferOwner(owner: string | undefined) {
  uploads.setOwner(owner)
  jobs.setOwner(owner)
}

/** Whether leaving the page would break something off. */
export const isBusy = () => uploads.busy || jobs.busy
