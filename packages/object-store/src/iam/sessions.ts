import { parsePolicy, problemText } from '@stowage/iam-policy'
import { S3Error } from '../lib/errors.ts'
import {
  EXPIRED_SESSION_MS,
  MAX_REQUESTED_SECONDS,
  MAX_SESSION_SECONDS,
  MIN_SESSION_SECONDS,
  REVOKE_TYPE_BYTES,
} from '../lib/session-limits.ts'
import { generateAccessKey, generateSecretKey } from '../settings/root-credentials.ts'
import type { PendingIamChange } from './collection.ts'
import type { Iam } from './iam.ts'
import type { ExternalUser, SessionRecord } from './iam-records.ts'
import { currentSigningKey, findSessionKey, isSameMac, type SessionKey, secretMac } from './session-keys.ts'
import { signSessionToken } from './session-token.ts'

export interface SessionRequest {
  /** The user that signed the request. */
  parent: string
  durationSeconds: number
  /** Set for a user of an identity provider; the parent is then not a built-in user. */
  external?: ExternalUser | undefined
  /** JSON text. */
  policy?: string | undefined
  revokeType?: string | undefined
}

export interface SessionCredentials {
  accessKey: string
  secretKey: string
  sessionToken: string
  /** ms since 1970, whole seconds. */
  expiresAt: number
}

export const SESSION_POLICY_BYTES = 2048

/**
 * Creates a session with the rights of its parent, restricted by `policy`. It ends when it expires, when its parent is removed
 * or gets another secret key, or when it must make room for others; see `SessionLimits`.
 * @throws S3Error MalformedPolicyDocument, InvalidParameterValue, XMinioAdminNoSuchUser
 */
export async function createSession(iam: Iam, request: SessionRequest): Promise<SessionCredentials> {
  const { parent, revokeType, external } = request
  const policy = request.policy === undefined ? undefined : compactPolicy(request.policy)
  checkRevokeType(revokeType)
  const expiresAt = Math.floor(iam.now() / 1000 + allowedSessionSeconds(request.durationSeconds)) * 1000
  const accessKey = generateAccessKey()
  const secretKey = generateSecretKey()
  let signedBy: SessionKey | undefined
  await iam.update(() => {
    const parentSecret = external ? '' : iam.userSecretKey(parent)
    if (parentSecret === undefined) throw new S3Error('XMinioAdminNoSuchUser', 'The specified user does not exist.')
    const { key, changes } = currentSigningKey(iam)
    signedBy = key
    const record: SessionRecord = {
      secretKey,
      parent,
      parentMac: secretMac(key, parent, parentSecret),
      keyId: key.id,
      ...(external ? { external } : {}),
      expiresAt,
      ...(policy === undefined ? {} : { sessionPolicy: policy }),
      ...(revokeType === undefined ? {} : { revokeType }),
    }
    return [...changes, ...makeRoom(iam, parent), iam.sessions.change(accessKey, record)]
  })
  // `update` has run the plan, or it has thrown.
  if (!signedBy) throw new TypeError('a session without a key')
  const claims = {
    accessKey,
    parent,
    exp: expiresAt / 1000,
    ...(policy === undefined ? {} : { sessionPolicy: Buffer.from(policy).toString('base64') }),
    ...(revokeType === undefined ? {} : { tokenRevokeType: revokeType }),
  }
  return { accessKey, secretKey, sessionToken: signSessionToken(claims, signedBy), expiresAt }
}

/** Returns the key that signed a session's token; undefined if that key or the parent's secret key is not valid any more. */
export function sessionTokenKey(
  iam: Iam,
  { keyId, parent, parentMac, external }: SessionRecord,
): SessionKey | undefined {
  // Sessions of the first versions were signed with root's secret key and have neither.
  if (keyId === undefined || parentMac === undefined) return undefined
  const key = findSessionKey(iam, keyId)
  const parentSecret = external ? '' : iam.userSecretKey(parent)
  if (!key || parentSecret === undefined) return undefined
  return isSameMac(parentMac, secretMac(key, parent, parentSecret)) ? key : undefined
}

/** Ends sessions of a user: those of one revoke type, or all. */
export function revokeSessions(iam: Iam, user: string, revokeType: string | undefined): Promise<void> {
  return iam.update(() =>
    endSessions(iam, user, (session) => revokeType === undefined || session.revokeType === revokeType),
  )
}

/** Returns the changes that end sessions of a user, by default all. */
export function endSessions(iam: Iam, user: string, which?: (session: SessionRecord) => boolean): PendingIamChange[] {
  return [...iam.sessions.entries()]
    .filter(([, session]) => session.parent === user && (which === undefined || which(session)))
    .map(([accessKey]) => iam.sessions.change(accessKey, undefined))
}

/** Returns the changes that delete expired and unusable sessions, and those that must end for one more session of this user. */
function makeRoom(iam: Iam, parent: string): PendingIamChange[] {
  const limit = iam.now() - EXPIRED_SESSION_MS
  const removed: string[] = []
  const byUser = new Map<string, [accessKey: string, expiresAt: number][]>()
  for (const [accessKey, { parent: user, expiresAt, keyId }] of iam.sessions.entries()) {
    if (expiresAt < limit || keyId === undefined) {
      removed.push(accessKey)
      continue
    }
    const list = byUser.get(user)
    if (list) list.push([accessKey, expiresAt])
    else byUser.set(user, [[accessKey, expiresAt]])
  }
  const { perUser, all } = iam.sessionLimits
  const own = byUser.get(parent) ?? []
  removed.push(...soonestEnding(own, own.length - perUser + 1))
  const left = iam.sessions.size - removed.length
  if (left >= all) {
    const most = [...byUser.values()].reduce((a, b) => (b.length > a.length ? b : a), own)
    removed.push(...soonestEnding(most, left - all + 1))
  }
  return [...new Set(removed)].map((accessKey) => iam.sessions.change(accessKey, undefined))
}

/** Returns the access keys of the `count` sessions that end first. */
function soonestEnding(sessions: [accessKey: string, expiresAt: number][], count: number): string[] {
  if (count <= 0) return []
  return sessions
    .toSorted(([, a], [, b]) => a - b)
    .slice(0, count)
    .map(([accessKey]) => accessKey)
}

/** @throws S3Error InvalidParameterValue if a session cannot last that long */
export function allowedSessionSeconds(asked: number): number {
  if (!Number.isInteger(asked) || asked < MIN_SESSION_SECONDS || asked > MAX_REQUESTED_SECONDS) {
    const message = `DurationSeconds must be between ${MIN_SESSION_SECONDS} and ${MAX_REQUESTED_SECONDS}.`
    throw new S3Error('InvalidParameterValue', message)
  }
  return Math.min(asked, MAX_SESSION_SECONDS)
}

function checkRevokeType(revokeType: string | undefined): void {
  if (revokeType === undefined || Buffer.byteLength(revokeType) <= REVOKE_TYPE_BYTES) return
  throw new S3Error('InvalidParameterValue', `TokenRevokeType must not exceed ${REVOKE_TYPE_BYTES} bytes.`)
}

function compactPolicy(text: string): string {
  const result = parsePolicy(text)
  if (!result.ok) {
    const [problem] = result.errors
    throw new S3Error('MalformedPolicyDocument', problem ? problemText(problem) : 'The policy cannot be read.')
  }
  const compact = JSON.stringify(JSON.parse(text))
  if (Buffer.byteLength(compact) > SESSION_POLICY_BYTES) {
    throw new S3Error('MalformedPolicyDocument', `A session policy must not exceed ${SESSION_POLICY_BYTES} characters.`)
  }
  return compact
}
