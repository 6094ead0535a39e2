import { S3Error } from '../../../lib/errors.ts'
import type { StoreCall } from '../../call/call.ts'

let running = false

/**
 * Runs a speed test, unless another one runs. The signal is aborted when the client leaves or the store closes.
 * @throws S3Error SlowDown
 */
export async function runSpeedtest(call: StoreCall, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  if (running) throw new S3Error('SlowDown', 'A speed test is running. Try again when it has ended.')
  running = true
  const leaving = new AbortController()
  call.response.once('close', () => leaving.abort())
  try {
    await run(AbortSignal.any([leaving.signal, call.store.closing]))
  } finally {
    running = false
    call.response.end()
  }
}

/** @throws S3Error XMinioAdminInvalidArgument */
export function speedtestParameter(
  { query }: StoreCall,
  name: string,
  limits: { least: number; most: number; default: number },
): number {
  const text = query.get(name) ?? ''
  if (text === '' || text === '0') return limits.default
  const number = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= limits.least && number <= limits.most))
    throw new S3Error('XMinioAdminInvalidArgument', `${name} must be between ${limits.least} and ${limits.most}.`)
  return number
}
