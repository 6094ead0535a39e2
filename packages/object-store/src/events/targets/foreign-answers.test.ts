import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { egressTo } from '../../http/testing/test-store.ts'
import { openCertificateFiles } from './certificates.ts'
import { NOTIFICATION_TARGET_KINDS } from './target-kinds.ts'

/*
 * A user enters the address of some other program. What it answers must not be shown, be it a banner or a secret. Only what
 * speaks the protocol of the target is quoted.
 */

/** Bytes of programs of other kinds. Failures must contain nothing of them. */
const ANSWERS: [string, string][] = [
  ['SSH-2.0-k3QwZ9\r\n', 'TLS-3.1-p8XvB2\r\n'],
  ['-k3QwZ9 is wrong\r\n', '-p8XvB2 is wrong\r\n'],
  ["INFO {}\r\n-ERR 'k3QwZ9'\r\n", "INFO {}\r\n-ERR 'p8XvB2'\r\n"],
  ['HTTP/1.1 401 k3QwZ9\r\nContent-Length: 6\r\n\r\nk3QwZ9', 'HTTP/1.1 401 p8XvB2\r\nContent-Length: 6\r\n\r\np8XvB2'],
  ['k3QwZ9k3QwZ9k3QwZ9', 'p8XvB2p8XvB2p8XvB2'],
]

let answer = ''
const sockets = new Set<Socket>()
const server: Server = createServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => undefined)
  const bytes = Buffer.from(answer, 'latin1')
  socket.end(bytes)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
const egress = egressTo('127.0.0.1')
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
  return egress.close()
})

const host = `127.0.0.1:${port}`
const VALUES: Record<string, Record<string, string>> = {
  notify_webhook: { endpoint: `http://${host}/` },
  notify_amqp: { url: `amqp://u:p@${host}`, exchange: 'e', exchange_type: 'direct' },
  notify_kafka: { brokers: host, topic: 't' },
  notify_mqtt: { broker: `tcp://${host}`, topic: 't' },
  notify_nats: { address: host, subject: 's' },
  notify_nsq: { nsqd_address: host, topic: 't' },
  notify_mysql: { dsn_string: `u:p@tcp(${host})/d`, table: 't', format: 'namespace' },
  notify_postgres: {
    connection_string: `host=127.0.0.1 port=${port} user=u password=p dbname=d sslmode=disable`,
    table: 't',
    format: 'namespace',
  },
  notify_elasticsearch: { url: `http://${host}`, index: 'i', format: 'namespace' },
  notify_redis: { address: host, key: 'k', format: 'namespace', user: 'u', password: 'p' },
}
const MESSAGE = JSON.stringify({
  EventName: 's3:ObjectCreated:Put',
  Key: 'b/k',
  Records: [{ eventTime: new Date(0).toISOString() }],
})

test.each(NOTIFICATION_TARGET_KINDS.map((kind) => [kind.subsystem, kind] as const))(
  'a failure of %s shows no byte of an answer',
  async (subsystem, { load }) => {
    const open = await load()
    const failure = async (bytes: string) => {
      answer = bytes
      const certificates = openCertificateFiles([])
      const target = open({ arn: 'a', values: VALUES[subsystem] ?? {}, egress, certificates })
      const reason = await target.send(MESSAGE, AbortSignal.timeout(2_000)).then(() => 'accepted', String)
      void target.close().catch(() => undefined)
      return reason
    }
    for (const pair of ANSWERS) {
      const reasons: string[] = []
      for (const bytes of pair) reasons.push(await failure(bytes))
      for (const reason of reasons) expect.soft(reason).not.toMatch(/k3Q|p8X|"|\d{7}|pub|conn?ack/)
    }
  },
)
