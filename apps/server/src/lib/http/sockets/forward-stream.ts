import { setTimeout as delay } from 'node:timers/promises'
import { reason } from '@stowage/contract'
import { type JsonStream, LostRecords } from '@stowage/madmin'
import { errorAnswer, HttpError } from '../../errors/http-errors.ts'
import type { LiveSocket } from './live-socket.ts'

/** Pauses before a broken stream is opened again (ms): the first, and the longest. */
const FIRST_WAIT = 500
const LONGEST_WAIT = 15_000

/**
 * Forwards an endless stream of the storage server. Reopens a broken stream, with growing pauses, while the client is
 * connected. If the stream cannot be opened at first, or the server refuses it, the call ends.
 * @param open opens the stream, which must end when the signal aborts
 * @param each handles a record and sends its message
 */
export async function forwardStream<Message>(
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
