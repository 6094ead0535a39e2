import { CreateBucketCommand, GetObjectTaggingCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect } from 'vitest'
import { ownStore } from '../support/console/own-store.ts'
import { sharedConsole } from '../support/console/shared-console.ts'
import type { TestCredentials, TestTarget } from '../support/console/test-target.ts'
import { sendAttack } from './signed-request.ts'

/*
 * Generated: a version with any lock, tags and encryption, a caller with any rights, and any step. No step may leave the version
 * less protected than the rights of the caller allow. If a hole were open, some combination would lose its lock, hold, tags or
 * encryption; the failure names the seed and the combination. `STOWAGE_ATTACK_SEED` and `_RUNS` repeat and prolong it.
 */

const SEED = Number(process.env.STOWAGE_ATTACK_SEED ?? 1)
const RUNS = Number(process.env.STOWAGE_ATTACK_RUNS ?? 60)
const DAY = 86_400_000
const ETAG = '9dd4e461268c8034f5c8564e155c67a6'

let c: TestTarget
let Bucket: string
beforeAll(async () => {
  c = await sharedConsole()
  Bucket = c.freshName('protected')
  await c.s3.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }))
})

/** A small generator with a seed (mulberry32). */
function generator(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T,
    chance: (p: number) => next() < p,
  }
}

const MODES = [undefined, 'GOVERNANCE', 'COMPLIANCE'] as const
/** Days from now. COMPLIANCE is kept short, so that an external server's bucket can be deleted. */
const DAYS = [1, 2, 30] as const
const TAGS = [{}, { a: '1' }, { secret: 'yes' }] as const
const ENCRYPTIONS = [undefined, 'AES256'] as const
const RIGHTS = [
  's3:ReplicateObject',
  's3:ReplicateTags',
  's3:PutObjectTagging',
  's3:DeleteObjectTagging',
  's3:PutObjectRetention',
  's3:BypassGovernanceRetention',
  's3:PutObjectLegalHold',
  's3:DeleteObject',
  's3:DeleteObjectVersion',
  's3:ReplicateDelete',
] as const
const STEPS = [
  'replica',
  'replica-copy',
  'replica-parts',
  'put',
  'copy',
  'tag',
  'untag',
  'retain',
  'hold',
  'delete',
  'replica-delete',
] as const

const iso = (days: number) => new Date(Date.now() + days * DAY).toISOString()

interface Protection {
  mode: string | undefined
  until: number
  hold: boolean
  tags: string
  encryption: string | undefined
}

/** Reads as root what protects the version; undefined if it is gone. */
async function protection(Key: string, VersionId: string): Promise<Protection | undefined> {
  const version = { Bucket, Key, VersionId }
  try {
    const head = await c.s3.send(new HeadObjectCommand(version))
    const { TagSet = [] } = await c.s3.send(new GetObjectTaggingCommand(version))
    return {
      mode: head.ObjectLockMode,
      until: head.ObjectLockRetainUntilDate?.getTime() ?? 0,
      hold: head.ObjectLockLegalHoldStatus === 'ON',
      tags: JSON.stringify(TagSet.map(({ Key: name, Value }) => [name, Value]).sort()),
      encryption: head.ServerSideEncryption,
    }
  } catch {
    return undefined
  }
}

/** Returns what the step took away without the right to. */
function losses(
  before: Protection,
  after: Protection | undefined,
  has: (right: string) => boolean,
  bypasses: boolean,
): string[] {
  const isLocked = before.mode !== undefined
  const mayLift =
    before.mode === 'GOVERNANCE' && has('s3:PutObjectRetention') && has('s3:BypassGovernanceRetention') && bypasses
  if (!after) {
    const mayDelete = has('s3:DeleteObject') || has('s3:DeleteObjectVersion') || has('s3:ReplicateDelete')
    const isFree = !isLocked || (before.mode === 'GOVERNANCE' && has('s3:BypassGovernanceRetention') && bypasses)
    return mayDelete && isFree && !before.hold ? [] : ['the version']
  }
  const lost: string[] = []
  const isWeaker = after.until < before.until || (before.mode === 'COMPLIANCE' && after.mode !== 'COMPLIANCE')
  if (isLocked && isWeaker && !mayLift) lost.push('retention')
  if (before.hold && !after.hold && !has('s3:PutObjectLegalHold')) lost.push('the hold')
  const tagRight = after.tags === '[]' ? 's3:DeleteObjectTagging' : 's3:PutObjectTagging'
  if (before.tags !== after.tags && !has('s3:ReplicateTags') && !has(tagRight)) lost.push('tags')
  if (before.encryption !== after.encryption) lost.push('encryption')
  return lost
}

ownStore.test(`no step takes more protection than the caller's rights allow (seed ${SEED})`, async () => {
  const { pick, chance } = generator(SEED)
  const callers: { rights: readonly string[]; user: TestCredentials }[] = []
  for (let i = 0; i < Math.max(8, RUNS / 20); i++) {
    const rights = RIGHTS.filter(() => chance(0.5))
    const Action = ['s3:GetObject', 's3:GetObjectTagging', 's3:PutObject', ...rights]
    const Statement = [{ Effect: 'Allow', Action, Resource: ['arn:aws:s3:::*'] }]
    callers.push({ rights, user: await c.newUser({ Version: '2012-10-17', Statement }) })
  }
  for (let run = 0; run < RUNS; run++) {
    const { rights, user } = pick(callers)
    const Key = `key-${SEED}-${run}`
    const mode = pick(MODES)
    const encryption = pick(ENCRYPTIONS)
    const { VersionId = '' } = await c.s3.send(
      new PutObjectCommand({
        Bucket,
        Key,
        Body: 'x',
        Tagging: new URLSearchParams(pick(TAGS)).toString(),
        ...(encryption && { ServerSideEncryption: encryption }),
        ...(mode && { ObjectLockMode: mode, ObjectLockRetainUntilDate: new Date(iso(pick(DAYS))) }),
        ...(chance(0.3) && { ObjectLockLegalHoldStatus: 'ON' }),
      }),
    )
    const before = await protection(Key, VersionId)
    if (!before) throw new Error('the version was not written')
    const bypasses = chance(0.5)
    const step = pick(STEPS)
    const status = await take(step, { Key, VersionId, user, pick, chance, bypasses })
    const lost = losses(
      before,
      await protection(Key, VersionId),
      (right) => rights.some((one) => one === right),
      bypasses,
    )
    expect({ seed: SEED, run, step, status, rights, before, bypasses, lost }).toMatchObject({ lost: [] })
  }
})

interface StepInput {
  Key: string
  VersionId: string
  user: TestCredentials
  pick: <T>(items: readonly T[]) => T
  chance: (p: number) => boolean
  bypasses: boolean
}

async function take(step: (typeof STEPS)[number], input: StepInput): Promise<number> {
  const { Key, VersionId, user: credentials, pick, chance, bypasses } = input
  const path = `/${Bucket}/${Key}`
  const version = `versionId=${VersionId}`
  const bypass: Record<string, string> = bypasses ? { 'x-amz-bypass-governance-retention': 'true' } : {}
  const tags = new URLSearchParams(pick(TAGS)).toString()
  const mode = pick(MODES)
  const described = {
    ...bypass,
    ...(tags && { 'x-amz-tagging': tags }),
    ...(mode && { 'x-amz-object-lock-mode': mode, 'x-amz-object-lock-retain-until-date': iso(pick(DAYS)) }),
    ...(chance(0.3) && { 'x-amz-object-lock-legal-hold': pick(['ON', 'OFF']) }),
  }
  const replica = {
    ...described,
    'x-amz-replication-status': 'REPLICA',
    'x-minio-source-replication-request': 'true',
    'x-minio-source-mtime': iso(0.01),
    'x-minio-source-etag': ETAG,
    'x-minio-source-replication-tagging-timestamp': iso(0.01),
  }
  const source = {
    'x-amz-copy-source': `${path}?${version}`,
    'x-amz-metadata-directive': 'REPLACE',
    'x-amz-tagging-directive': 'REPLACE',
  }
  const send = async (method: string, query: string, headers: Record<string, string>, body = '') =>
    await sendAttack(c.serverUrl, { method, path, query, headers, body, credentials })
  switch (step) {
    case 'replica':
      return (await send('PUT', version, replica, 'x')).status
    case 'replica-copy':
      return (await send('PUT', version, { ...replica, ...source })).status
    case 'replica-parts': {
      const begun = await send('POST', `uploads=&${version}`, replica)
      const upload = `uploadId=${/<UploadId>(.*)<\/UploadId>/.exec(begun.text)?.[1]}`
      const { headers } = await send('PUT', `partNumber=1&${upload}`, {}, 'x')
      const part = `<Part><PartNumber>1</PartNumber><ETag>${headers.etag}</ETag></Part>`
      const body = `<CompleteMultipartUpload>${part}</CompleteMultipartUpload>`
      return (await send('POST', upload, chance(0.5) ? replica : {}, body)).status
    }
    case 'put':
      return (await send('PUT', chance(0.5) ? version : '', described, 'y')).status
    case 'copy':
      return (await send('PUT', chance(0.5) ? version : '', { ...described, ...source })).status
    case 'tag':
      return (
        await send(
          'PUT',
          `tagging=&${version}`,
          {},
          '<Tagging><TagSet><Tag><Key>n</Key><Value>1</Value></Tag></TagSet></Tagging>',
        )
      ).status
    case 'untag':
      return (await send('DELETE', `tagging=&${version}`, {})).status
    case 'retain': {
      const until = `<Mode>${pick(['GOVERNANCE', 'COMPLIANCE'])}</Mode><RetainUntilDate>${iso(pick(DAYS))}</RetainUntilDate>`
      return (await send('PUT', `retention=&${version}`, bypass, `<Retention>${chance(0.7) ? until : ''}</Retention>`))
        .status
    }
    case 'hold':
      return (await send('PUT', `legal-hold=&${version}`, {}, '<LegalHold><Status>OFF</Status></LegalHold>')).status
    case 'delete':
      return (await send('DELETE', version, bypass)).status
    case 'replica-delete':
      return (await send('DELETE', version, { ...replica, ...bypass })).status
  }
}
