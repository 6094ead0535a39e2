import { PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { type ConsoleBehindFaults, startConsoleBehindFaults } from '../../support/console/console-behind-faults.ts'
import { ownStore } from '../../support/console/own-store.ts'
import type { TestConsole } from '../../support/console/start-console.ts'
import { type FaultProxy, s3Refusal } from '../../support/network/fault-proxy.ts'

/* A proxy in front of the storage server answers instead of it. */

let together: ConsoleBehindFaults
let network: FaultProxy
let c: TestConsole
let bucket: string
let uploadId: string
beforeAll(async () => {
  together = await startConsoleBehindFaults()
  ;({ c, network } = together)
  bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: 'content' }))
  uploadId = (await c.call('createUpload', { params: { bucket }, query: { prefix: 'parted' }, body: {} })).upload_id
})
afterAll(() => together?.[Symbol.asyncDispose]())
afterEach(() => network.set({}))

/** Every request gets this answer, without reaching the server. */
const answerAll = (bytes: string) => network.set({ answer: { to: ' HTTP/1.1', with: bytes } })

const answer = (status: string, type: string, body: string) =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
/** In the form of nginx: well-formed HTML, but not S3's XML. */
const page = (status: string) =>
  answer(
    status,
    'text/html',
    `<html>\r\n<head><title>${status}</title></head>\r\n<body>\r\n<center><h1>${status}</h1></center>\r\n` +
      '<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n',
  )

const calls = {
  listBuckets: () => c.call('listBuckets', {}),
  createBucket: () => c.call('createBucket', { body: { name: c.freshName() } }),
  deleteBucket: () => c.call('deleteBucket', { params: { bucket }, body: {} }),
  getBucketVersioning: () => c.call('getBucketVersioning', { params: { bucket } }),
  getAdminInfo: () => c.call('getAdminInfo', {}),
  listObjects: () => c.call('listObjects', { params: { bucket }, query: { limit: '5' } }),
  deleteObject: () => c.call('deleteObject', { params: { bucket }, query: { path: 'k' } }),
  deleteOddKey: () => c.call('deleteObject', { params: { bucket }, query: { path: 'a\u0001b' } }),
  uploadPart: () => {
    const params = { bucket, uploadId, part: 1 }
    return c.call('uploadPart', { params, query: { prefix: 'parted' }, body: new Uint8Array(9) as never })
  },
  uploadObjects: () => {
    const form = new FormData()
    form.append('7', new Blob(['content']), 'new')
    return c.call('uploadObjects', { params: { bucket }, query: {}, body: form })
  },
  downloadObject: () => c.call('downloadObject', { params: { bucket }, query: { prefix: 'k' } }),
}
type Call = keyof typeof calls
const all = Object.keys(calls) as Call[]

async function expectFailure(call: Call, status: number, text: RegExp): Promise<void> {
  const before = c.output().length
  const failure = await callFailure(calls[call]())
  expect(failure).toMatchObject({ status, body: { message: expect.stringMatching(text) } })
  // With a stack trace it would look like a bug in the console.
  expect(c.output().slice(before)).not.toContain('failed unexpectedly')
}

ownStore.test.each(all)("a proxy's own page is none of the storage server's failures: %s", async (call) => {
  answerAll(page('502 Bad Gateway'))
  await expectFailure(call, 502, /storage server/)
  answerAll(page('503 Service Temporarily Unavailable'))
  await expectFailure(call, 503, /storage server/)
})

ownStore.test.each(all.filter((call) => call !== 'listBuckets'))(
  "a proxy's 404 says nothing of objects: %s",
  async (call) => {
    answerAll(page('404 Not Found'))
    await expectFailure(call, 502, /web page/)
  },
)

// A download is forwarded unchanged, because an object may be a web page.
ownStore.test.each(all.filter((call) => call !== 'downloadObject'))(
  'a page that says 200 is no success: %s',
  async (call) => {
    answerAll(page('200 OK'))
    await expectFailure(call, 502, /Is this a storage server|web page/)
  },
)

ownStore.test.each(['getBucketVersioning', 'listObjects'] as const)(
  'what is not XML cannot be read: %s',
  async (call) => {
    for (const body of ['{"a":1}', '<ListBucketResult><a>', 'plain']) {
      answerAll(answer('200 OK', 'application/xml', body))
      await expectFailure(call, 502, /cannot be read/)
    }
  },
)

ownStore.test.each(all)('a server that speaks no HTTP is told as such: %s', async (call) => {
  answerAll('SSH-2.0-OpenSSH_9.6\r\n')
  await expectFailure(call, 502, /connection to the storage server failed/)
})

ownStore.test.each(['403 Forbidden', '404 Not Found', '502 Bad Gateway'])(
  "a proxy's %s at sign-in does not say that the password is wrong",
  async (status) => {
    answerAll(page(status))
    const body = { accessKey: c.rootUser, secretKey: c.rootPassword }
    const failure = await callFailure(c.call('login', { body }))
    expect(failure).toMatchObject({ status: 502, body: { message: expect.stringMatching(/storage server/) } })
  },
)

ownStore.test(
  'targets are listed without the configuration when a right is missing, and not when reading it failed',
  async () => {
    const config = '/minio/admin/v3/config '
    network.set({ answer: { to: config, with: s3Refusal(403, 'AccessDenied') } })
    expect(await c.call('listNotificationEndpoints', {})).toEqual({ notification_endpoints: [] })
    network.set({ answer: { to: config, with: s3Refusal(500, 'InternalError') } })
    expect(await callFailure(c.call('listNotificationEndpoints', {}))).toMatchObject({ status: 502 })
  },
)

const copy = (from: string, to: string, move = false) =>
  c.call('copyObjects', { params: { bucket }, body: { target_bucket: bucket, entries: [{ from, to }], move } })

ownStore.test('an error in an answer of status 200 is a failure: a move keeps its source', async () => {
  const error = '<?xml version="1.0"?><Error><Code>InternalError</Code><Message>disk</Message></Error>'
  const at = `PUT /${bucket}/moved`
  network.set({ answer: { to: at, with: answer('200 OK', 'application/xml', error) } })
  expect((await callFailure(copy('k', 'moved', true))).status).toBeGreaterThanOrEqual(500)
  network.set({})
  const { objects } = await c.call('listObjects', { params: { bucket }, query: { limit: '5' } })
  expect(objects.map(({ name }) => name)).toEqual(['k'])
})

ownStore.test('an object that was replaced after it was listed is copied as it is now', async () => {
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'dir/a', Body: 'new' }))
  const at = `PUT /${bucket}/copied/a`
  network.set({ answer: { to: at, with: s3Refusal(412, 'PreconditionFailed'), times: 1 } })
  expect(await copy('dir/', 'copied/')).toMatchObject({ count: 1, skipped: 0, failed: 0 })
  const read = await c.root.send('downloadObject', { params: { bucket }, query: { prefix: 'copied/a' } })
  expect(await read.text()).toBe('new')
})
