/** Minimum duration of a session, as on MinIO. */
export const MIN_SESSION_SECONDS = 900
export const MAX_REQUESTED_SECONDS = 365 * 24 * 3600
/** Maximum duration of a session, as on MinIO. Longer requests get this one; the answer contains the end. */
export const MAX_SESSION_SECONDS = 7 * 24 * 3600

/** An expired session is kept for a day, so that clients get an error about the expiration, not about an unknown key. */
export const EXPIRED_SESSION_MS = 24 * 3600_000

/**
 * Maximum number of sessions, including expired ones. If there is no room for a new one, the one that expires soonest is ended:
 * of the same user at the user's limit, of the user with the most at the total limit. So sign-in is never refused, and users
 * with too many sessions end their own.
 */
export interface SessionLimits {
  perUser: number
  all: number
}

export const SESSION_LIMITS: SessionLimits = { perUser: 1000, all: 20_000 }

/** Maximum length of `TokenRevokeType`, which is part of each token, and tokens are sent in headers. */
export const REVOKE_TYPE_BYTES = 128
