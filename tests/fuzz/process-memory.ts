import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { MiB } from '@stowage/contract/values/units'
import WebSocket from 'ws'

/** Node option of programs whose memory `readProcessMemories` reads. */
export const INSPECTED = '--inspect=127.0.0.1:0'

/** Lines that Node writes because of `INSPECTED`. */
export const INSPECTOR_LINE = /"msg":"(Debugger (listening|attached|ending)|For help, see: )/

/** Memory of a process after a garbage collection, in MiB. */
export interface ProcessMemory {
  /** Objects and buffers that are still in use. */
  live: number
  /** The whole process without file pages: the system decides about the pages of the index. */
  resident: number
}

const LISTENING = /Debugger listening on (ws:\/\/127\.0\.0\.1:\d+\/[\w-]+)/g

/** Returns the memory by process id. @param output of programs that were started with `INSPECTED` */
export async function readProcessMemories(output: string): Promise<Map<number, ProcessMemory>> {
  const addresses = [...output.matchAll(LISTENING)].flatMap(([, address]) => address ?? [])
  return new Map((await Promise.all(addresses.map(readOne))).filter((entry) => entry !== undefined))
}

/** @returns undefined if the process has ended */
async function readOne(address: string): Promise<[number, ProcessMemory] | undefined> {
  const socket = new WebSocket(address)
  try {
    await once(socket, 'open')
  } catch {
    return undefined
  }
  try {
    await call(socket, 'HeapProfiler.collectGarbage', {})
    const { result } = await call(socket, 'Runtime.evaluate', { expression: USED, returnByValue: true })
    const { pid, used } = result.value as { pid: number; used: number }
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const kib = Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1])
    return [pid, { live: Math.round(used / MiB), resident: Math.round((kib * 1024) / MiB) }]
  } finally {
    socket.close()
  }
}

const USED = '(({ heapUsed, external }) => ({ pid: process.pid, used: heapUsed + external }))(process.memoryUsage())'

async function call(socket: WebSocket, method: string, params: object): Promise<{ result: { value: unknown } }> {
  socket.send(JSON.stringify({ id: 1, method, params }))
  for (;;) {
    const [data] = (await once(socket, 'message')) as [Buffer]
    const message = JSON.parse(data.toString()) as { id?: number; result: { result: { value: unknown } } }
    if (message.id !== undefined) return message.result
  }
}
