import { MiB } from '@stowage/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestCaller } from '../../support/console/caller.ts'
import { type ConsoleBehindFaults, startConsoleBehindFaults } from '../../support/console/console-behind-faults.ts'
import { ownStore } from '../../support/console/own-store.ts'
import type { TestConsole } from '../../support/console/start-console.ts'
import { pseudoRandomBytes } from '../../support/data/bytes.ts'
import { newBucketWith } from '../../support/data/objects.ts'
import { unzip } from '../../support/data/zip.ts'
import { type FaultProxy, s3Refusal } from '../../support/network/fault-proxy.ts'
import { slowRequest } from '../../support/network/slow-request.ts'

let together: ConsoleBehindFaults
let network: FaultProxy
let c: TestConsole
beforeAll(async () => {
  together = await startConsoleBehindFaults(process.env.STOWAGE_TEST_SERVER)
  ;({ c, network } = together)
})
afterAll(() => together?.[Symbol.asyncDispose]())
beforeEach(() => network.set({}))

const REPORT = 'NOT-IN-THIS-ZIP.txt'

const folder = (bucket: string, as: TestCaller = c.root) =>
  as.send('downloadObject', { params: { bucket }, query: { prefix: 'd/' } })
const selection = (bucket: string, keys: string[], as: TestCaller = c.root) =>
  as.send(
    'downloadObjects',
    { params: { bucket }, body: Buffer.from(`${new URLSearchParams({ objects: JSON.stringify(keys) })}`) as never },
    { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  )
const unzipAnswer = async (response: Response) => {
  expect(response.headers.get('content-type')).toBe('application/zip')
  return await unzip(await response.arrayBuffer())
}
const failureIn = async (response: Response) => [response.status, ((await response.json()) as { cause?: string }).cause]
/** Returns how many bytes of an answer arrive. */
const answerSize = async (response: Response) => (await response.arrayBuffer()).byteLength
/** Everything in a bucket but what is told. */
const allBut = (bucket: string, ...keys: string[]) => ({
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] },
    { Effect: 'Deny', Action: ['s3:GetObject'], Resource: keys.map((key) => `arn:aws:s3:::${bucket}/${key}`) },
  ],
})

ownStore.test.each([
  [503, 'SlowDownRead', 503],
  [500, 'InternalError', 502],
  [403, 'ExpiredToken', 401],
  [404, 'NoSuchBucket', 404],
])('a zip in which an object is answered %d %s does not look whole', async (status, code, answered) => {
  const bucket = await newBucketWith(c, { 'd/a': 'a', 'd/b': 'b', 'd/c': 'c' })
  network.set({ answer: { to: `/${bucket}/d/b`, with: s3Refusal(status, code) } })
  await expect(folder(bucket).then(answerSize)).rejects.toThrow()
  // Before anything was sent, a failure is an error answer.
  expect(await failureIn(await selection(bucket, ['d/b', 'd/a']))).toEqual([answered, code])
})

ownStore.test('a server that is busy for a moment is asked again', async () => {
  const bucket = await newBucketWith(c, { 'd/a': 'a', 'd/b': 'b' })
  network.set({ answer: { to: `/${bucket}/d/b`, with: s3Refusal(503, 'SlowDownRead'), times: 2 } })
  expect(await unzipAnswer(await folder(bucket))).toEqual({ 'd/a': 'a', 'd/b': 'b' })
})

// MinIO answers AccessDenied to sessions of a deleted user, as to those without reading rights.
ownStore.test('a session that ends in the middle of a zip breaks it off', async () => {
  // Small objects are read in advance.
  const bucket = await newBucketWith(c, {
    'd/a': pseudoRandomBytes('large', 48 * MiB),
    'd/b': pseudoRandomBytes('next', MiB),
  })
  const { accessKey, secretKey } = await c.newUser(allBut(bucket, 'nothing'))
  const response = await folder(bucket, await c.signIn(accessKey, secretKey))
  expect(response.status).toBe(200)
  await c.madmin.removeUser(accessKey)
  await expect(answerSize(response)).rejects.toThrow()
})

test('objects that may not be read or were deleted are listed in the zip, which contains the others', async () => {
  const bucket = await newBucketWith(c, { 'd/a': 'a', 'd/secret': 's', 'd/z': 'z' })
  const user = await c.signInWith(allBut(bucket, 'd/secret'))
  const { [REPORT]: denied, ...read } = await unzipAnswer(await folder(bucket, user))
  expect(read).toEqual({ 'd/a': 'a', 'd/z': 'z' })
  expect(denied).toMatch(/^d\/secret\tAccessDenied/m)

  const { [REPORT]: gone, ...there } = await unzipAnswer(await selection(bucket, ['d/gone', 'd/z']))
  expect(there).toEqual({ z: 'z' })
  expect(gone).toMatch(/^d\/gone\tNoSuchKey/m)
})

ownStore.test.each([
  [403, 'InvalidObjectState'],
  [400, 'InvalidRequest'],
])('an object that is answered %d %s, archived or locked with a key, is left out and named', async (status, code) => {
  const bucket = await newBucketWith(c, { 'd/a': 'a', 'd/b': 'b' })
  network.set({ answer: { to: `/${bucket}/d/b`, with: s3Refusal(status, code) } })
  expect(await unzipAnswer(await folder(bucket))).toEqual({ 'd/a': 'a', [REPORT]: expect.stringContaining('d/b') })
})

test('a zip without any object is an error', async () => {
  const bucket = await newBucketWith(c, { 'd/': '', 'd/a': 'a', 'd/b': 'b', e: 'e' })
  const user = await c.signInWith(allBut(bucket, 'd/*'))
  expect(await failureIn(await selection(bucket, ['gone', 'gone/', 'also-gone']))).toEqual([404, 'NoSuchKey'])
  expect(await failureIn(await selection(bucket, ['gone', 'd/a'], user))).toEqual([403, 'AccessDenied'])
  expect(await failureIn(await folder(bucket, user))).toEqual([403, 'AccessDenied'])
  expect(Object.keys(await unzipAnswer(await selection(bucket, ['d/', 'e'], user))).sort()).toEqual([REPORT, 'e'])
})

ownStore.test('every object in a zip has a name of its own', async () => {
  const contents = (...keys: string[]) => Object.fromEntries(keys.map((key) => [key, key]))
  const bucket = await newBucketWith(c, {
    ...contents('d/a/b', 'd/a//b', 'd/a\\b', 'd/a_b', 'd/A_B', 'd/f', 'd/f/g', 'd/f/h', `d/${REPORT}`, REPORT),
    ...contents('e/d/a/b', 'secret'),
  })
  expect(await unzipAnswer(await folder(bucket))).toEqual({
    'd/a/b': 'd/a//b',
    'd/a/b (2)': 'd/a/b',
    'd/A_B': 'd/A_B',
    'd/a_b (2)': 'd/a\\b',
    'd/a_b (3)': 'd/a_b',
    'd/f': 'd/f',
    'd/f (2)/g': 'd/f/g',
    'd/f (2)/h': 'd/f/h',
    [`d/${REPORT}`]: `d/${REPORT}`,
  })
  const user = await c.signInWith(allBut(bucket, 'secret'))
  const keys = ['secret', REPORT, 'd/f', 'd/f/', 'e/d/', 'd/a/', 'd/A_B', 'd/a_b', 'e/d/a/']
  expect(await unzipAnswer(await selection(bucket, keys, user))).toEqual({
    [REPORT]: expect.stringContaining('secret\tAccessDenied'),
    'NOT-IN-THIS-ZIP (2).txt': REPORT,
    f: 'd/f',
    'f (2)/g': 'd/f/g',
    'f (2)/h': 'd/f/h',
    'd/a/b': 'e/d/a/b',
    'a/b': 'd/a//b',
    'a/b (2)': 'd/a/b',
    A_B: 'd/A_B',
    'a_b (2)': 'd/a_b',
    'a (2)/b': 'e/d/a/b',
  })
})

test('misleading names are marked, and none replaces another', async () => {
  const keys = ['d/invoice\u202efdp.exe', 'd/invoice[U+202E]fdp.exe', 'd/\u2067a\u2069', 'd/line\nbreak']
  const bucket = await newBucketWith(c, Object.fromEntries([...keys, 'd/secret\u202e'].map((key) => [key, key])))
  const user = await c.signInWith(allBut(bucket, 'd/secret*'))
  const { [REPORT]: report, ...files } = await unzipAnswer(await folder(bucket, user))
  expect(files).toEqual({
    'd/invoice[U+202E]fdp.exe': keys[0],
    'd/invoice[U+005B]U+202E]fdp.exe': keys[1],
    'd/[U+2067]a[U+2069]': keys[2],
    'd/line[U+000A]break': keys[3],
  })
  expect(report).toMatch(/^d\/secret\[U\+202E\]\tAccessDenied/m)
})

test('HEAD of a zip returns no length', async () => {
  const bucket = await newBucketWith(c, { 'd/a': 'a' })
  const response = await fetch(`${c.url}/api/v1/buckets/${bucket}/objects/download?prefix=d%2F`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${c.root.session}` },
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(response.headers.get('content-length')).toBeNull()
  expect(response.headers.get('content-disposition')).toContain('d.zip')
})

test('a client that disconnects during a zip causes no warning in the log', async () => {
  const bucket = await newBucketWith(c, { 'd/a': pseudoRandomBytes('large', 48 * MiB) })
  const path = `/api/v1/buckets/${bucket}/objects/download?prefix=d%2F`
  const request = slowRequest(c.url + path, 'GET', { authorization: `Bearer ${c.root.session}` })
  request.finish().catch(() => {})
  expect((await request.head).statusCode).toBe(200)
  const before = c.output().length
  request.leave()
  const written = () => c.output().slice(before)
  await expect.poll(written).toContain('"left":true')
  // Other log lines of the call are written before the line of the next one.
  await c.call('listBuckets', {})
  await expect.poll(written).toContain('GET /api/v1/buckets 200')
  expect(written()).not.toMatch(/"level":[456]0/)
})
