import { type Input, type ObjectItem, reason } from '@stowage/contract'
import {
  CopySources,
  type PossibleReplacement,
  possibleReplacements,
  replacedSource,
  sharedCopyTarget,
} from '@stowage/contract/objects/copy-sources'
import { objectJobCalls } from '@stowage/contract/objects/object-jobs'
import type { ActionName } from '@stowage/iam-policy'
import type { FastifyInstance } from 'fastify'
import pMap from 'p-map'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { objectFailure } from '../../../lib/errors/object-failure.ts'
import { toStorageError } from '../../../lib/errors/storage-errors.ts'
import { serve } from '../../../lib/http/serve.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import type { StorageClients } from '../../../lib/storage/storage-clients.ts'
import { type ObjectVersionReference, versionParameters } from '../details/object-details.ts'
import { readHeader, type S3ResponseHeaders } from '../details/object-headers.ts'
import { keysBelow } from '../listing/list-objects.ts'
import { readListingPage } from '../listing/listing-page.ts'
import { type CopyClients, type CopyResult, copyVersion, MAX_SINGLE_COPY } from '../versions/copy-version.ts'
import { compareByHeaders, hasSameContent, readVersionHeaders, type VersionHead } from '../versions/same-content.ts'
import { missingRight, readCallerAccess } from './missing-right.ts'
import { type JobItem, type JobItemResult, readJobCursor, sendJob, writeJobCursor } from './run-job.ts'

/** Maximum size of the request body in bytes: 100,000 pairs of keys of common length. */
const SELECTION_BYTES = 64 << 20

type Entry = Input<'copyObjects'>['body']['entries'][number]

/** One object to copy. */
interface CopyItem extends JobItem {
  to: string
  /** Headers of the object, if its entry in the listing has everything that a copy needs. */
  listed?: S3ResponseHeaders | undefined
}

interface CopyJobRequest {
  clients: StorageClients & CopyClients
  bucket: string
  target: string
  /** Undefined if the target is another bucket. */
  sources: CopySources | undefined
  move: boolean
  overwrite: boolean
  /** Whether the server itself keeps an existing target; otherwise the job looks for it before each copy. */
  conditional: boolean
}

export function copyJobRoutes(app: FastifyInstance): void {
  serve(
    app,
    objectJobCalls.copyObjects,
    async ({ params: { bucket }, body }, context) => {
      const { target_bucket: target, entries, move, overwrite, dry_run, cursor } = body
      for (const entry of entries) checkEntry(entry, bucket === target)
      const conditional = context.session.capabilities.includes('conditional-copies')
      refuseSharedTargets(entries, overwrite || !conditional)
      const sources = bucket === target ? new CopySources(entries) : undefined
      // A continued job has been checked before; `copyOne` looks at each object again.
      if (sources && cursor === undefined) await refuseReplacedSources(context.s3Stream, bucket, entries, sources)
      // Finish the current object when the caller disconnects: a move must not end between copy and deletion.
      const { detached } = context
      const job = { clients: { ...detached(), detached }, bucket, target, sources, move, overwrite, conditional }
      const items = copyItems(context.s3Stream, bucket, entries, cursor)
      const work = dry_run ? await dryRun(job) : (item: CopyItem) => copyOne(job, item)
      return await sendJob(context, items, work)
    },
    SELECTION_BYTES,
  )
}

function checkEntry({ from, to }: Entry, sameBucket: boolean): void {
  const folder = from.endsWith('/')
  if (folder && to !== '' && !to.endsWith('/'))
    throw new HttpError(400, reason('copy-folder-to-object'), { field: 'entries' })
  if (!folder && to === '') throw new HttpError(400, reason('required'), { field: 'entries' })
  // Copying a folder into itself would never end.
  if (sameBucket && (folder ? to.startsWith(from) : to === from))
    throw new HttpError(400, reason('copy-into-itself'), { field: 'entries' })
}

/** @param replaces whether a copy may replace what another entry has just written */
function refuseSharedTargets(entries: readonly Entry[], replaces: boolean): void {
  const path = replaces ? sharedCopyTarget(entries) : undefined
  if (path !== undefined) throw new HttpError(400, reason('copy-same-target', { path }), { field: 'entries' })
}

/** Maximum number of requests that look for objects whose copies would replace a source. */
const MAX_CHECKS = 200
const CHECKS_AT_ONCE = 16

/**
 * Refuses a copy in which an object would replace a source that is not copied yet, or would be copied twice. What a limited
 * number of requests does not find, `copyOne` finds for each object.
 */
async function refuseReplacedSources(
  s3Stream: S3Stream,
  bucket: string,
  entries: readonly Entry[],
  sources: CopySources,
): Promise<void> {
  const refuse = (path: string) => {
    throw new HttpError(400, reason('copy-onto-source', { path }), { field: 'entries' })
  }
  const replaced = replacedSource(entries, sources)
  if (replaced !== undefined) refuse(replaced)
  const possible: PossibleReplacement[] = []
  for (const each of possibleReplacements(entries, sources)) if (possible.push(each) === MAX_CHECKS) break
  await pMap(
    possible,
    async ({ from, entry }) => {
      const found = await firstKeyBelow(s3Stream, bucket, from)
      if (found !== undefined) refuse(entry.to + found.slice(entry.from.length))
    },
    { concurrency: CHECKS_AT_ONCE },
  )
}

/** Returns the first key below a folder, or the key itself; undefined if there is none. */
async function firstKeyBelow(s3Stream: S3Stream, bucket: string, path: string): Promise<string | undefined> {
  const query = { prefix: path, recursive: true, versions: false, metadata: false, limit: 1 }
  const { items } = await readListingPage(s3Stream, bucket, query)
  const name = items[0]?.name
  return path.endsWith('/') || name === path ? name : undefined
}

async function* copyItems(
  s3Stream: S3Stream,
  bucket: string,
  entries: readonly Entry[],
  cursor: string | undefined,
): AsyncGenerator<CopyItem> {
  const start = readJobCursor(cursor)
  for (let entry = start.entry; entry < entries.length; entry++) {
    const { from = '', to = '' } = entries[entry] ?? {}
    if (!from.endsWith('/')) {
      yield { key: from, to, cursor: writeJobCursor({ entry: entry + 1 }) }
      continue
    }
    const after = entry === start.entry ? start.key : undefined
    for await (const items of keysBelow(s3Stream, bucket, from, after, true))
      for (const item of items) {
        const { name: key, size } = item
        const cursor = writeJobCursor({ entry, key })
        yield { key, size, to: to + key.slice(from.length), cursor, listed: listedHead(item) }
      }
  }
}

/** Listed metadata that is a setting, which a copy has to repeat. */
const SETTINGS = /^x-amz-(server-side-encryption|website-redirect-location)/i

/**
 * Returns the headers of a listed object that a copy needs; undefined if a HEAD is needed. Metadata is listed by servers that
 * also list there whether the object is encrypted, and only for callers that may read the object.
 */
function listedHead({ size, etag, storage_class, user_metadata }: ObjectItem): S3ResponseHeaders | undefined {
  if (!user_metadata || !etag || size > MAX_SINGLE_COPY || (storage_class ?? 'STANDARD') !== 'STANDARD')
    return undefined
  if (Object.keys(user_metadata).some((name) => SETTINGS.test(name))) return undefined
  return { etag: `"${etag}"`, 'content-length': String(size) }
}

async function copyOne(job: CopyJobRequest, item: CopyItem): Promise<JobItemResult> {
  const { clients, move, overwrite, conditional } = job
  if (item.to === '') return targetWithoutName()
  if (job.sources?.has(item.to)) return targetIsSource()
  const { s3Stream } = clients
  const source = { bucket: job.bucket, key: item.key }
  const target = { bucket: job.target, key: item.to }
  // A move deletes the version that it copied, so it needs its ID, which is not listed.
  const listed = move ? undefined : item.listed
  const [head, existing] = await Promise.all([
    listed ?? readVersionHeaders(s3Stream, source),
    overwrite || conditional ? undefined : readHeadersIfPresent(s3Stream, target),
  ])
  const skipExisting = async (there: S3ResponseHeaders) => {
    // Equal ETags are enough. Otherwise a stored checksum may show that the content is the same.
    const enough = !listed || compareByHeaders(listed, there) === true
    return targetExists(enough ? head : await readVersionHeaders(s3Stream, source), there)
  }
  if (existing) return await skipExisting(existing)
  const version = { ...source, versionId: readHeader(head, 'x-amz-version-id') || undefined }
  let copied: CopyResult
  try {
    copied = await copyVersion(clients, version, { ...target, overwrite }, { head })
  } catch (error) {
    if (toStorageError(error)?.code !== 'PreconditionFailed') throw error
    const there = overwrite ? undefined : await readHeadersIfPresent(s3Stream, target)
    if (there) return await skipExisting(there)
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

/** The object appeared after the job had been checked. Replacing a source could lose it. */
function targetIsSource(): JobItemResult {
  return failedResult('TargetIsSource', 'The target is itself among the objects to copy or move.')
}

/** The object of the folder itself, which would have an empty key at the top of a bucket. */
function targetWithoutName(): JobItemResult {
  return failedResult('NoName', 'The object of the folder itself has no name at the top of a bucket.')
}

function targetExists(head: S3ResponseHeaders, existing: S3ResponseHeaders): JobItemResult {
  const same = headSize(head) === headSize(existing) && compareByHeaders(head, existing) === true
  const message = same ? 'The target exists and has the same content.' : 'The target exists.'
  return { state: 'skipped', note: { code: 'TargetExists', message } }
}

/** Deletes the version that was copied, and only that one. */
async function removeSource(
  s3Stream: S3Stream,
  source: VersionHead,
  { version, copied }: { version: ObjectVersionReference; copied: CopyResult },
): Promise<JobItemResult> {
  const etag = readHeader(source.head, 'etag')
  // If both are the MD5 of the bytes, the answer of the copy is enough.
  const known = MD5.test(copied.etag) && etag.replaceAll('"', '') === copied.etag
  if (
    !known &&
    !(await hasSameContent(s3Stream, source, { version, head: await readVersionHeaders(s3Stream, version) }))
  )
    return failedResult('NotTheSame', 'The copy differs from the source, which was kept.')
  const unversioned = source.version.versionId === undefined
  const changed = failedResult('SourceChanged', 'The source was changed while it was copied, and was kept.')
  try {
    if (unversioned) {
      // Without versioning, a deletion would remove whatever is stored now.
      const now = await readVersionHeaders(s3Stream, source.version)
      if (readHeader(now, 'etag') !== etag || lastModified(now) !== lastModified(source.head)) return changed
    }
    // Not all servers obey the condition.
    const headers = { 'if-match': unversioned ? etag : undefined }
    await s3Stream.headers({ method: 'DELETE', ...versionParameters(source.version), headers })
  } catch (error) {
    const failure = objectFailure(error)
    if (!failure) throw error
    const { code, message, gone, fault } = failure
    if (code === 'PreconditionFailed') return changed
    if (!gone)
      return {
        ...failedResult(code, `The object was copied, but the source could not be deleted: ${message}`),
        fault,
      }
  }
  return { state: 'changed', bytes: headSize(source.head) }
}

const MD5 = /^[0-9a-f]{32}$/

const failedResult = (code: string, message: string): JobItemResult => ({ state: 'failed', note: { code, message } })
const headSize = (head: S3ResponseHeaders) => Number(readHeader(head, 'content-length'))
const lastModified = (head: S3ResponseHeaders) => readHeader(head, 'last-modified')

/** Returns undefined if the version does not exist. */
async function readHeadersIfPresent(
  s3Stream: S3Stream,
  version: ObjectVersionReference,
): Promise<S3ResponseHeaders | undefined> {
  try {
    return await readVersionHeaders(s3Stream, version)
  } catch (error) {
    if (toStorageError(error)?.status === 404) return undefined
    throw error
  }
}

/** Returns a function that reports what a copy would do to each object, based on both sides and the caller's policy. */
async function dryRun(job: CopyJobRequest): Promise<(item: CopyItem) => Promise<JobItemResult>> {
  const { clients, bucket, target, sources, move, overwrite } = job
  const access = await readCallerAccess(clients)
  const { s3Stream } = clients
  return async ({ key, to }) => {
    if (to === '') return targetWithoutName()
    if (sources?.has(to)) return targetIsSource()
    const [head, existing] = await Promise.all([
      readVersionHeaders(s3Stream, { bucket, key }),
      readHeadersIfPresent(s3Stream, { bucket: target, key: to }),
    ])
    if (existing && !overwrite) return targetExists(head, existing)
    const versionId = readHeader(head, 'x-amz-version-id')
    const needed: { action: ActionName; bucket: string; object: string }[] = [
      { action: versionId ? 's3:GetObjectVersion' : 's3:GetObject', bucket, object: key },
      { action: 's3:PutObject', bucket: target, object: to },
      ...(move
        ? [
            {
              action: versionId ? ('s3:DeleteObjectVersion' as const) : ('s3:DeleteObject' as const),
              bucket,
              object: key,
            },
          ]
        : []),
    ]
    const missing = missingRight(access, needed)
    if (missing) return failedResult('AccessDenied', `You do not have the right ${missing}.`)
    const effects = [
      `${target}/${to}`,
      ...(existing ? ['replaces an object'] : []),
      ...(move ? await movedNotes(s3Stream, { bucket, key }, head) : []),
    ]
    return {
      state: 'changed',
      bytes: headSize(head),
      note: { code: move ? 'Move' : 'Copy', message: effects.join('; ') },
    }
  }
}

/** Returns notes about what remains at the source of a moved object. */
async function movedNotes(
  s3Stream: S3Stream,
  version: ObjectVersionReference,
  head: S3ResponseHeaders,
): Promise<string[]> {
  const notes: string[] = []
  const hold = readHeader(head, 'x-amz-object-lock-legal-hold').toUpperCase() === 'ON'
  const until = Date.parse(readHeader(head, 'x-amz-object-lock-retain-until-date'))
  if (hold || until > Date.now()) notes.push('is locked: the source stays')
  if (!readHeader(head, 'x-amz-version-id')) return notes
  const query = { prefix: version.key, recursive: true, versions: true, metadata: false, limit: 2 }
  const { items } = await readListingPage(s3Stream, version.bucket, query)
  if (items[1]?.name === version.key) notes.push('its older versions stay, and the newest of them becomes visible')
  return notes
}
