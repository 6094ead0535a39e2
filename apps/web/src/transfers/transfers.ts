import type { Session } from '@stowage/contract'
import { callLines } from '../lib/api/api.ts'
import { createClient } from '../lib/api/client.ts'
import { loseSession } from '../lib/api/signed-out.ts'
import { base } from '../lib/base.ts'
import { toast } from '../lib/feedback/toast.ts'
import { t } from '../lib/text/i18n.ts'
import { createUploadApi } from './api/upload-api.ts'
import { xhrSend } from './api/xhr-send.ts'
import { Jobs } from './engine/jobs.ts'
import { ListStore } from './engine/list-store.ts'
import { refreshLater, refreshNow } from './engine/refresh.ts'
import { openResumeRecords } from './engine/resume-records.ts'
import { delay } from './engine/retry.ts'
import { Slots } from './engine/slots.ts'
import { openTabs } from './engine/tabs.ts'
import type { Transfer } from './engine/types.ts'
import { Uploads } from './engine/uploads.ts'
import { tellBatch } from './tray/tell-batch.ts'

/** Connections that transfers may take; a browser has six to a server. */
const CONNECTIONS = 4

/** Everything that the tray shows, of all users of this tab. */
export const transfers = new ListStore<Transfer>()

export const uploads: Uploads = new Uploads({
  store: transfers,
  api: createUploadApi(createClient(xhrSend)),
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
