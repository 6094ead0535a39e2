import { readFile } from 'node:fs/promises'
import { MiB } from '@stowage/contract/values/units'

const EVERY_MS = 50

/** Runs some work, and returns the maximum resident memory (MiB) of a process meanwhile. */
export async function withPeakMemory<T>(pid: number, work: () => Promise<T>): Promise<{ result: T; peak: number }> {
  let peak = 0
  const look = async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const kib = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
    peak = Math.max(peak, (kib * 1024) / MiB)
  }
  await look()
  // If the process ends, the work fails with a better message.
  const timer = setInterval(() => void look().catch(() => undefined), EVERY_MS)
  try {
    return { result: await work(), peak }
  } finally {
    clearInterval(timer)
  }
}
