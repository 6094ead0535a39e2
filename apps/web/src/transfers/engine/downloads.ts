import { LARGE_DOWNLOAD } from '@stowage/contract'
import { addressOf } from '../../lib/api/api.ts'
import { invalidate } from '../../lib/api/query.ts'
import { failureOf, unreachable } from '../../lib/api/send.ts'
import { loseSession } from '../../lib/api/signed-out.ts'
import { ApiFailure } from '../../lib/failure.ts'
import { toast } from '../../lib/feedback/toast.ts'
import { createStore } from '../../lib/store.ts'
import { t } from '../../lib/text/i18n.ts'
import { newId } from './upload-task.ts'

/** A download that was asked for and has not begun yet. */
export interface Starting {
  id: string
  bucket: string
  /** What comes down; several keys and folders come as one zip. */
  keys: readonly string[]
}

/** The files that are being downloaded, as far as a page knows: once one has begun, it is the browser's. */
export const filesDownloading = createStore<readonly Starting[]>([])

/**
 * Lets the browser download an object. A missing or denied one is reported in the page and leaves no file.
 * @param object.size bytes, if known; a large one is announced
 */
export async function downloadObject(object: { bucket: string; key: string; versionId?: string; size?: number }) {
  const { bucket, key, versionId, size = 0 } = object
  const query = { prefix: key, ...(versionId === undefined ? {} : { version_id: versionId }) }
  const url = addressOf('downloadObject', { params: { bucket }, query })
  await begin(bucket, [key], async () => {
    // Reading one byte shows whether the download is possible. An empty object has no first byte and answers 416.
    await probe(url, { headers: { range: 'bytes=0-0' } }, [416])
    openFrame((frame) => {
      frame.src = url
    })
    if (size > LARGE_DOWNLOAD) toast.ok(t('Download process started, it may take a few moments to complete'))
  })
}

/** Lets the browser download one file of a zip archive. @param version names the archive, as calls of the console do */
export async function downloadMember(bucket: string, version: { prefix: string; version_id?: string }, member: string) {
  const url = addressOf('downloadArchiveMember', { params: { bucket }, query: { ...version, member } })
  await begin(bucket, [`${version.prefix}/${member}`], async () => {
    await probe(url, {})
    openFrame((frame) => {
      frame.src = url
    })
  })
}

/** Lets the browser download a selection as one zip; a key that ends with a slash means everything below it. */
export async function downloadZip(bucket: string, keys: readonly string[], name: string) {
  const action = addressOf('downloadObjects', { params: { bucket } })
  const fields = { objects: JSON.stringify(keys), name }
  await begin(bucket, keys, async () => {
    await probe(action, { method: 'POST', body: new URLSearchParams(fields) })
    openFrame((frame) => submitForm(action, fields, frame.name))
  })
}

async function begin(bucket: string, keys: readonly string[], start: () => Promise<void>) {
  const entry = { id: newId(), bucket, keys }
  filesDownloading.set((old) => [...old, entry])
  try {
    await start()
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) loseSession('expired')
    toast.failure(error)
    // What is gone is still shown in the list that it was asked for in.
    if (error instanceof ApiFailure && error.status === 404) void invalidate('listObjects')
  } finally {
    filesDownloading.set((old) => old.filter(({ id }) => id !== entry.id))
  }
}

/** Makes the call as far as its status, and leaves its body. */
async function probe(url: string, init: RequestInit, alsoFine: readonly number[] = []) {
  const control = new AbortController()
  let response: Response
  try {
    response = await fetch(url, { ...init, signal: control.signal, credentials: 'same-origin', cache: 'no-store' })
  } catch (cause) {
    throw unreachable(cause)
  }
  if (!response.ok && !alsoFine.includes(response.status)) throw await failureOf(response)
  control.abort()
}

/** How long a frame is left in place, in milliseconds; by then the answer has become a download or a page. */
const FRAME_FOR = 120_000

/** A hidden frame whose answer the browser saves. Only an error is loaded as a page in it, and is reported. */
function openFrame(go: (frame: HTMLIFrameElement) => void) {
  const frame = document.createElement('iframe')
  frame.name = `download-${newId()}`
  frame.hidden = true
  document.body.append(frame)
  frame.addEventListener('load', () => tellPage(frame))
  go(frame)
  setTimeout(() => frame.remove(), FRAME_FOR)
}

function tellPage(frame: HTMLIFrameElement) {
  const text = frame.contentDocument?.body?.textContent ?? ''
  if (frame.contentDocument?.URL === 'about:blank') return
  failureOf(new Response(text, { status: 500 })).then((failure) => toast.failure(failure), toast.failure)
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
