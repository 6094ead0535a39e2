import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The built programs. */
export const builtPrograms = {
  console: fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url)),
  store: fileURLToPath(new URL('../../../dist/store/main.js', import.meta.url)),
  standaloneStore: fileURLToPath(new URL('../../../dist/store/standalone.js', import.meta.url)),
}

/** Whether a process is running; a zombie counts as ended. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Returns the process IDs of a process's children. */
export function childProcesses(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Returns the process ID of a console's embedded store. */
export function embeddedStoreProcess(pid: number): number {
  const [child, ...others] = childProcesses(pid)
  if (child === undefined || others.length > 0) throw new Error(`process ${pid} has ${others.length + 1} children`)
  return child
}

/** Returns the memory of a process in bytes, as counted by the system. */
export function processMemory(pid: number): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

/**
 * Returns the memory of a process in bytes without pages of files, such as those of the index of a store: the system frees
 * these when it needs the memory.
 */
export function processOwnMemory(pid: number): number {
  const [, kib = '0'] = /RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

/** Returns the number of open files and sockets of a process. */
export function openHandles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

export interface ProcessResult {
  code: number | null
  /** Lines written to stdout and stderr. */
  lines: string[]
}

/** Runs a program until it ends by itself. */
export async function runToEnd(
  program: string,
  env: Record<string, string>,
  ...args: string[]
): Promise<ProcessResult> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  })
  const written = collectOutput(child)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, lines: written().split('\n').filter(Boolean) }
}

/** Prints the last output of a child process that ends by itself with an error, which the tests see as a lost connection only. */
export function reportCrash(child: ChildProcess, output: () => string): void {
  child.on('close', (code, signal) => {
    const isCrash = (code !== null && code !== 0) || signal === 'SIGABRT' || signal === 'SIGSEGV'
    // Not by `console`: its messages are lost, or fail, when the test has ended.
    if (isCrash)
      process.stderr.write(`A process ended with ${code ?? signal}. Its last output:\n${output().slice(-4000)}\n`)
  })
}

/** Collects the output of a child process. @returns a function that returns all of it so far */
export function collectOutput(child: ChildProcess): () => string {
  let text = ''
  child.stdout?.on('data', (chunk) => (text += chunk))
  child.stderr?.on('data', (chunk) => (text += chunk))
  return () => text
}
