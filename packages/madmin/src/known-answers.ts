/** A long answer of a server as it was last read. */
export interface KnownAnswer {
  /** Sent by our own store; undefined for other servers. */
  readonly etag: string | undefined
  readonly text: string
  /** What the reader of the call made of the text. */
  readonly value: unknown
}

/**
 * The latest long answers of one server, so that an unchanged one is parsed only once, and not transferred again by a server
 * that sends an ETag. May be shared by all callers: an answer is used again only after the server has answered this caller
 * with the same text, or with 304 for its ETag.
 */
export class KnownAnswers {
  readonly #byPath = new Map<string, KnownAnswer>()

  get(path: string): KnownAnswer | undefined {
    return this.#byPath.get(path)
  }
  set(path: string, answer: KnownAnswer): void {
    this.#byPath.set(path, answer)
  }
}
