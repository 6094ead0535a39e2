import { reason } from '@stowage/contract'
import { HttpError } from '../../errors/http-errors.ts'

/** Maximum number of open sockets: in total, and per session. */
const MAX_SOCKETS = 1024
const MAX_OF_SESSION = 64
interface OpenSocket {
  session: string
  end(): void
}

/** Tracks the open sockets of a console. */
export class OpenSockets {
  readonly #all = new Set<OpenSocket>()

  /** Registers a socket; returns a function that removes it. */
  enter(socket: OpenSocket): () => void {
    this.#all.add(socket)
    return () => this.#all.delete(socket)
  }

  /** @throws HttpError 503 or 429 if there are too many */
  refuseTooMany(session: string): void {
    if (this.#all.size >= MAX_SOCKETS) throw new HttpError(503, reason('too-many-sockets'))
    if (this.#sessionSockets(session).length >= MAX_OF_SESSION)
      throw new HttpError(429, reason('too-many-sockets-of-session'))
  }

  /** Ends the sockets of a session that was signed out, and of those that were opened with it: `{session}/{id}`. */
  endSession(session: string): void {
    for (const socket of [...this.#all])
      if (socket.session === session || socket.session.startsWith(`${session}/`)) socket.end()
  }

  get size(): number {
    return this.#all.size
  }

  #sessionSockets(session: string): OpenSocket[] {
    return [...this.#all].filter((socket) => socket.session === session)
  }
}
