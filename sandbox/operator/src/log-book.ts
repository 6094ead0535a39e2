import type { ServerResponse } from 'node:http'

/** Maximum number of lines kept per pod. */
const KEPT = 5_000

interface Line {
  time: string
  text: string
}

interface Book {
  lines: Line[]
  followers: Set<(line: Line) => void>
}

/** The output of pods. */
export class LogBook {
  readonly #books = new Map<string, Book>()

  has(pod: string): boolean {
    return this.#books.has(pod)
  }

  add(pod: string, text: string): void {
    const book = this.#books.get(pod) ?? { lines: [], followers: new Set() }
    this.#books.set(pod, book)
    const line = { time: new Date().toISOString(), text }
    book.lines.push(line)
    if (book.lines.length > KEPT) book.lines.shift()
    for (const follower of book.followers) follower(line)
  }

  forget(pod: string): void {
    this.#books.delete(pod)
  }

  /** Sends a log like a kubelet does. */
  send(pod: string, query: URLSearchParams, response: ServerResponse): void {
    const book = this.#books.get(pod)
    if (!book) {
      response.end()
      return
    }
    const written = ({ time, text }: Line) => (query.get('timestamps') === 'true' ? `${time} ${text}\n` : `${text}\n`)
    const tail = query.get('tailLines')
    const lines = tail === null ? book.lines : Number(tail) === 0 ? [] : book.lines.slice(-Number(tail))
    const limit = Number(query.get('limitBytes') ?? Number.POSITIVE_INFINITY)
    const text = Buffer.from(lines.map(written).join(''))
    response.write(Number.isFinite(limit) ? text.subarray(0, limit) : text)
    if (query.get('follow') !== 'true') {
      response.end()
      return
    }
    const follower = (line: Line) => response.write(written(line))
    book.followers.add(follower)
    response.on('close', () => book.followers.delete(follower))
  }
}
