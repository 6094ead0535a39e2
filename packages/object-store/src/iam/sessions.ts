import { parsePolicy, problemText } from '@stowage/iam-policy'
import { S3Error } from '../errors.ts'
import { generateAccessKey, generateSecretKey } from '../root-credentials.ts'
import type { PendingChange } from './collection.ts'
import type { Iam } from './iam.ts'
import type { SessionRecord } from './records.ts'
import { signSessionToken } from './session-token.ts'

export interface SessionRequest {
  /** The user that signed the request. */
  parent: string
  durationSeconds: number
  /** JSON text. */
  policy?: string | undefined
  revokeType?: string | undefined
}

export interface Session {
  accessKey: string
  secretKey: string
  sessionToken: string
  /** ms since 1970, whole seconds. */
  expiresAt: number
}

export const SESSION_POLICY_BYTES = 2048

/** Opens a session with rights of its parent, narrowed by `policy`. @throws S3Error MalformedPolicyDocument */
export async function createSession(iam: Iam, request: SessionRequest): Promise<Session> {
  const policy = request.policy === undefined ? undefined : compactPolicy(request.policy)
  const expiresAt = Math.floor(iam.now() / 1000 + request.durationSeconds) * 1000
  const accessKey = generateAccessKey()
  const secretKey = generateSecretKey()
  const record: SessionRecord = {
    secretKey,
    parent: request.parent,
    expiresAt,
    ...(policy === undefined ? {} : { sessionPolicy: policy }),
    ...(request.revokeType === undefined ? {} : { revokeType: request.revokeType }),
  }
  await iam.update(() => [...expired(iam), iam.sessions.change(accessKey, record)])
  const claims = {
    accessKey,
    parent: request.parent,
    exp: expiresAt / 1000,
    ...(policy === undefined ? {} : { sessionPolicy: Buffer.from(policy).toString('base64') }),
    ...(request.revokeType === undefined ? {} : { tokenRevokeType: request.revokeType }),
  }
  return { accessKey, secretKey, sessionToken: signSessionToken(claims, iam.root.secretKey), expiresAt }
}

/** Ends sessions of a user: those of one revoke type, or all. */
export function revokeSessions(iam: Iam, user: string, revokeType: string | undefined): Promise<void> {
  return iam.update(() =>
    [...iam.sessions.entries()]
      .filter(([, session]) => session.parent === user)
      .filter(([, session]) => revokeType === undefined || session.revokeType === revokeType)
      .map(([accessKey]) => iam.sessions.change(accessKey, undefined)),
  )
}

/** An expired session is kept for a day, so that its holder is told that it expired rather than that it is unknown. */
const KEPT_MS = 24 * 3600 * 1000

function expired(iam: Iam): PendingChange[] {
  const limit = iam.now() - KEPT_MS
  return [...iam.sessions.entries()]
    .filter(([, session]) => session.expiresAt < limit)
    .map(([accessKey]) => iam.sessions.change(accessKey, undefined))
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
