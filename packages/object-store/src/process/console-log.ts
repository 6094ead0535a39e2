/** Lines that are kept for clients that ask later. */
const KEPT = 1_000

/** A line of the program's log, as pino writes it. */
export interface StoreLogLine {
  readonly level: number
  /** RFC 3339. */
  readonly time: string
  readonly msg?: string
  readonly [member: string]: unknown
}

/** The latest lines of the log, and the way to follow it: what the admin API shows of the log. */
export class ConsoleLog {
  #lines: StoreLogLine[] = []
  readonly #listeners = new Set<(line: StoreLogLine) => void>()

  /** Receives each line that pino writes and returns it unchanged: pino's hook for a stream. */
  readonly take = (text: string): string => {
    const line = parseLogLine(text)
    if (line) {
      this.#lines.push(line)
      // Cut seldom, so that each line costs little.
      if (this.#lines.length >= 2 * KEPT) this.#lines = this.#lines.slice(-KEPT)
      for (const listener of this.#listeners) listener(line)
    }
    return text
  }

  /** The latest lines, oldest first. */
  latest(count: number): StoreLogLine[] {
    return this.#lines.slice(-Math.min(count, KEPT))
  }

  /** Calls back with each line. Returns the function that ends it. */
  subscribe(listener: (line: StoreLogLine) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

function parseLogLine(text: string): StoreLogLine | undefined {
  try {
    return JSON.parse(text) as StoreLogLine
  } catch {
    return undefined // Not a line from pino.
  }
}
