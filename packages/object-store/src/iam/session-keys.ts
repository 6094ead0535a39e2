import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { EXPIRED_SESSION_MS, MAX_SESSION_SECONDS } from '../lib/session-limits.ts'
import type { PendingIamChange } from './collection.ts'
import type { Iam } from './iam.ts'

/*
 * Keys that sign session tokens: random, stored with the users and encrypted at rest like them. A leaked token cannot be used
 * to guess a human-chosen secret.
 */

const KEY_BYTES = 64
/** How long a key is used for signing. Afterwards the next session gets a new one. */
const SIGNS_MS = 7 * 24 * 3600_000
/** After this time all sessions signed with a key have expired, and their holders are no longer told so. */
const GONE_MS = SIGNS_MS + MAX_SESSION_SECONDS * 1000 + EXPIRED_SESSION_MS

export interface SessionKey {
  id: string
  secret: Buffer
}

/** Returns the current signing key, or a new one. The changes must be committed with the session. */
export function currentSigningKey(iam: Iam): { key: SessionKey; changes: PendingIamChange[] } {
  const now = iam.now()
  const keys = [...iam.sessionKeys.entries()].toSorted(([, a], [, b]) => b.createdAt - a.createdAt)
  const gone = keys.filter(([, { createdAt }]) => createdAt + GONE_MS <= now)
  const changes = gone.map(([id]) => iam.sessionKeys.change(id, undefined))
  const [newest] = keys
  if (newest && newest[1].createdAt + SIGNS_MS > now) {
    const [id, record] = newest
    return { key: sessionKeyFrom(id, record.secret), changes }
  }
  const id = randomBytes(6).toString('hex')
  const secret = randomBytes(KEY_BYTES).toString('base64')
  changes.push(iam.sessionKeys.change(id, { secret, createdAt: now }))
  return { key: sessionKeyFrom(id, secret), changes }
}

/** Returns a key by ID, even if it signs no new sessions; undefined if all its sessions must have ended. */
export function findSessionKey(iam: Iam, id: string): SessionKey | undefined {
  const record = iam.sessionKeys.get(id)
  return record && record.createdAt + GONE_MS > iam.now() ? sessionKeyFrom(id, record.secret) : undefined
}

/** Returns a MAC that binds a session to the secret key of its user at its start. */
export function secretMac({ secret }: SessionKey, user: string, secretKey: string): string {
  return createHmac('sha256', secret).update(`${user}\0${secretKey}`).digest('base64url')
}

export function isSameMac(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const sessionKeyFrom = (id: string, secret: string): SessionKey => ({ id, secret: Buffer.from(secret, 'base64') })
