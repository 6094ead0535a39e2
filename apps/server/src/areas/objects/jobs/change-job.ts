import { type ObjectChanges, reason } from '@stowage/contract'
import { MAX_TAGS } from '@stowage/contract/objects/object-details'
import { objectJobCalls } from '@stowage/contract/objects/object-jobs'
import type { ActionName } from '@stowage/iam-policy'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { serve } from '../../../lib/http/serve.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import type { StorageClients } from '../../../lib/storage/storage-clients.ts'
import { type ObjectVersionReference, readObjectTags } from '../details/object-details.ts'
import { readHeader, type S3ResponseHeaders, USER_METADATA, writeHeaderText } from '../details/object-headers.ts'
import { keysBelow } from '../listing/list-objects.ts'
import { putLegalHold, putRetention, putTags } from '../versions/change-object.ts'
import { type CopyClients, copyVersion, type DescriptionHeaders, descriptionHeaders } from '../versions/copy-version.ts'
import { readVersionHeaders } from '../versions/same-content.ts'
import { type ActiveRetention, type NewVersionLock, readLegalHold, readRetention } from '../versions/version-lock.ts'
import { missingRight, readCallerAccess } from './missing-right.ts'
import { type JobItem, type JobItemResult, readJobCursor, sendJob, writeJobCursor } from './run-job.ts'

/** Bytes of a selection's body: 100,000 keys of the usual length. */
const SELECTION_BYTES = 64 << 20

interface ChangeJob {
  clients: StorageClients & CopyClients
  bucket: string
  changes: ObjectChanges
}

/** Changes metadata, tags and lock of many objects, each of them only where it differs from what is asked for. */
export function changeJobRoutes(app: FastifyInstance): void {
  serve(
    app,
    objectJobCalls.changeObjects,
    async ({ params: { bucket }, body }, context) => {
      const { paths, changes, dry_run, cursor } = body
      const until = changes.retention && Date.parse(changes.retention.expires)
      if (typeof until === 'number' && until <= Date.now())
        throw new HttpError(400, reason('retention-in-the-past'), { field: 'changes.retention.expires' })
      // An object that has been begun is finished when the caller leaves: it must not be left half changed.
      const { detached } = context
      const job = { clients: { ...detached(), detached }, bucket, changes }
      const items = changeItems(context.s3Stream, bucket, paths, cursor)
      const work = dry_run ? await dryRun(job) : (item: JobItem) => changeOne(job, item)
      return await sendJob(context, items, work)
    },
    SELECTION_BYTES,
  )
}

async function* changeItems(
  s3Stream: S3Stream,
  bucket: string,
  paths: readonly string[],
  cursor: string | undefined,
): AsyncGenerator<JobItem> {
  const start = readJobCursor(cursor)
  for (let entry = start.entry; entry < paths.length; entry++) {
    const path = paths[entry] ?? ''
    if (!path.endsWith('/')) {
      yield { key: path, cursor: writeJobCursor({ entry: entry + 1 }) }
      continue
    }
    for await (const items of keysBelow(s3Stream, bucket, path, entry === start.entry ? start.key : undefined))
      for (const { name: key, size } of items) yield { key, size, cursor: writeJobCursor({ entry, key }) }
  }
}

/** The differences from the requested state; absent members are unchanged. */
interface ChangePlan {
  version: ObjectVersionReference
  head: S3ResponseHeaders
  described?: DescriptionHeaders | undefined
  tags?: Record<string, string> | undefined
  held?: boolean | undefined
  /** null removes it. */
  retention?: ActiveRetention | null | undefined
}

async function planFor({ clients, bucket, changes }: ChangeJob, key: string): Promise<ChangePlan> {
  const { s3Stream } = clients
  const head = await readVersionHeaders(s3Stream, { bucket, key })
  const version = { bucket, key, versionId: readHeader(head, 'x-amz-version-id') || undefined }
  const wanted = changes.retention
  return {
    version,
    head,
    described: changedDescription(head, changes),
    tags: changes.tags && (await changedTags(s3Stream, version, changes.tags)),
    // Servers omit the header also for callers without the right to read it, so an absent one proves nothing.
    held: changes.legal_hold && ifDifferent(changes.legal_hold === 'enabled', readLegalHold(head)),
    retention: wanted && changedRetention(head, wanted),
    ...(wanted === null ? { retention: null } : {}),
  }
}

const ifDifferent = <T>(wanted: T, present: T | undefined) => (wanted === present ? undefined : wanted)

function changedDescription(head: S3ResponseHeaders, changes: ObjectChanges): DescriptionHeaders | undefined {
  const standard: Record<string, string | null> = {
    ...(changes.content_type === undefined ? {} : { 'content-type': changes.content_type }),
    ...changes.headers,
  }
  const own = new Map(
    Object.keys(head)
      .filter((name) => name.startsWith(USER_METADATA))
      .map((name) => [name.slice(USER_METADATA.length), readHeader(head, name)]),
  )
  let differs = Object.entries(standard).some(([name, text]) => (text ?? '') !== readHeader(head, name))
  for (const [name, text] of Object.entries(changes.user_metadata ?? {})) {
    const lower = name.toLowerCase()
    const next = typeof text === 'string' ? writeHeaderText(text) : undefined
    if (next === own.get(lower)) continue
    differs = true
    if (next === undefined) own.delete(lower)
    else own.set(lower, next)
  }
  if (!differs) return undefined
  const header = (name: string) => {
    const text = standard[name]
    return text === undefined ? readHeader(head, name) : (text ?? '')
  }
  return descriptionHeaders(header, Object.fromEntries(own))
}

async function changedTags(
  s3Stream: S3Stream,
  version: ObjectVersionReference,
  changes: NonNullable<ObjectChanges['tags']>,
): Promise<Record<string, string> | undefined> {
  const present = new Map(Object.entries(await readObjectTags(s3Stream, version)))
  const next = new Map(present)
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) next.delete(key)
    else if (value !== undefined) next.set(key, value)
  }
  const same = next.size === present.size && [...next].every(([key, value]) => present.get(key) === value)
  return same ? undefined : Object.fromEntries(next)
}

function changedRetention(
  head: S3ResponseHeaders,
  { mode, expires }: NonNullable<ObjectChanges['retention']>,
): ActiveRetention | undefined {
  const wanted: ActiveRetention = {
    mode: mode === 'compliance' ? 'COMPLIANCE' : 'GOVERNANCE',
    until: wholeSeconds(expires),
  }
  const present = readRetention(head)
  const same = present?.mode === wanted.mode && wholeSeconds(present.until).getTime() === wanted.until.getTime()
  return same ? undefined : wanted
}

/** Servers keep no fractions of a second. */
const wholeSeconds = (time: string | Date) => new Date(Math.floor(new Date(time).getTime() / 1000) * 1000)

const isEmpty = ({ described, tags, held, retention }: ChangePlan) =>
  described === undefined && tags === undefined && held === undefined && retention === undefined

async function changeOne(job: ChangeJob, { key }: JobItem): Promise<JobItemResult> {
  const plan = await planFor(job, key)
  if (isEmpty(plan)) return { state: 'skipped' }
  const refusal = changeRefusal(plan, job.changes)
  if (refusal) return refusal
  const bytes = Number(readHeader(plan.head, 'content-length'))
  if (plan.described) await rewriteObject(job, plan, plan.described)
  else await changeInPlace(job, plan)
  return { state: 'changed', bytes }
}

/** Copies the object onto itself, with all other changes in the same request, so that all or none are made. */
async function rewriteObject({ clients }: ChangeJob, plan: ChangePlan, described: DescriptionHeaders): Promise<void> {
  const { version, head, tags } = plan
  const { bucket, key, versionId } = version
  const target = { bucket, key, overwrite: true, described, tags, lock: nextLock(plan) }
  const copied = await copyVersion(clients, { bucket, key, versionId }, target, { head })
  // A default of the bucket may have locked the new version again.
  if (plan.retention === null)
    await putRetention(clients.s3Stream, { bucket, key, versionId: copied.versionId }, undefined)
  if (plan.held === false) await putLegalHold(clients.s3Stream, { bucket, key, versionId: copied.versionId }, false)
}

/** The lock of a new version: the present one, so that the object is not unprotected by a change of its metadata. */
function nextLock({ head, held, retention }: ChangePlan): NewVersionLock {
  return {
    held: held ?? readLegalHold(head) ?? false,
    retention: retention === null ? undefined : (retention ?? readRetention(head)),
  }
}

async function changeInPlace(
  { clients, changes }: ChangeJob,
  { version, tags, held, retention }: ChangePlan,
): Promise<void> {
  const { s3Stream } = clients
  // The most likely to be refused comes first.
  if (retention === null) await putRetention(s3Stream, version, undefined)
  else if (retention) {
    const mode = retention.mode === 'COMPLIANCE' ? 'compliance' : 'governance'
    await putRetention(s3Stream, version, { mode, until: retention.until, bypass: changes.governance_bypass })
  }
  if (held !== undefined) await putLegalHold(s3Stream, version, held)
  if (tags) await putTags(s3Stream, version, tags)
}

/** Returns the error for changes that no storage server accepts, before anything is changed. */
function changeRefusal(
  { head, described, tags, retention }: ChangePlan,
  changes: ObjectChanges,
): JobItemResult | undefined {
  const count = Object.keys(tags ?? {}).length
  if (count > MAX_TAGS)
    return failedResult('InvalidTag', `It would have ${count} tags. An object can have at most ${MAX_TAGS}.`)
  const present = readRetention(head)
  // A new version gets its own retention.
  if (!present || described || retention === undefined) return undefined
  const weaker = retention === null || retention.until < present.until || retention.mode !== present.mode
  if (!weaker) return undefined
  if (present.mode === 'COMPLIANCE')
    return failedResult('AccessDenied', 'Compliance retention cannot be shortened, changed or removed.')
  if (retention !== null && !changes.governance_bypass)
    return failedResult('AccessDenied', 'Governance retention can be shortened or changed only by a bypass.')
  return undefined
}

const failedResult = (code: string, message: string): JobItemResult => ({ state: 'failed', note: { code, message } })

/** Says for each object what would change, by reading it and the caller's policy. */
async function dryRun(job: ChangeJob): Promise<(item: JobItem) => Promise<JobItemResult>> {
  const access = await readCallerAccess(job.clients)
  return async ({ key }) => {
    const plan = await planFor(job, key)
    if (isEmpty(plan)) return { state: 'skipped' }
    const refusal = changeRefusal(plan, job.changes)
    if (refusal) return refusal
    const asked = neededActions(plan, job.changes).map((action) => ({ action, bucket: job.bucket, object: key }))
    const missing = missingRight(access, asked)
    if (missing) return failedResult('AccessDenied', `You do not have the right ${missing}.`)
    const bytes = Number(readHeader(plan.head, 'content-length'))
    return { state: 'changed', bytes, note: { code: 'Change', message: describeChanges(plan).join('; ') } }
  }
}

function neededActions(plan: ChangePlan, changes: ObjectChanges): ActionName[] {
  const { described, tags, held, retention, version } = plan
  const isVersioned = version.versionId !== undefined
  const lock = described ? nextLock(plan) : { held, retention }
  const weakens =
    retention === null || (retention !== undefined && !described && readRetention(plan.head) !== undefined)
  const needed: [ActionName, boolean][] = [
    ['s3:PutObject', described !== undefined],
    // The copy and the tags are made of the version that the plan was made for.
    ['s3:GetObjectVersion', described !== undefined && isVersioned],
    [isVersioned && !described ? 's3:PutObjectVersionTagging' : 's3:PutObjectTagging', tags !== undefined],
    ['s3:PutObjectLegalHold', Boolean(lock.held) || held !== undefined],
    ['s3:PutObjectRetention', Boolean(lock.retention) || retention !== undefined],
    ['s3:BypassGovernanceRetention', weakens && (retention === null || Boolean(changes.governance_bypass))],
  ]
  return needed.flatMap(([action, isNeeded]) => (isNeeded ? [action] : []))
}

function describeChanges({ version, described, tags, held, retention }: ChangePlan): string[] {
  return [
    ...(described ? [version.versionId === undefined ? 'metadata' : 'metadata, as a new version'] : []),
    ...(tags ? ['tags'] : []),
    ...(held === undefined ? [] : [held ? 'legal hold on' : 'legal hold off']),
    ...(retention === null ? ['retention removed'] : []),
    ...(retention ? [`${retention.mode.toLowerCase()} retention until ${retention.until.toISOString()}`] : []),
  ]
}
