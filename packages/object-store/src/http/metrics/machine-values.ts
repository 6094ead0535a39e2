import { readdir, readFile, statfs } from 'node:fs/promises'
import type { DriveState } from '../../engine/interface/types.ts'

/* Reads values from files of the kernel. They are undefined or empty if the file does not exist. */

/** Reads the numbers in a file of `name: value` lines, by name. Units after the value are ignored. */
export async function readProcNumbers(path: string): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>()
  for (const [, name = '', value] of (await readProcText(path)).matchAll(/^([^:\n]+):[ \t]*(\d+)/gm))
    numbers.set(name.trim(), Number(value))
  return numbers
}

/** Returns the number of open files of this process, and their limit. */
export async function countOpenFiles(): Promise<{ open: number | undefined; limit: number | undefined }> {
  const open = await readdir('/proc/self/fd').then(
    (names) => names.length,
    () => undefined,
  )
  const limit = /^Max open files\s+(\d+)/m.exec(await readProcText('/proc/self/limits'))?.[1]
  return { open, limit: limit === undefined ? undefined : Number(limit) }
}

export type ProcessorTime = 'user' | 'nice' | 'system' | 'idle' | 'iowait' | 'steal'

/** Returns the shares of processor time since the machine started, in percent. */
export async function readProcessorTimes(): Promise<ReadonlyMap<ProcessorTime, number>> {
  const line = /^cpu +([\d ]+)$/m.exec(await readProcText('/proc/stat'))?.[1]
  if (line === undefined) return new Map()
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, , , steal = 0] = line.split(' ').map(Number)
  const times: [ProcessorTime, number][] = Object.entries({ user, nice, system, idle, iowait, steal }) as never
  const total = times.reduce((sum, [, time]) => sum + time, 0)
  return new Map(times.map(([name, time]) => [name, percent(time, total)]))
}

/** Returns a percentage with two digits. */
export function percent(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 100
}

export interface NetworkInterface {
  name: string
  received: number
  receiveErrors: number
  sent: number
  sendErrors: number
}

export async function readNetworkInterfaces(): Promise<NetworkInterface[]> {
  const found: NetworkInterface[] = []
  for (const [, name = '', rest = ''] of (await readProcText('/proc/net/dev')).matchAll(/^ *([^:\s]+):([\d ]+)$/gm)) {
    const numbers = rest.trim().split(/ +/).map(Number)
    const [received = 0, , receiveErrors = 0, , , , , , sent = 0, , sendErrors = 0] = numbers
    found.push({ name, received, receiveErrors, sent, sendErrors })
  }
  return found
}

/** Returns the inodes of the drive's file system; undefined for an offline drive, or a file system that does not count them. */
export async function readInodes(drive: DriveState): Promise<{ total: number; free: number } | undefined> {
  if (drive.state === 'offline') return undefined
  const { files, ffree } = await statfs(drive.path).catch(() => ({ files: 0, ffree: 0 }))
  return files > 0 ? { total: files, free: ffree } : undefined
}

function readProcText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
