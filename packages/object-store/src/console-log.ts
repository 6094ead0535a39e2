/** Lines that are kept for clients that ask later. */
const KEPT = 1_000

/** A line of the program's log, as pino writes it. */
export interface LogLine {
  readonly level: number
  /** RFC 3339. */
  readonly time: string
  readonly msg?: string
  readonly [member: string]: unknown
}

/** The latest lines of the log, and the way to follow it: what the admin API shows of the log. */
export class ConsoleLog {
  #lines: LogLine[] = []
  readonly #listeners = new Set<(line: LogLine) => void>()

  /** Receives each line that pino writes and returns it unchanged: pino's hook for a stream. */
  readonly take = (text: string): string => {
    const line = parsed(text)
    if (line) {
      this.#lines.push(line)
      // Cut seldom, so that each line costs little.
      if (this.#lines.length >= 2 * KEPT) this.#lines = this.#lines.slice(-KEPT)
      for (const listener of this.#listeners) listener(line)
    }
    return text
  }

  /** The latest lines, oldest first. */
  latest(count: number): LogLine[] {
    return this.#lines.slice(-Math.min(count, KEPT))
  }

  /** Calls back with each line. Returns the function that ends it. */
  subscribe(listener: (line: LogLine) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

function parsed(text: string): LogLine | undefined {
  try {
    return JSON.parse(text) as LogLine
  } catch {
    return undefined // Not a line from pino.
  }
}
