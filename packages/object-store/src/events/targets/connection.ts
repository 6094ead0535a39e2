import { EventRefused } from '../sender.ts'

/** A target that needs longer to connect, or to take an event, is away. */
const TIMEOUT_MS = 10_000

export interface KeptConnection<Client> {
  /**
   * Uses the connection, which is opened when there is none. It is closed when the work fails, unless by `EventRefused`.
   * @throws what the work throws, the signal's reason, or an error after 10 s
   */
  use<Result>(signal: AbortSignal, work: (client: Client) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

interface Opening {
  /** To be called when the connection ends by itself. */
  readonly onLost: () => void
  /** What is to be closed when the opening fails later on. */
  readonly onFailure: (close: () => unknown) => void
}

/** One connection that is kept open between events, and opened anew after it was lost. */
export function keepConnection<Client>(options: {
  open: (opening: Opening) => Promise<Client>
  close: (client: Client) => unknown
}): KeptConnection<Client> {
  let current: Promise<Client> | undefined
  const dropped = new WeakSet<Promise<Client>>()

  function start(): Promise<Client> {
    const closers: (() => unknown)[] = []
    const opening = { onLost: () => drop(opened), onFailure: (close: () => unknown) => void closers.push(close) }
    const opened: Promise<Client> = Promise.resolve().then(() => options.open(opening))
    opened.catch(async () => {
      // Each of them is closed, also after one that cannot be.
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
    // Closing a connection is an end of it as well.
    if (dropped.has(opened)) return
    dropped.add(opened)
    // A connection that never opened needs no end.
    opened.then(options.close).catch(() => undefined)
  }

  return {
    async use(signal, work) {
      const opened = current ?? start()
      try {
        return await inTime(
          signal,
          opened.then((client) => work(client)),
        )
      } catch (error) {
        if (!(error instanceof EventRefused) && current === opened) drop(opened)
        throw error
      }
    },
    async close() {
      if (current) drop(current)
    },
  }
}

function inTime<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
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
