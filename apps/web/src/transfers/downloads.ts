import { LARGE_DOWNLOAD } from '@stowage/contract'
import { ApiFailure } from '../lib/api/api-failure.ts'
import { callAddress } from '../lib/api/call-address.ts'
import { invalidate } from '../lib/api/query.ts'
import { responseFailure, unreachableFailure } from '../lib/api/send-request.ts'
import { loseSession } from '../lib/api/signed-out.ts'
import { toast } from '../lib/feedback/toast.ts'
import { createStore } from '../lib/store.ts'
import { t } from '../lib/text/i18n.ts'
import { randomId } from './uploads/upload-task.ts'

/** A download that was requested and has not started yet. */
export interface StartingDownload {
  id: string
  bucket: string
  /** The keys to download; several keys or a folder are downloaded as one zip file. */
  keys: readonly string[]
}

/** The downloads that have not started yet. A started download is controlled by the browser and unknown to the page. */
export const startingDownloads = createStore<readonly StartingDownload[]>([])

/**
 * Lets the browser download an object. If it is missing or denied, the page reports the error and no file is saved.
 * @param object.size bytes, if known; a large download is announced
 */
export async function downloadObject(object: { bucket: string; key: string; versionId?: string; size?: number }) {
  const { bucket, key, versionId, size = 0 } = object
  const query = { prefix: key, ...(versionId === undefined ? {} : { version_id: versionId }) }
  const url = callAddress('downloadObject', { params: { bucket }, query })
  await startDownload(bucket, [key], async () => {
    // Reads one byte to check that the download is possible. For an empty object the response is 416.
    await checkDownload(url, { headers: { range: 'bytes=0-0' } }, [416])
    openFrame((frame) => {
      frame.src = url
    })
    if (size > LARGE_DOWNLOAD) {
      toast.ok(t('Download process started, it may take a few moments to complete'))
      toast.ok(t('If the download is interrupted, resume it in the downloads of your browser.'))
    }
  })
}

/** Lets the browser download one file of a zip archive. @param version identifies the archive, as in calls of the console */
export async function downloadArchiveMember(
  bucket: string,
  version: { prefix: string; version_id?: string },
  member: string,
) {
  const url = callAddress('downloadArchiveMember', { params: { bucket }, query: { ...version, member } })
  await startDownload(bucket, [`${version.prefix}/${member}`], async () => {
    await checkDownload(url, {})
    openFrame((frame) => {
      frame.src = url
    })
  })
}

/**
 * Lets the browser download a selection as one zip file. A key that ends with a slash includes everything below it. Browsers
 * cannot resume it, because the server creates it while it is read.
 * @param sizeBytes of the selection; undefined: unknown, because it contains folders. A large download is announced
 */
export async function downloadZip(
  bucket: string,
  keys: readonly string[],
  name: string,
  sizeBytes: number | undefined,
) {
  const action = callAddress('downloadObjects', { params: { bucket } })
  const fields = { objects: JSON.stringify(keys), name }
  await startDownload(bucket, keys, async () => {
    await checkDownload(action, { method: 'POST', body: new URLSearchParams(fields) })
    openFrame((frame) => submitForm(action, fields, frame.name))
    if (sizeBytes === undefined || sizeBytes > LARGE_DOWNLOAD)
      toast.ok(
        t('Download of {{name}} started. A zip file cannot be resumed: if it is interrupted, start it again.', {
          name,
        }),
      )
  })
}

async function startDownload(bucket: string, keys: readonly string[], start: () => Promise<void>) {
  const entry = { id: randomId(), bucket, keys }
  startingDownloads.set((old) => [...old, entry])
  try {
    await start()
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) loseSession('expired')
    toast.failure(error)
    // A missing object is still shown in the list: read the list again.
    if (error instanceof ApiFailure && error.status === 404) void invalidate('listObjects')
  } finally {
    startingDownloads.set((old) => old.filter(({ id }) => id !== entry.id))
  }
}

/** Makes the call until its status is known, and cancels it without reading the body. */
async function checkDownload(url: string, init: RequestInit, alsoFine: readonly number[] = []) {
  const control = new AbortController()
  let response: Response
  try {
    response = await fetch(url, { ...init, signal: control.signal, credentials: 'same-origin', cache: 'no-store' })
  } catch (cause) {
    throw unreachableFailure(cause)
  }
  if (!response.ok && !alsoFine.includes(response.status)) throw await responseFailure(response)
  control.abort()
}

/** How long a frame is kept (ms); by then the response has become a download or an error page. */
const FRAME_LIFETIME_MS = 120_000

/** Opens a hidden frame. The browser saves its response as a download; only an error is loaded as a page, and is reported. */
function openFrame(go: (frame: HTMLIFrameElement) => void) {
  const frame = document.createElement('iframe')
  frame.name = `download-${randomId()}`
  frame.hidden = true
  document.body.append(frame)
  frame.addEventListener('load', () => reportErrorPage(frame))
  go(frame)
  setTimeout(() => frame.remove(), FRAME_LIFETIME_MS)
}

function reportErrorPage(frame: HTMLIFrameElement) {
  const text = frame.contentDocument?.body?.textContent ?? ''
  if (frame.contentDocument?.URL === 'about:blank') return
  responseFailure(new Response(text, { status: 500 })).then((failure) => toast.failure(failure), toast.failure)
}

function submitForm(action: string, fields: Record<string, string>, target: string) {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = action
  form.target = target
  form.hidden = true
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement('input')
    field.type = 'hidden'
    field.name = name
    field.value = value
    form.append(field)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}
