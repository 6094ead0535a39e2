import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import type { BenchCase } from '../lib/measure.ts'

export interface Program {
  readonly name: string
  /** A shell command. */
  readonly command: string
  /** URL that answers 200 when the program is ready. */
  readonly ready: string
}

export const startCases: BenchCase<Program>[] = [{ name: 'start until it answers', unit: 'ms', run: startOnce }]

/** Starts a program, waits until it answers, and stops it. */
async function startOnce({ command, ready }: Program): Promise<number> {
  // `exec`, so that the signal reaches the program and not the shell.
  const child = spawn('sh', ['-c', `exec ${command}`], { stdio: 'ignore' })
  const exit = once(child, 'exit')
  const start = performance.now()
  try {
    while (!(await answers(ready))) {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
      if (performance.now() - start > 60_000) throw new Error('it was not up after a minute')
      await sleep(5)
    }
    return performance.now() - start
  } finally {
    child.kill('SIGTERM')
    await exit
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(url)
    await body.dump()
    return statusCode === 200
  } catch {
    return false // Not listening yet.
  }
}
