import { S3Error } from '../../lib/errors.ts'

/** Limits for wrong passwords of directory users from one address. */
export const LDAP_GUESSES = {
  free: 5,
  freeOfCaller: 100,
  pauseMs: 500,
  maxPauseMs: 15_000,
  forgetMs: 30 * 60_000,
  refuse: (seconds: number) => new S3Error('SlowDown', `Too many wrong passwords. Try again in ${seconds} s.`),
}

/**
 * Limits of sign-ins at the directory: anyone may request them, and the directory has a limited number of connections, so one
 * address takes only a part.
 */
export const LDAP_TURNS = {
  concurrency: 24,
  perKey: 4,
  maxWaiting: 256,
  maxWaitingPerKey: 32,
  refuse: () => new S3Error('SlowDown', 'Too many sign-ins at once. Try again.'),
}
