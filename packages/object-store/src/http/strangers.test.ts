import { connect, type Socket } from 'node:net'
import { type DestinationStream, pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { setSettingDocument } from '../bucket-settings/testing.ts'
import { presignedPath, startTestStore } from './testing/test-store.ts'

/* Limits of what anonymous callers can make the store buffer, wait for and log. */

const lines: { level: number; msg: string; request?: { url: string } }[] = []
const stream: DestinationStream = { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) }
const KiB = 1024
const store = await startTestStore({
  trustProxy: true,
  bodyLimits: { perClient: 250 * KiB, total: 1024 * KiB, graceMs: 300 },
  log: pino({ level: 'debug' }, stream),
})
await store.engine.createBucket('forms')
await setSettingDocument(
  store.engine,
  'forms',
  'policy',
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: '*',
        Action: ['s3:PutObject', 's3:DeleteObject'],
        Resource: 'arn:aws:s3:::forms/*',
      },
    ],
  }),
)
const sockets: Socket[] = []
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await store[Symbol.asyncDispose]()
})

interface Conversation {
  socket: Socket
  /** Everything received. */
  answer: string
}

/** Starts a request and sends the given part of its body. */
function begin(
  path: string,
  type: string,
  body: string,
  { from = '192.0.2.1', length = 1_000_000 } = {},
): Conversation {
  const conversation: Conversation = { socket: connect(store.port, '127.0.0.1'), answer: '' }
  sockets.push(conversation.socket)
  conversation.socket.setEncoding('utf8').on('data', (text: string) => {
    conversation.answer += text
  })
  conversation.socket.on('error', () => undefined)
  conversation.socket.write(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${store.port}\r\nX-Forwarded-For: ${from}\r\n` +
      `Content-Length: ${length}\r\nContent-Type: ${type}\r\n\r\n${body}`,
  )
  return conversation
}

const FORM = 'multipart/form-data; boundary=b'
const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nx\r\n--b--\r\n'
const beginForm = (body: string, more = {}) => begin('/forms', FORM, body, more)
const answered = (conversation: Conversation) =>
  expect.poll(() => /^HTTP\/1\.1 (\d+)(?:.*<Code>(\w+))?/s.exec(conversation.answer)?.slice(1).join(' ').trim())

test('a form may have 20 KiB of fields, and is refused as soon as it has more', async () => {
  const post = (bytes: number) => {
    const value = 'v'.repeat(bytes - 'key'.length - 'k'.length - 'x-ignore-a'.length)
    const body = field('key', 'k') + field('x-ignore-a', value) + file
    const conversation = beginForm(body, { length: bytes > 20 * KiB ? 1_000_000 : body.length })
    return conversation
  }
  await answered(post(20 * KiB)).toBe('204')
  // The rest of these bodies is never sent.
  await answered(post(20 * KiB + 1)).toBe('400 MaxPostPreDataLengthExceededError')
})

test.each([
  [
    'many fields',
    'a'
      .repeat(101)
      .split('')
      .map((name, n) => field(`${name}${n}`, ''))
      .join(''),
  ],
  ['what stands before the first field', 'x'.repeat(200 * KiB)],
  ['headers of a field', `--b\r\n${`X-A: ${'x'.repeat(1000)}\r\n`.repeat(200)}`],
  ['parts that are no fields', `--b\r\nContent-Disposition: attachment\r\n\r\n${'x'.repeat(200 * KiB)}`],
])('a form is refused for too much of %s', async (_, body) => {
  await answered(beginForm(body)).toMatch(/^400 (MaxPostPreDataLengthExceededError|MalformedPOSTRequest)$/)
})

test('a file by another name is refused, and not read to its end', async () => {
  const other = `--b\r\nContent-Disposition: form-data; name="other"; filename="f"\r\n\r\n${'x'.repeat(30 * KiB)}`
  await answered(beginForm(other)).toBe('400 MaxPostPreDataLengthExceededError')
})

test('a caller with many open requests loses the oldest of them, and does not block others', async () => {
  const other = beginForm(field('key', 'other'), {
    from: '2001:db8::1',
    length: field('key', 'other').length + file.length,
  })
  const held = Array.from({ length: 5 }, () => beginForm(field('key', 'k'), { from: '192.0.2.9' }))
  // The limit per client allows three forms.
  await expect.poll(() => held.filter(({ answer }) => answer.startsWith('HTTP/1.1 503 ')).length).toBe(2)
  expect(held.find(({ answer }) => answer !== '')?.answer).toContain('<Code>SlowDown<')
  other.socket.write(file)
  await answered(other).toBe('204')
})

test.each([
  ['of STS', '/', 'application/x-www-form-urlencoded', 'Action=Assume'],
  ['of an anonymous deletion', '/forms?delete', 'application/xml', '<Delete>'],
])('a body %s that does not come in time is given up', async (_, path, type, body) => {
  await answered(begin(path, type, body, { length: 100 })).toMatch(/^400( RequestTimeout)?$/)
})

test.each([
  ['a call that is not supported', { credentials: 'anonymous', path: '/forms', query: 'analytics' }],
  ['a question about a directory that is not configured', { path: '/minio/admin/v3/idp/ldap/policy-entities' }],
] as const)('%s is not logged as a failure of the store', async (_, request) => {
  lines.length = 0
  expect((await store.send(request)).status).toBe(501)
  await expect.poll(() => lines.length).toBe(1)
  expect(lines[0]).toMatchObject({ level: 20 })
})

test('no signature or session token reaches the log, in whatever letters', async () => {
  lines.length = 0
  const query = presignedPath(store.port, 'GET', '/forms/k').split('?')[1] ?? ''
  const signature = /X-Amz-Signature=(\w+)/.exec(query)?.[1] ?? ''
  const spellings = [
    query,
    query.replace('X-Amz-Signature', 'x-amz-signature'),
    query.replace('X-Amz-Signature', 'X%2dAmz-%53ignature'),
    `${query}&X-Amz-Security-Token=${signature}`,
    `${query}&x-amz-security-token=${signature}`,
    `AWSAccessKeyId=a&Expires=1&Signature=${signature}`,
  ]
  for (const spelling of spellings) await store.send({ credentials: 'anonymous', path: '/forms/k', query: spelling })
  await expect.poll(() => lines.length).toBe(spellings.length)
  for (const line of lines) {
    expect(JSON.stringify(line)).not.toContain(signature)
    expect(line.request?.url).toMatch(/=\.\.\.$/)
  }
})
