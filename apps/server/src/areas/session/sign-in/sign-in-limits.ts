import { reason } from '@stowage/contract'
import { HttpError } from '../../../lib/errors/http-errors.ts'

/** Limits for wrong guesses of secret keys and passwords from one address. */
export const WRONG_GUESSES = {
  free: 5,
  freeOfCaller: 100,
  pauseMs: 500,
  maxPauseMs: 15_000,
  forgetMs: 30 * 60_000,
  refuse: (seconds: number) =>
    new HttpError(429, reason('too-many-sign-ins', { count: seconds }), {
      headers: { 'retry-after': String(seconds) },
    }),
}
