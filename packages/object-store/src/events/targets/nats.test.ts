import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createEgress } from '@stowage/egress'
import { expect, test } from 'vitest'
import { openNats } from './nats.ts'

const INFO = 'INFO {"headers":true,"max_payload":1048576}\r\n'

/** Starts a server that greets each connection, and calls back with what it receives. */
async function startServer(greeting: string, onCommands: (text: string, socket: Socket) => void = () => undefined) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => onCommands(chunk.toString(), socket))
    socket.write(greeting)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, sockets, [Symbol.asyncDispose]: async () => void server.close() }
}

function targetAt(port: number, values = {}) {
  const egress = createEgress({ networks: 'private', allow: [{ name: '127.0.0.1' }] })
  const settings = { address: `127.0.0.1:${port}`, subject: 't', ...values }
  return openNats({ arn: 'arn', values: settings, egress, certificates: {} as never })
}

/** Answers as a server does, but answers an event in its own way. */
const answering = (answer: (inbox: string) => string) => (text: string, socket: Socket) => {
  if (text.includes('PING')) socket.write('PONG\r\n')
  const inbox = /^HPUB \S+ (\S+)/.exec(text)?.[1]
  if (inbox) socket.write(answer(inbox))
}

test.each([
  ['that is not JSON', 'INFO {"headers":\r\n'],
  ['that is not an object', 'INFO null\r\n'],
  ['of another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['without an end', 'INFO '.padEnd(70_000, 'x')],
])('a first line %s is an error', async (_, greeting) => {
  await using server = await startServer(greeting)
  const target = targetAt(server.port)
  await expect(target.send('event', AbortSignal.timeout(5000))).rejects.toThrow('not of a NATS server')
  await expect.poll(() => server.sockets.size).toBe(0)
})

test.each([
  ['that is not JSON', (inbox: string) => `MSG ${inbox} 1 4\r\n{"st\r\n`, 'has not stored the event'],
  ['that is not an object', (inbox: string) => `MSG ${inbox} 1 4\r\nnull\r\n`, 'has not stored the event'],
  ['of a gigabyte', (inbox: string) => `MSG ${inbox} 1 1000000000\r\n`, 'not of a NATS server'],
  ['of a negative length', (inbox: string) => `MSG ${inbox} 1 -9\r\n`, 'not of a NATS server'],
  ['without an end', () => 'x'.repeat(70_000), 'not of a NATS server'],
])('an answer of a stream %s is an error', async (_, answer, message) => {
  await using server = await startServer(INFO, answering(answer))
  const target = targetAt(server.port, { jetstream: 'on' })
  await expect(target.send('event', AbortSignal.timeout(5000))).rejects.toThrow(message)
  await expect.poll(() => server.sockets.size).toBe(0)
})

test('an event that a stream has stored is sent', async () => {
  const body = '{"stream":"s","seq":1}'
  await using server = await startServer(
    INFO,
    answering((inbox) => `MSG ${inbox} 1 ${body.length}\r\n${body}\r\n`),
  )
  const target = targetAt(server.port, { jetstream: 'on' })
  await target.send('event', AbortSignal.timeout(5000))
  await target.close()
})
