import { MessageRefusedError } from '../delivery/queue-sender.ts'

/** Timeout for connecting, and for accepting an event. */
const TIMEOUT_MS = 10_000

export interface KeptConnection<Client> {
  /**
   * Runs work with the connection, opening one if needed. Closes it if the work fails, except with `MessageRefusedError`.
   * @throws errors of the work, the signal's reason, or an error after 10 s
   */
  use<Result>(signal: AbortSignal, work: (client: Client) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

interface OpeningConnection {
  /** Call it when the connection is lost. */
  readonly onLost: () => void
  /** Registers a function to close what was opened, if opening fails later. */
  readonly onFailure: (close: () => unknown) => void
}

/** Keeps one connection open between events, and opens a new one after it was lost. */
export function keepConnection<Client>(options: {
  open: (opening: OpeningConnection) => Promise<Client>
  close: (client: Client) => unknown
}): KeptConnection<Client> {
  let current: Promise<Client> | undefined
  const dropped = new WeakSet<Promise<Client>>()

  function start(): Promise<Client> {
    const closers: (() => unknown)[] = []
    const opening = { onLost: () => drop(opened), onFailure: (close: () => unknown) => void closers.push(close) }
    const opened: Promise<Client> = Promise.resolve().then(() => options.open(opening))
    opened.catch(async () => {
      // Call all of them, even after one fails.
      for (const close of closers)
        await Promise.resolve()
          .then(close)
          .catch(() => undefined)
    })
    current = opened
    return opened
  }

  function drop(opened: Promise<Client>): void {
    if (current === opened) current = undefined
    // Closing a connection also triggers this.
    if (dropped.has(opened)) return
    dropped.add(opened)
    // A connection that never opened need not be closed.
    opened.then(options.close).catch(() => undefined)
  }

  return {
    async use(signal, work) {
      const opened = current ?? start()
      try {
        return await withTimeout(
          signal,
          opened.then((client) => work(client)),
        )
      } catch (error) {
        if (!(error instanceof MessageRefusedError) && current === opened) drop(opened)
        throw error
      }
    },
    async close() {
      if (current) drop(current)
    },
  }
}

function withTimeout<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(() => reject(new Error('the target did not answer within 10 s'))), TIMEOUT_MS)
    const onAbort = () => end(() => reject(signal.reason))
    const end = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(
      (result) => end(() => resolve(result)),
      (error) => end(() => reject(error)),
    )
  })
}
