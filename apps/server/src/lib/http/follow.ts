import { setTimeout as delay } from 'node:timers/promises'
import { reason } from '@stowage/contract'
import { type JsonStream, LostRecords } from '@stowage/madmin'
import { errorAnswer, HttpError } from './errors.ts'
import type { LiveSocket } from './live-socket.ts'

/** Waits before a broken stream is opened again (ms): the first, and the longest. */
const FIRST_WAIT = 500
const LONGEST_WAIT = 15_000

/**
 * Passes an endless stream of the storage server on. One that breaks is opened again, with growing waits, for as long as
 * the client stays; one that cannot be opened at first, or that the server refuses, ends the call.
 * @param open starts the stream; it must end with the signal
 * @param each sends what a record means
 */
export async function follow<Message>(
  live: LiveSocket<Message>,
  open: (signal: AbortSignal) => Promise<JsonStream>,
  each: (record: unknown) => Promise<void> | void,
): Promise<void> {
  let wait = FIRST_WAIT
  for (let opened = false; !live.signal.aborted; ) {
    try {
      const stream = await open(live.signal)
      live.control({ kind: opened ? 'resumed' : 'started' })
      opened = true
      for await (const record of stream) {
        wait = FIRST_WAIT
        if (record instanceof LostRecords) live.lost(record.count)
        else await each(record)
      }
      throw new HttpError(502, reason('live-stream-ended'))
    } catch (error) {
      if (live.signal.aborted) return
      const { status, body } = errorAnswer(error, '')
      if (!opened || (status >= 400 && status < 500) || status === 500 || status === 501) throw error
      live.control({ kind: 'interrupted', message: body.message, retryMs: wait })
      await delay(wait, undefined, { signal: live.signal }).catch(() => undefined)
      wait = Math.min(LONGEST_WAIT, wait * 2)
    }
  }
}
