import { reason } from '@stowage/contract'
import { HttpError } from './errors.ts'

/** Sockets that are open at once: in all, and those of one session. */
const MAX_SOCKETS = 1024
const MAX_OF_SESSION = 64
interface OpenSocket {
  session: string
  end(): void
}

/** The sockets of one console. */
export class OpenSockets {
  readonly #all = new Set<OpenSocket>()

  /** Counts a socket in; returns the function that counts it out. */
  enter(socket: OpenSocket): () => void {
    this.#all.add(socket)
    return () => this.#all.delete(socket)
  }

  /** @throws HttpError 503 or 429 when there are too many */
  refuseTooMany(session: string): void {
    if (this.#all.size >= MAX_SOCKETS) throw new HttpError(503, reason('too-many-sockets'))
    if (this.#of(session).length >= MAX_OF_SESSION) throw new HttpError(429, reason('too-many-sockets-of-session'))
  }

  /** Ends the sockets of a session that was signed out, and of those that were opened with it: `{session}/{id}`. */
  endSession(session: string): void {
    for (const socket of [...this.#all])
      if (socket.session === session || socket.session.startsWith(`${session}/`)) socket.end()
  }

  get size(): number {
    return this.#all.size
  }

  #of(session: string): OpenSocket[] {
    return [...this.#all].filter((socket) => socket.session === session)
  }
}
