import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { DeleteLine, JobLine, Operation } from '@stowage/contract'
import { encodePath } from '@stowage/sigv4'
import fc from 'fast-check'
import { acceptLines, readAnswerLines } from '../support/console/answer-lines.ts'
import { type ConsoleBehindFaults, startConsoleBehindFaults } from '../support/console/console-behind-faults.ts'
import { newLockBucket } from '../support/data/objects.ts'
import { s3Refusal } from '../support/network/fault-proxy.ts'

/* Runs jobs over random trees of objects, and compares the bucket with a model in memory. */

/** The latest version of an object. */
interface ModelObject {
  content: string
  type: string
  held: boolean
}

type Model = ReadonlyMap<string, ModelObject>

interface CopyJobInput {
  job: 'copy'
  entries: { from: string; to: string }[]
  move: boolean
  overwrite: boolean
}

type JobInput =
  | CopyJobInput
  | { job: 'change'; paths: string[] }
  | { job: 'delete'; paths: string[]; all: boolean }
  | { job: 'undelete'; paths: string[] }
  | { job: 'restore'; prefix: string; later: { key: string; removed: boolean }[] }
  | { job: 'empty' }

interface Case {
  objects: { key: string; held: boolean }[]
  versioning: 'off' | 'on' | 'lock'
  input: JobInput
  /** The storage server fails each request that writes or deletes this object. */
  faulty: string | undefined
}

const segment = fc.constantFrom('a', 'a', 'b', 'aa', 'a b', 'ü', '%2F', 'a+b', '.x', "'", '')
const anyJobKey = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join('/'))
  .filter((key) => key !== '' && !key.startsWith('/'))

const folders = (key: string) => [...key.matchAll(/\//g)].map(({ index }) => key.slice(0, index + 1))

function jobInput(keys: readonly string[]): fc.Arbitrary<JobInput> {
  const present = fc.constantFrom(...keys)
  const below = fc.constantFrom(...keys.flatMap(folders), ...keys)
  const paths = fc.array(below, { minLength: 1, maxLength: 3 })
  // A deletion that names an object twice makes two delete markers, and its undo removes one.
  const path = below.map((one) => [one])
  const target = fc.oneof(anyJobKey, below, fc.constant(''))
  const entry = fc.tuple(below, target).map(([from, to]) => {
    if (from.endsWith('/')) return { from, to: to === '' || to.endsWith('/') ? to : `${to}/` }
    return { from, to: to === '' || to.endsWith('/') ? `${to}x` : to }
  })
  const copy = fc.record({
    job: fc.constant('copy' as const),
    entries: fc.array(entry, { minLength: 1, maxLength: 3 }),
    move: fc.boolean(),
    overwrite: fc.boolean(),
  })
  const later = fc.array(fc.record({ key: fc.oneof(present, anyJobKey), removed: fc.boolean() }), { maxLength: 4 })
  const prefix = below.map((path) => path.slice(0, path.lastIndexOf('/') + 1))
  return fc.oneof(
    { weight: 6, arbitrary: copy },
    { weight: 2, arbitrary: fc.record({ job: fc.constant('change' as const), paths }) },
    { weight: 1, arbitrary: fc.record({ job: fc.constant('delete' as const), paths, all: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ job: fc.constant('undelete' as const), paths: path }) },
    { weight: 2, arbitrary: fc.record({ job: fc.constant('restore' as const), prefix, later }) },
    { weight: 1, arbitrary: fc.constant({ job: 'empty' as const }) },
  )
}

const anyCase: fc.Arbitrary<Case> = fc
  .uniqueArray(fc.record({ key: anyJobKey, held: fc.boolean() }), {
    minLength: 1,
    maxLength: 10,
    selector: ({ key }) => key,
  })
  .chain((objects) => {
    const keys = objects.map(({ key }) => key)
    return fc.record({
      objects: fc.constant(objects),
      versioning: fc.constantFrom('off' as const, 'on' as const, 'lock' as const),
      input: jobInput(keys),
      faulty: fc.option(fc.oneof(fc.constantFrom(...keys), anyJobKey), { nil: undefined, freq: 3 }),
    })
  })

export interface JobModelOptions {
  runs: number
  seed: number
}

/**
 * Runs random jobs. @returns the first that did something else than the model, with its seed and path for fast-check;
 * undefined if there is none
 */
export async function findJobFault({ runs, seed }: JobModelOptions): Promise<string | undefined> {
  await using behind = await startConsoleBehindFaults()
  const property = fc.asyncProperty(anyCase, (each) => checkCase(behind, each))
  const result = await fc.check(property, { numRuns: runs, seed })
  return result.failed ? fc.defaultReportMessage(result) : undefined
}

async function checkCase(behind: ConsoleBehindFaults, { objects, versioning, input, faulty }: Case): Promise<void> {
  const { c, network } = behind
  if ((input.job === 'restore' || input.job === 'undelete') && versioning === 'off') return
  const bucket = versioning === 'lock' ? ((await newLockBucket(c)) ?? '') : await c.newBucket()
  if (versioning === 'on') await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  const put = async (Key: string, content: string, held = false) => {
    const hold = held ? ({ ObjectLockLegalHoldStatus: 'ON' } as const) : {}
    await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: content, ContentType: 'text/plain', ...hold }))
  }
  const before = new Map<string, ModelObject>()
  for (const { key, held } of objects) {
    const isHeld = held && versioning === 'lock'
    await put(key, `1 ${key}`, isHeld)
    before.set(key, { content: `1 ${key}`, type: 'text/plain', held: isHeld })
  }
  const prepared = await prepareJob(behind, bucket, before, input, put)
  const atomic =
    faulty === undefined ? undefined : new RegExp(`^(PUT|DELETE) /${bucket}/${escapePattern(encodePath(faulty))}[? ]`)
  const whole = input.job === 'delete' || input.job === 'empty' ? `^POST /${bucket}[?]delete` : undefined
  const to = atomic && new RegExp(whole ? `(${atomic.source})|(${whole})` : atomic.source)
  network.set(to ? { answer: { to, with: s3Refusal(500, 'InternalError') } } : {})
  const answer = await c.root.send(prepared.call, { params: { bucket }, ...prepared.input } as never, acceptLines)
  const lines = answer.ok ? await readAnswerLines<JobLine | DeleteLine>(answer) : []
  network.set({})
  const after = await readModel(behind, bucket)
  const expected = expectedResult(prepared.model, input, faulty)
  if (expected === 'refused') {
    equal('status', answer.status, 400)
    return equal('objects after a refusal', show(after), show(prepared.model))
  }
  equal('status', answer.status, 200)
  const report = lines.at(-1)
  equal('report', report !== undefined && 'done' in report, true)
  equal('objects', show(after), show(expected.resolve(after)))
  if (expected.failed !== undefined) equal('failed', report?.failed, expected.failed)
  if (input.job !== 'copy' || faulty !== undefined) return
  // Repeating what is done does no harm, from any point.
  const first = lines.find((line) => 'cursor' in line) as { cursor?: string } | undefined
  const body = { ...(prepared.input as { body: object }).body, cursor: first?.cursor }
  const again = await c.root.send('copyObjects', { params: { bucket }, body } as never, acceptLines)
  await again.text()
  equal('objects after a repetition', show(await readModel(behind, bucket)), show(after))
}

interface PreparedJob {
  call: Operation
  input: object
  /** The objects before the job. */
  model: Model
}

/** Returns the call of a job, after the changes that it is to undo. */
async function prepareJob(
  { c }: ConsoleBehindFaults,
  bucket: string,
  before: Model,
  input: JobInput,
  put: (key: string, content: string) => Promise<void>,
): Promise<PreparedJob> {
  const params = { bucket }
  switch (input.job) {
    case 'copy': {
      const { entries, move, overwrite } = input
      return {
        call: 'copyObjects',
        input: { body: { target_bucket: bucket, entries, move, overwrite } },
        model: before,
      }
    }
    case 'change':
      return {
        call: 'changeObjects',
        input: { body: { paths: input.paths, changes: { content_type: 'text/x-mine' } } },
        model: before,
      }
    case 'delete': {
      const body = input.paths.map((path) => ({ path, recursive: path.endsWith('/') }))
      return { call: 'deleteObjects', input: { query: input.all ? { all_versions: 'true' } : {}, body }, model: before }
    }
    case 'empty':
      return { call: 'emptyBucket', input: { body: {} }, model: before }
    case 'undelete': {
      const body = input.paths.map((path) => ({ path, recursive: path.endsWith('/') }))
      await c.root.send('deleteObjects', { params, query: {}, body } as never).then((answer) => answer.text())
      const model = new Map([...before].filter(([key]) => !isSelected(input.paths, key)))
      past.set(model, before)
      const since = new Date(Date.now() - 3_600_000).toISOString()
      return { call: 'undeleteObjects', input: { body: { paths: input.paths, since } }, model }
    }
    case 'restore': {
      const { objects } = await c.call('listObjects', { params, query: { recursive: 'true' } })
      const at = Math.max(...objects.map(({ last_modified }) => Date.parse(last_modified))) + 1
      while (Date.now() <= at) await new Promise(setImmediate)
      const model = new Map(before)
      for (const { key, removed } of input.later) {
        if (removed) {
          await c.root.send('deleteObject', { params, query: { path: key } }).then((answer) => answer.text())
          model.delete(key)
        } else {
          await put(key, `2 ${key}`)
          model.set(key, { content: `2 ${key}`, type: 'text/plain', held: false })
        }
      }
      past.set(model, before)
      return {
        call: 'restoreFolder',
        input: { body: { prefix: input.prefix, date: new Date(at).toISOString() } },
        model,
      }
    }
  }
}

/** The earlier objects that a job brings back, by the objects before it. */
const past = new WeakMap<Model, Model>()

const isSelected = (paths: readonly string[], key: string) =>
  paths.some((path) => key === path || (path.endsWith('/') && key.startsWith(path)))

interface ExpectedResult {
  /** Returns the objects that must be there. Where the order of work decides, takes what is there if it is one of the allowed. */
  resolve: (found: Model) => Model
  failed?: number
}

function expectedResult(model: Model, input: JobInput, faulty: string | undefined): ExpectedResult | 'refused' {
  const result = new Map(model)
  const done = (failed?: number) => ({ resolve: () => result, ...(failed === undefined ? {} : { failed }) })
  switch (input.job) {
    case 'copy':
      return expectedCopy(model, input, faulty)
    case 'change': {
      let failed = 0
      for (const [key, object] of model) {
        if (!isSelected(input.paths, key)) continue
        if (key === faulty) failed++
        else result.set(key, { ...object, type: 'text/x-mine' })
      }
      // A path that is named twice fails twice.
      return done(failed === 0 ? 0 : undefined)
    }
    case 'delete':
    case 'empty': {
      const all = input.job === 'empty' || input.all
      for (const [key, { held }] of model) {
        const selected = input.job === 'empty' || isSelected(input.paths, key)
        if (selected && key !== faulty && !(held && all)) result.delete(key)
      }
      return done()
    }
    case 'undelete':
      for (const [key, object] of past.get(model) ?? [])
        if (isSelected(input.paths, key) && key !== faulty) result.set(key, object)
      return done()
    case 'restore': {
      const earlier = past.get(model) ?? model
      for (const key of new Set([...model.keys(), ...earlier.keys()])) {
        if (!key.startsWith(input.prefix) || key === faulty) continue
        const old = earlier.get(key)
        // The new version keeps the stronger of both locks.
        if (old && old.content !== model.get(key)?.content)
          result.set(key, { ...old, held: old.held || (model.get(key)?.held ?? false) })
        else if (!old) result.delete(key)
      }
      return done()
    }
  }
}

function expectedCopy(model: Model, input: CopyJobInput, faulty: string | undefined): ExpectedResult | 'refused' {
  const { entries, move, overwrite } = input
  const isSource = (target: string) =>
    entries.some(({ from }) => target === from || (from.endsWith('/') && target.startsWith(from)))
  const covers = (one: string, other: string) =>
    one === other || ((one === '' || one.endsWith('/')) && other.startsWith(one))
  const shared = entries.some((one, i) => entries.some((other, j) => i !== j && covers(one.to, other.to)))
  if (entries.some(({ to }) => to !== '' && isSource(to)) || (shared && overwrite)) return 'refused'
  const pairs = entries.flatMap(({ from, to }) =>
    [...model.keys()]
      .filter((key) => key === from || (from.endsWith('/') && key.startsWith(from)))
      .map((key) => ({ key, target: from.endsWith('/') ? to + key.slice(from.length) : to })),
  )
  // A key is never empty: a folder's own marker cannot become one.
  if (pairs.some(({ target }) => isSource(target))) return 'refused'
  const allowed = new Map<string, ModelObject[]>()
  for (const { key, target } of pairs) {
    const source = model.get(key)
    if (!source || target === '' || target === faulty || (model.has(target) && !overwrite)) continue
    // A lock is not copied.
    allowed.set(target, [...(allowed.get(target) ?? []), { ...source, held: false }])
  }
  return {
    resolve: (found) => {
      const result = new Map(model)
      const written = new Set<string>()
      for (const [target, candidates] of allowed) {
        const chosen = candidates.find(({ content }) => content === found.get(target)?.content) ?? candidates[0]
        if (!chosen) continue
        result.set(target, chosen)
        written.add(`${chosen.content} ${target}`)
      }
      for (const { key, target } of move ? pairs : []) {
        const source = model.get(key)
        if (source && !source.held && key !== faulty && written.has(`${source.content} ${target}`)) result.delete(key)
      }
      return result
    },
  }
}

async function readModel({ c }: ConsoleBehindFaults, bucket: string): Promise<Model> {
  const { objects } = await c.call('listObjects', { params: { bucket }, query: { recursive: 'true' } })
  const read = async (Key: string): Promise<[string, ModelObject]> => {
    const { Body, ContentType, ObjectLockLegalHoldStatus } = await c.s3.send(
      new GetObjectCommand({ Bucket: bucket, Key }),
    )
    const content = (await Body?.transformToString()) ?? ''
    return [Key, { content, type: ContentType ?? '', held: ObjectLockLegalHoldStatus === 'ON' }]
  }
  return new Map(await Promise.all(objects.map(({ name }) => read(name))))
}

const show = (model: Model) =>
  JSON.stringify(
    [...model].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    undefined,
    1,
  )

function equal(name: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${name}: found ${found}\nexpected ${expected}`)
}

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
