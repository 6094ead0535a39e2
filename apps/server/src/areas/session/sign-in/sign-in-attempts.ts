import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { addressGroup } from '../../../lib/http/limits/address-group.ts'
import type { SessionPayload } from '../../../lib/session/session-payload.ts'
import type { Upstream } from '../../../lib/storage/upstream.ts'
import { GuessLimiter } from '../../../lib/store-package/limits.ts'
import { isBrowserRequest, type Sessions } from '../sealed-sessions/sessions.ts'
import { hasSignedIn, type KnownDevices } from './known-devices.ts'
import { WRONG_GUESSES } from './sign-in-limits.ts'
import { SignInQueue } from './sign-in-queue.ts'
import type { SignInContext } from './sign-in-with-keys.ts'

/**
 * A wrong guess is answered after a multiple of this time (ms), so that timing does not reveal whether the storage server knows
 * the key.
 */
const REFUSAL_MS = 100

const isWrongGuess = (error: unknown) =>
  error instanceof HttpError && (error.status === 401 || error.reason.id === 'check-current-password')

export interface SignInParts extends SignInContext {
  sessions: Sessions
  devices: KnownDevices
}

/** Runs everything that checks a secret key entered by a user: limits wrong guesses, and starts the session. */
export class SignInAttempts {
  readonly sessions: Sessions
  readonly #parts: SignInParts
  readonly #limiter = new GuessLimiter(WRONG_GUESSES)
  readonly #turns = new SignInQueue()

  constructor(parts: SignInParts) {
    this.#parts = parts
    this.sessions = parts.sessions
  }

  /**
   * Runs one attempt with the secret key of an access key.
   * @param check throws HttpError 401 or `check-current-password` for a wrong secret key
   */
  async run<T>(
    request: FastifyRequest,
    accessKey: string,
    signal: AbortSignal,
    check: (to: SignInContext & { upstream: Upstream }) => Promise<T>,
  ): Promise<T> {
    const { config, upstream, devices } = this.#parts
    const device = devices.find(request)
    const from = device && hasSignedIn(device, accessKey) ? device.id : addressGroup(request.ip)
    const checkSlowly = async () => {
      const begun = performance.now()
      try {
        return await check({ config, upstream: upstream.forCaller(request.ip, request.id) })
      } catch (error) {
        if (isWrongGuess(error)) await delay(REFUSAL_MS - ((performance.now() - begun) % REFUSAL_MS))
        throw error
      }
    }
    // A caller who disconnects early could learn from the timing: right guesses are answered sooner than wrong ones.
    const isFailure = (error: unknown) => signal.aborted || isWrongGuess(error)
    return await this.#limiter.run({ name: accessKey, from }, isFailure, () => this.#turns.run(from, checkSlowly))
  }

  /** Puts a new session into its cookie and remembers the browser. */
  start(request: FastifyRequest, reply: FastifyReply, session: SessionPayload): { sessionId: string } {
    const { sessions, devices } = this.#parts
    const sealed = sessions.seal(session)
    sessions.writeCookies(request, reply, session, sealed)
    devices.remember(request, reply, session.user, devices.find(request))
    return { sessionId: isBrowserRequest(request) ? session.id : sealed }
  }
}
