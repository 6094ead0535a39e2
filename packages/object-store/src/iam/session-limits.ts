/** Shortest and longest that a session may ask for; MinIO has the same. */
export const MIN_SESSION_SECONDS = 900
export const MAX_ASKED_SECONDS = 365 * 24 * 3600
/** Longest that a session lasts. One that asks for more gets this, and its answer tells when it ends. */
export const MAX_SESSION_SECONDS = 7 * 24 * 3600

/** An expired session is kept for a day, so that its holder is told that it expired rather than that it is unknown. */
export const KEPT_MS = 24 * 3600_000

/**
 * How many sessions are kept, expired ones included. Where a new one finds no room, one that ends soonest makes it: of the
 * same user at the user's limit, of the user with the most at the limit of all. So nobody is kept from signing in, and who
 * opens too many ends their own.
 */
export interface SessionLimits {
  perUser: number
  all: number
}

export const SESSION_LIMITS: SessionLimits = { perUser: 1000, all: 20_000 }

/** Longest `TokenRevokeType`; it is in each token, and those travel in headers. */
export const REVOKE_TYPE_BYTES = 128
