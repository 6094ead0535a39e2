import { type Input, type ObjectItem, reason } from '@stowage/contract'
import { jobCalls } from '@stowage/contract/objects/jobs'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/http/errors.ts'
import { serve } from '../../lib/http/serve.ts'
import type { Clients } from '../../lib/storage/clients.ts'
import type { S3Stream } from '../../lib/storage/s3-stream.ts'
import { storageErrorOf } from '../../lib/storage/storage-errors.ts'
import { type Copied, type CopyClients, copyVersion, SINGLE_MAX } from './copy.ts'
import { onWire, type Version } from './details.ts'
import { type JobItem, type Outcome, readCursor, runJob, sendJob, writeCursor } from './job.ts'
import { keysBelow } from './list.ts'
import { listPage } from './list-page.ts'
import { type Headers, headerOf } from './metadata.ts'
import { accessOf, missingRight } from './rights.ts'
import { headOf, type Read, sameByHeaders, sameContent } from './same-content.ts'

/** Maximum size of the request body in bytes: 100,000 pairs of keys of common length. */
const SELECTION_BYTES = 64 << 20

type Entry = Input<'copyObjects'>['body']['entries'][number]

/** One object to copy. */
interface CopyItem extends JobItem {
  to: string
  /** Headers of the object, if its entry in the listing has everything that a copy needs. */
  listed?: Headers | undefined
}

interface Job {
  clients: Clients & CopyClients
  bucket: string
  target: string
  move: boolean
  overwrite: boolean
  /** Whether the server itself keeps an existing target; otherwise the job looks for it before each copy. */
  conditional: boolean
}

export function copyRoutes(app: FastifyInstance): void {
  serve(
    app,
    jobCalls.copyObjects,
    async ({ params: { bucket }, body }, context) => {
      const { target_bucket: target, entries, move, overwrite, dry_run, cursor } = body
      for (const entry of entries) check(entry, bucket === target)
      // Finish the current object when the caller disconnects: a move must not end between copy and deletion.
      const { detached } = context
      const conditional = context.session.capabilities.includes('conditional-copies')
      const job = { clients: { ...detached(), detached }, bucket, target, move, overwrite, conditional }
      const items = itemsOf(context.s3Stream, bucket, entries, cursor)
      const work = dry_run ? await dryRun(job) : (item: CopyItem) => copyOne(job, item)
      return await sendJob(context.request, context.reply, runJob(items, work, context.signal))
    },
    SELECTION_BYTES,
  )
}

function check({ from, to }: Entry, sameBucket: boolean): void {
  const folder = from.endsWith('/')
  if (folder && to !== '' && !to.endsWith('/'))
    throw new HttpError(400, reason('copy-folder-to-object'), { field: 'entries' })
  if (!folder && to === '') throw new HttpError(400, reason('required'), { field: 'entries' })
  // Copying a folder into itself would never end.
  if (sameBucket && (folder ? to.startsWith(from) : to === from))
    throw new HttpError(400, reason('copy-into-itself'), { field: 'entries' })
}

async function* itemsOf(
  s3Stream: S3Stream,
  bucket: string,
  entries: readonly Entry[],
  cursor: string | undefined,
): AsyncGenerator<CopyItem> {
  const start = readCursor(cursor)
  for (let entry = start.entry; entry < entries.length; entry++) {
    const { from = '', to = '' } = entries[entry] ?? {}
    if (!from.endsWith('/')) {
      yield { key: from, to, cursor: writeCursor({ entry: entry + 1 }) }
      continue
    }
    const after = entry === start.entry ? start.key : undefined
    for await (const items of keysBelow(s3Stream, bucket, from, after, true))
      for (const item of items) {
        const { name: key, size } = item
        const cursor = writeCursor({ entry, key })
        yield { key, size, to: to + key.slice(from.length), cursor, listed: listedHead(item) }
      }
  }
}

/**
 * Returns the headers of a listed object that a copy needs; undefined if a HEAD is needed. Metadata is listed by servers that
 * also list there whether the object is encrypted, and only for callers that may read the object.
 */
function listedHead({ size, etag, storage_class, user_metadata }: ObjectItem): Headers | undefined {
  if (!user_metadata || !etag || size > SINGLE_MAX || (storage_class ?? 'STANDARD') !== 'STANDARD') return undefined
  if (Object.keys(user_metadata).some((name) => /^x-amz-server-side-encryption/i.test(name))) return undefined
  return { etag: `"${etag}"`, 'content-length': String(size) }
}

async function copyOne(job: Job, item: CopyItem): Promise<Outcome> {
  const { clients, move, overwrite, conditional } = job
  const { s3Stream } = clients
  const source = { bucket: job.bucket, key: item.key }
  const target = { bucket: job.target, key: item.to }
  // A move deletes the version that it copied, so it needs its ID, which is not listed.
  const listed = move ? undefined : item.listed
  const [head, existing] = await Promise.all([
    listed ?? headOf(s3Stream, source),
    overwrite || conditional ? undefined : headIfThere(s3Stream, target),
  ])
  const left = async (there: Headers) => {
    // Equal ETags are enough. Otherwise a stored checksum may show that the content is the same.
    const enough = !listed || sameByHeaders(listed, there) === true
    return exists(enough ? head : await headOf(s3Stream, source), there)
  }
  if (existing) return await left(existing)
  const version = { ...source, versionId: headerOf(head, 'x-amz-version-id') || undefined }
  let copied: Copied
  try {
    copied = await copyVersion(clients, version, { ...target, overwrite }, { head })
  } catch (error) {
    if (storageErrorOf(error)?.code !== 'PreconditionFailed') throw error
    const there = overwrite ? undefined : await headIfThere(s3Stream, target)
    if (there) return await left(there)
    // The source was replaced after it was listed or read.
    if (!listed) throw error
    return await copyOne(job, { ...item, listed: undefined })
  }
  if (!move) return { state: 'changed', bytes: copied.size }
  return await removeSource(
    s3Stream,
    { version, head },
    { version: { ...target, versionId: copied.versionId }, copied },
  )
}

function exists(head: Headers, existing: Headers): Outcome {
  const same = sizeOf(head) === sizeOf(existing) && sameByHeaders(head, existing) === true
  const message = same ? 'The target exists and has the same content.' : 'The target exists.'
  return { state: 'skipped', note: { code: 'TargetExists', message } }
}

/** Deletes the version that was copied, and only that one. */
async function removeSource(
  s3Stream: S3Stream,
  source: Read,
  { version, copied }: { version: Version; copied: Copied },
): Promise<Outcome> {
  const etag = headerOf(source.head, 'etag')
  // If both are the MD5 of the bytes, the answer of the copy is enough.
  const known = MD5.test(copied.etag) && etag.replaceAll('"', '') === copied.etag
  if (!known && !(await sameContent(s3Stream, source, { version, head: await headOf(s3Stream, version) })))
    return failed('NotTheSame', 'The copy differs from the source, which was kept.')
  const unversioned = source.version.versionId === undefined
  const changed = failed('SourceChanged', 'The source was changed while it was copied, and was kept.')
  try {
    if (unversioned) {
      // Without versioning, a deletion would remove whatever is stored now.
      const now = await headOf(s3Stream, source.version)
      if (headerOf(now, 'etag') !== etag || modified(now) !== modified(source.head)) return changed
    }
    // Not all servers obey the condition.
    const headers = { 'if-match': unversioned ? etag : undefined }
    await s3Stream.headers({ method: 'DELETE', ...onWire(source.version), headers })
  } catch (error) {
    const told = storageErrorOf(error)
    if (!told || told.status >= 500) throw error
    if (told.code === 'PreconditionFailed') return changed
    if (told.code !== 'NoSuchKey' && told.code !== 'NoSuchVersion')
      return failed(told.code, `The object was copied, but the source could not be deleted: ${told.message}`)
  }
  return { state: 'changed', bytes: sizeOf(source.head) }
}

const MD5 = /^[0-9a-f]{32}$/

const failed = (code: string, message: string): Outcome => ({ state: 'failed', note: { code, message } })
const sizeOf = (head: Headers) => Number(headerOf(head, 'content-length'))
const modified = (head: Headers) => headerOf(head, 'last-modified')

/** Returns undefined if the version does not exist. */
async function headIfThere(s3Stream: S3Stream, version: Version): Promise<Headers | undefined> {
  try {
    return await headOf(s3Stream, version)
  } catch (error) {
    if (storageErrorOf(error)?.status === 404) return undefined
    throw error
  }
}

/** Returns a function that reports what a copy would do to each object, based on both sides and the caller's policy. */
async function dryRun(job: Job): Promise<(item: CopyItem) => Promise<Outcome>> {
  const { clients, bucket, target, move, overwrite } = job
  const access = await accessOf(clients)
  const { s3Stream } = clients
  return async ({ key, to }) => {
    const [head, existing] = await Promise.all([
      headOf(s3Stream, { bucket, key }),
      headIfThere(s3Stream, { bucket: target, key: to }),
    ])
    if (existing && !overwrite) return exists(head, existing)
    const versionId = headerOf(head, 'x-amz-version-id')
    const missing = missingRight(access, [
      { action: 's3:PutObject', bucket: target, object: to },
      ...(move ? [{ action: versionId ? 's3:DeleteObjectVersion' : 's3:DeleteObject', bucket, object: key }] : []),
    ])
    if (missing) return failed('AccessDenied', `You do not have the right ${missing}.`)
    const effects = [
      `${target}/${to}`,
      ...(existing ? ['replaces an object'] : []),
      ...(move ? await movedNotes(s3Stream, { bucket, key }, head) : []),
    ]
    return {
      state: 'changed',
      bytes: sizeOf(head),
      note: { code: move ? 'Move' : 'Copy', message: effects.join('; ') },
    }
  }
}

/** Returns notes about what remains at the source of a moved object. */
async function movedNotes(s3Stream: S3Stream, version: Version, head: Headers): Promise<string[]> {
  const notes: string[] = []
  const hold = headerOf(head, 'x-amz-object-lock-legal-hold').toUpperCase() === 'ON'
  const until = Date.parse(headerOf(head, 'x-amz-object-lock-retain-until-date'))
  if (hold || until > Date.now()) notes.push('is locked: the source stays')
  if (!headerOf(head, 'x-amz-version-id')) return notes
  const query = { prefix: version.key, recursive: true, versions: true, metadata: false, limit: 2 }
  const { items } = await listPage(s3Stream, version.bucket, query)
  if (items[1]?.name === version.key) notes.push('its older versions stay, and the newest of them becomes visible')
  return notes
}
