import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { MessageRefusedError } from '../delivery/queue-sender.ts'
import { keepConnection } from './kept-connection.ts'

afterEach(() => void vi.useRealTimers())

/** Starts a server that accepts connections and never answers. */
async function startSilent() {
  let accepted = 0
  const server = createServer((socket) => {
    accepted++
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const connection = keepConnection<Socket>({
    async open({ onLost, onFailure }) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined)
      onFailure(() => socket.destroy())
      await once(socket, 'connect')
      socket.on('close', onLost)
      return socket
    },
    close: (socket) => socket.destroy(),
  })
  return {
    connection,
    accepted: () => accepted,
    async [Symbol.asyncDispose]() {
      await connection.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const { signal } = new AbortController()

test('a target that accepts and stays silent is given up after 10 s, and connected anew', async () => {
  await using silent = await startSilent()
  await silent.connection.use(signal, async () => undefined)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const asked = silent.connection.use(signal, async (socket) => void (await once(socket, 'data')))
  const failed = expect(asked).rejects.toThrow('the target did not answer within 10 s')
  await vi.advanceTimersByTimeAsync(10_000)
  await failed
  vi.useRealTimers()
  await silent.connection.use(signal, async () => undefined)
  await expect.poll(silent.accepted).toBe(2)
})

test('a connection is kept after an event that the target refuses, and closed after another failure', async () => {
  await using silent = await startSilent()
  const fail = (error: Error) => silent.connection.use(signal, () => Promise.reject(error))
  await expect(fail(new MessageRefusedError('too large'))).rejects.toThrow('too large')
  await silent.connection.use(signal, async () => undefined)
  await expect.poll(silent.accepted).toBe(1)
  await expect(fail(new Error('broken'))).rejects.toThrow('broken')
  await silent.connection.use(signal, async () => undefined)
  await expect.poll(silent.accepted).toBe(2)
})
