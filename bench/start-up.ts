import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import type { Case } from './measure.ts'

export interface Program {
  readonly name: string
  /** A line for the shell. */
  readonly command: string
  /** Answers 200 when the program is up. */
  readonly ready: string
}

export const startCases: Case<Program>[] = [{ name: 'start until it answers', unit: 'ms', run: startOnce }]

/** Starts a program, waits until it answers, and ends it. */
async function startOnce({ command, ready }: Program): Promise<number> {
  // `exec`, so that the signal at the end reaches the program and not a shell in front of it.
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
    return false // Nobody listens yet.
  }
}
