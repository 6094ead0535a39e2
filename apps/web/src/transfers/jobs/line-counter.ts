const NEWLINE = 10
const QUOTE = 34

/** Counts lines in bytes that arrive in pieces. In CSV, a line break between quotes is part of a cell. */
export class LineCounter {
  count = 0
  #quoted = false

  constructor(private readonly isCsv: boolean) {}

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === QUOTE && this.isCsv) this.#quoted = !this.#quoted
      else if (byte === NEWLINE && !this.#quoted) this.count++
    }
  }
}
