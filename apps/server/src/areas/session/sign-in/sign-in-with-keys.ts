import { randomBytes, randomUUID } from 'node:crypto'
import { type Reason, reason } from '@stowage/contract'
import { type AssumeRoleRequest, assumeRole, type TemporaryCredentials } from '@stowage/madmin'
import type { ConsoleConfig } from '../../../lib/config/config.ts'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { toStorageError } from '../../../lib/errors/storage-errors.ts'
import type { SessionPayload } from '../../../lib/session/session-payload.ts'
import type { Upstream } from '../../../lib/storage/upstream.ts'
import { detectServer } from './detect-capabilities.ts'
import { findOtherRegion } from './find-region.ts'

export interface SignInContext {
  config: Pick<ConsoleConfig, 'region' | 'sessionSeconds'>
  upstream: Upstream
}

/**
 * Exchanges an access key and a secret key for temporary credentials of the storage server, and detects what that server can
 * do.
 * @throws HttpError 401 if the server does not accept them
 */
export async function signInWithKeys(
  credentials: { accessKey: string; secretKey: string },
  { config, upstream }: SignInContext,
  signal: AbortSignal,
): Promise<SessionPayload> {
  // It cannot be sent in a header, so it is not valid on any server.
  if (!/^[\x21-\x7e]+$/.test(credentials.accessKey)) throw signInRefused(reason('wrong-credentials'))
  const revokeType = randomBytes(12).toString('hex')
  const request = { durationSeconds: config.sessionSeconds, tokenRevokeType: revokeType, signal }
  // The server's capabilities do not depend on the user, so detect them in parallel.
  const detected = detectServer({ ...upstreamConnection(upstream), credentials }, signal)
  // The other call reports a refused sign-in; until this promise is awaited, its failure must not count as unhandled.
  detected.catch(() => {})
  const { given, region } = await assumeRoleAnywhere(credentials, { config, upstream }, request)
  return {
    v: 1,
    kind: 'sts',
    id: randomUUID(),
    user: credentials.accessKey,
    ...given.credentials,
    revokeType,
    expires: given.expiration.getTime(),
    region,
    ...(await detected),
  }
}

export const upstreamConnection = (upstream: Upstream) => ({
  endpoint: upstream.origin,
  dispatcher: upstream.dispatcher,
  headers: upstream.headers,
})

/** Requests credentials in the configured region, and if the server names another region, again in that one. */
async function assumeRoleAnywhere(
  credentials: { accessKey: string; secretKey: string },
  { config, upstream }: SignInContext,
  request: AssumeRoleRequest & { signal: AbortSignal },
): Promise<{ given: TemporaryCredentials; region: string }> {
  const ask = async (region: string) => ({
    given: await assumeRole({ ...upstreamConnection(upstream), credentials, region }, request),
    region,
  })
  try {
    return await ask(config.region)
  } catch (error) {
    const wrongRegion = /region/i.test(toStorageError(error)?.message ?? '')
    const region = wrongRegion ? await findOtherRegion(upstream, credentials, config.region, request.signal) : undefined
    if (region === undefined) throw toSignInError(error)
    return await ask(region).catch((again: unknown) => {
      throw toSignInError(again)
    })
  }
}

/** Returns the error of a refused sign-in. All have the same message; the detail contains the cause. */
export function signInRefused(detail: Reason | string, cause?: unknown): HttpError {
  return new HttpError(401, reason('sign-in-refused'), { detail, cause })
}

/** Converts refusals by the server to 401; a server that is starting, broken or unreachable is a different error. */
function toSignInError(error: unknown): unknown {
  const failure = toStorageError(error)
  if (!failure || failure.code === 'WebPage' || failure.code === 'RequestTimeTooSkewed') return error
  if (failure.status !== 401 && failure.status !== 403 && !REFUSALS.has(failure.code)) return error
  // Always the same detail, because the server's message would reveal which access keys exist.
  return signInRefused(reason('wrong-credentials'), error)
}

const REFUSALS = new Set(['AccessDenied', 'InvalidAccessKeyId', 'InvalidClientTokenId', 'SignatureDoesNotMatch'])
