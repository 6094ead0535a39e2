import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { DeleteLine, JobLine, Operation } from '@stowage/contract'
import { afterAll, beforeAll, expect } from 'vitest'
import { acceptLines, readAnswerLines } from '../../support/console/answer-lines.ts'
import { type ConsoleBehindFaults, startConsoleBehindFaults } from '../../support/console/console-behind-faults.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole } from '../../support/console/start-console.ts'
import { pseudoRandomBytes } from '../../support/data/bytes.ts'
import { jobLines, jobReport } from '../../support/data/job-reports.ts'
import { listKeys } from '../../support/data/objects.ts'
import { s3Refusal } from '../../support/network/fault-proxy.ts'
import { damageAllCopies } from '../../support/processes/damage-blobs.ts'

let behind: ConsoleBehindFaults
beforeAll(async () => {
  behind = await startConsoleBehindFaults()
})
afterAll(async () => {
  await behind[Symbol.asyncDispose]()
})

const keys = (count: number, folder = 'd/') =>
  Array.from({ length: count }, (_, i) => `${folder}${String(i).padStart(3, '0')}`)
const filled = async (count: number) => {
  const { s3, newBucket } = behind.c
  const bucket = await newBucket()
  await Promise.all(keys(count).map((Key) => s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key }))))
  return bucket
}

/** A job of 30 objects, and the request for one of them. */
interface JobCase {
  job: Operation
  body: (bucket: string) => object
  request: (bucket: string, key: string) => string
  prepare?: (bucket: string) => Promise<void>
}

const turnOnVersioning = async (bucket: string) =>
  void (await behind.c.root.send('setBucketVersioning', { params: { bucket }, body: { versioning: true } }))
const start = new Date().toISOString()

const cases: Record<string, JobCase> = {
  copy: {
    job: 'copyObjects',
    body: (bucket) => ({ target_bucket: bucket, entries: [{ from: 'd/', to: 't/' }] }),
    request: (bucket, key) => `PUT /${bucket}/t/${key}`,
  },
  'move, when it looks at the source': {
    job: 'copyObjects',
    body: (bucket) => ({ target_bucket: bucket, entries: [{ from: 'd/', to: 't/' }], move: true }),
    request: (bucket, key) => `HEAD /${bucket}/d/${key}`,
  },
  'move, when it deletes the source': {
    job: 'copyObjects',
    body: (bucket) => ({ target_bucket: bucket, entries: [{ from: 'd/', to: 't/' }], move: true }),
    request: (bucket, key) => `DELETE /${bucket}/d/${key}`,
  },
  'change of metadata': {
    job: 'changeObjects',
    body: () => ({ paths: ['d/'], changes: { content_type: 'a/b' } }),
    request: (bucket, key) => `PUT /${bucket}/d/${key}`,
  },
  'restore of a folder': {
    job: 'restoreFolder',
    body: () => ({ prefix: 'd/', date: start }),
    request: (bucket, key) => `DELETE /${bucket}/d/${key}`,
    prepare: turnOnVersioning,
  },
  'undo of a deletion': {
    job: 'undeleteObjects',
    body: () => ({ paths: ['d/'], since: start }),
    request: (bucket, key) => `DELETE /${bucket}/d/${key}`,
    async prepare(bucket) {
      await turnOnVersioning(bucket)
      await behind.c.root.send('deleteObject', { params: { bucket }, query: { path: 'd/', recursive: 'true' } })
    },
  },
}

ownStore.test.each(Object.entries(cases))('%s: a failure of the server for one object is one row', async (_, job) => {
  const bucket = await filled(30)
  await job.prepare?.(bucket)
  behind.network.set({ answer: { to: job.request(bucket, '002'), with: s3Refusal(500, 'InternalError') } })
  const report = await jobReport(behind.c.root, job.job, bucket, job.body(bucket)).finally(() => behind.network.set({}))
  expect(report).toMatchObject({
    count: 29,
    skipped: 0,
    failed: 1,
    errors: [{ path: 'd/002', code: expect.any(String) }],
  })
})

ownStore.test.each(Object.entries(cases))(
  '%s: after 20 failures in a row it stops, and continues after them',
  async (_, job) => {
    const bucket = await filled(40)
    await job.prepare?.(bucket)
    // The requests for all objects fail.
    const fail = (key: string) => ({
      answer: { to: job.request(bucket, key).slice(0, -2), with: s3Refusal(503, 'SlowDown') },
    })
    behind.network.set(fail('000'))
    const stopped = (await jobLines(behind.c.root, job.job, bucket, job.body(bucket))).at(-1)
    behind.network.set({})
    expect(stopped).toMatchObject({
      stopped: { code: 502, reason: { id: 'job-failures-in-a-row', params: { count: 20 } } },
      count: 0,
      failed: 20,
      path: 'd/019',
    })
    expect(stopped?.errors).toHaveLength(20)
    const { cursor } = stopped as { cursor: string }
    const rest = await jobReport(behind.c.root, job.job, bucket, { ...job.body(bucket), cursor })
    // Those after the 20 may have been done while the first ones failed.
    expect(rest.failed).toBe(0)
    const again = await jobReport(behind.c.root, job.job, bucket, job.body(bucket))
    expect(again.count).toBeLessThanOrEqual(20)
    expect(again.failed).toBe(0)
  },
)

ownStore.test(
  'a deletion: one row for each failure, it stops after 20 in a row, and continues after them',
  async () => {
    const { c, network } = behind
    const lines = async (bucket: string, query: object = {}) => {
      const input = { params: { bucket }, query, body: [{ path: 'd/', recursive: true }] }
      return await readAnswerLines<DeleteLine>(await c.root.send('deleteObjects', input as never, acceptLines))
    }
    const refusal = s3Refusal(503, 'SlowDown')
    const one = await filled(30)
    network.set({ answer: { to: /^(POST .*delete|DELETE .*002)/, with: refusal } })
    const report = (await lines(one)).at(-1)
    expect(report).toMatchObject({ done: true, deleted: 29, failed: 1, errors: [{ path: 'd/002', code: 'SlowDown' }] })
    network.set({})

    const many = await filled(60)
    network.set({ answer: { to: /^(POST|DELETE) /, with: refusal } })
    const stopped = (await lines(many)).at(-1) as Extract<DeleteLine, { stopped: object }>
    network.set({})
    const id = 'job-failures-in-a-row'
    expect(stopped).toMatchObject({ stopped: { code: 502, reason: { id } }, deleted: 0, failed: 32, path: 'd/031' })
    expect((await lines(many, { cursor: stopped.cursor })).at(-1)).toMatchObject({ done: true, deleted: 28, failed: 0 })
    expect(await listKeys(c, many)).toEqual(keys(32))
  },
)

ownStore.test('emptying a bucket stops and continues in the middle of the versions of a key', async () => {
  const { c, network } = behind
  const bucket = await filled(40)
  await turnOnVersioning(bucket)
  for (const Key of keys(3)) await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'new' }))
  const params = { bucket }
  network.set({ answer: { to: /^(POST|DELETE) /, with: s3Refusal(503, 'SlowDown') } })
  const answer = await c.root.send('emptyBucket', { params, body: {} }, acceptLines)
  const stopped = (await readAnswerLines<DeleteLine>(answer)).at(-1) as Extract<DeleteLine, { stopped: object }>
  network.set({})
  expect(stopped).toMatchObject({ stopped: { code: 502 }, deleted: 0, failed: 32 })
  await c.root
    .send('emptyBucket', { params, body: { cursor: stopped.cursor } }, acceptLines)
    .then((each) => each.text())
  // The last key of the stopped run may have further versions, so it is tried again.
  expect(await listKeys(c, bucket)).toEqual(keys(28))
})

ownStore.test('a job stops where the server cannot be reached any more, and continues there', async () => {
  const { c, network } = behind
  const bucket = await filled(150)
  const target = await c.newBucket()
  const body = { target_bucket: target, entries: [{ from: 'd/', to: 'd/' }] }
  network.set({ delayMs: 40 })
  const answer = await c.root.send('copyObjects', { params: { bucket }, body } as never, acceptLines)
  const seen: JobLine[] = []
  let rest = ''
  for await (const piece of (answer.body as ReadableStream<Uint8Array>).pipeThrough(
    new TextDecoderStream() as never,
  ) as unknown as AsyncIterable<string>) {
    const texts = (rest + piece).split('\n')
    rest = texts.pop() ?? ''
    seen.push(...texts.map((text) => JSON.parse(text) as JobLine))
    if (seen.length === 1) await network.refuse()
  }
  await network.accept()
  network.set({})
  const last = seen.at(-1)
  if (!last || !('stopped' in last)) throw new Error(`not stopped: ${JSON.stringify(last)}`)
  expect(last.stopped.message).not.toBe('')
  expect(last.count + last.failed).toBeLessThan(150)
  const { cursor } = last
  const report = await jobReport(c.root, 'copyObjects', bucket, { ...body, cursor })
  expect(last.count + last.failed + report.count + report.skipped).toBe(150)
  // Of those that failed, some were copied before the answer was lost.
  expect((await listKeys(c, target)).length).toBeGreaterThanOrEqual(150 - last.failed)
})

ownStore.test(
  'of a folder with a damaged object all others are copied, also with encryption, and it is named',
  async () => {
    await using c = await startConsole()
    const bucket = await c.newBucket()
    const put = async (Key: string) =>
      await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: pseudoRandomBytes(Key, 40_000) }))
    await put('d/002')
    await damageAllCopies(c.data)
    for (const key of keys(12)) if (key !== 'd/002') await put(key)
    const sealed = await c.newBucket()
    await c.call('enableBucketEncryption', { params: { bucket: sealed }, body: { encType: 'sse-s3' } } as never)
    for (const target_bucket of [sealed, await c.newBucket()])
      for (const move of [false, true]) {
        const entries = [{ from: 'd/', to: move ? 'm/' : 'd/' }]
        const report = await jobReport(c.root, 'copyObjects', bucket, { target_bucket, entries, move, dry_run: false })
        expect(report).toMatchObject({ failed: 1, errors: [{ path: 'd/002' }] })
        expect(await listKeys(c, target_bucket)).not.toContain('d/002')
        expect(await listKeys(c, bucket)).toContain('d/002')
      }
  },
)
