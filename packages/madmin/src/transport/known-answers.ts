/** A long answer of a server as it was last read. */
export interface CachedAnswer {
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
export class AnswerCache {
  readonly #byPath = new Map<string, CachedAnswer>()

  get(path: string): CachedAnswer | undefined {
    return this.#byPath.get(path)
  }
  set(path: string, answer: CachedAnswer): void {
    this.#byPath.set(path, answer)
  }
}
