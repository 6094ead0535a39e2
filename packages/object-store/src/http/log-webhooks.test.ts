import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sealAdminBody } from '@stowage/madmin/sealing'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsoleLog } from '../process/console-log.ts'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from './testing/test-store.ts'

const received: { authorization: string | undefined; record: { message: string; level: string } }[] = []
let status = 200
const hook = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const record = JSON.parse(Buffer.concat(chunks).toString()) as { message: string; level: string }
    if (status === 200) received.push({ authorization: request.headers.authorization, record })
    response.writeHead(status).end()
  })
})

const consoleLog = new ConsoleLog()
const log = pino({ level: 'info', hooks: { streamWrite: consoleLog.take } }, { write: () => {} })
let store: HttpTestStore
beforeAll(async () => {
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 5))
  store = await startTestStore({ log, consoleLog, events: { allow: '127.0.0.1', wait } })
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  hook.closeAllConnections()
  hook.close()
})

const configure = async (line: string) =>
  await store.send({
    method: 'PUT',
    path: '/minio/admin/v3/set-config-kv',
    region: '',
    body: await sealAdminBody(line, ROOT_CREDENTIALS.secretKey),
  })
const messages = () => received.map(({ record }) => record.message)

test('lines of the log are sent to a webhook from the moment it is configured, and all of them after it was away', async () => {
  log.info('before')
  const endpoint = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/log`
  const answer = await configure(`logger_webhook:ops endpoint=${endpoint} auth_token=topsecret`)
  expect(answer.headers['x-minio-config-applied']).toBe('true')
  log.warn({ password: 'hidden' }, 'first')
  await expect.poll(messages).toContain('first')
  expect(received[0]?.authorization).toBe('Bearer topsecret')
  status = 503
  for (const text of ['second', 'third']) log.info(text)
  await expect
    .poll(() => consoleLog.latest(10).map(({ msg }) => msg))
    .toContain('messages cannot be sent to the target')
  status = 200
  await expect.poll(messages).toContain('third')
  const told = messages().filter((text) => ['before', 'first', 'second', 'third'].includes(text))
  expect(told).toEqual(['first', 'second', 'third'])
  expect(JSON.stringify(received)).not.toContain('hidden')
  await configure('logger_webhook:ops enable=off')
  log.info('afterwards')
  await configure('logger_webhook:ops enable=on')
  log.info('last')
  await expect.poll(messages).toContain('last')
  expect(messages()).not.toContain('afterwards')
})

test('the log is not sent to a forbidden address', async () => {
  await configure('logger_webhook:metadata endpoint=http://169.254.169.254/latest')
  log.info('for nobody')
  const reason = () => consoleLog.latest(20).find(({ arn }) => arn === 'logger_webhook:metadata')?.reason
  await expect.poll(reason).toMatch(/never connected/)
})
