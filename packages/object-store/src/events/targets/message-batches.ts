/** Largest number of messages in a batch, and their size in bytes (a single larger message is sent alone). */
const MAX_MESSAGES = 100
const MAX_BYTES = 4 * 2 ** 20

/** The target refused a whole batch, for instance because it is too large. */
export class BatchRefusedError extends Error {
  override readonly name = 'BatchRefusedError'
}

interface WaitingMessage {
  readonly text: string
  resolve(): void
  reject(error: unknown): void
}

/**
 * Sends messages in batches. Messages that arrive while a batch is being sent wait for the next one.
 * @param sendBatch returns an error for each message that was not accepted. If it throws `BatchRefusedError` for several messages,
 * each half of them is sent again; other errors are those of all its messages
 * @returns a function that sends one message; rejects with the error of this message
 */
export function batchSender(
  sendBatch: (texts: readonly string[]) => Promise<readonly (Error | undefined)[]>,
): (text: string) => Promise<void> {
  let waiting: WaitingMessage[] = []
  let isSending = false

  async function sendAll(): Promise<void> {
    // Messages of one round arrive one after another.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchLength(waiting))
      waiting = waiting.slice(batch.length)
      await send(batch)
    }
    isSending = false
  }

  async function send(batch: readonly WaitingMessage[]): Promise<void> {
    try {
      const errors = await sendBatch(batch.map(({ text }) => text))
      for (const [i, { resolve, reject }] of batch.entries()) {
        if (errors[i] === undefined) resolve()
        else reject(errors[i])
      }
    } catch (error) {
      if (error instanceof BatchRefusedError && batch.length > 1) {
        const middle = Math.ceil(batch.length / 2)
        await send(batch.slice(0, middle))
        await send(batch.slice(middle))
      } else for (const { reject } of batch) reject(error)
    }
  }

  return (text) =>
    new Promise((resolve, reject) => {
      waiting.push({ text, resolve, reject })
      if (isSending) return
      isSending = true
      void sendAll()
    })
}

function batchLength(waiting: readonly WaitingMessage[]): number {
  let bytes = 0
  for (const [i, { text }] of waiting.slice(0, MAX_MESSAGES).entries()) {
    bytes += Buffer.byteLength(text)
    if (bytes > MAX_BYTES) return Math.max(i, 1)
  }
  return Math.min(MAX_MESSAGES, waiting.length)
}
