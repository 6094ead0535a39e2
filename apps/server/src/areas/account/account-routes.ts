import { reason } from '@stowage/contract'
import { accountCalls } from '@stowage/contract/account/account'
import { createMadmin, type Madmin, MadminError } from '@stowage/madmin'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { serve } from '../../lib/http/serve.ts'
import type { SignInAttempts } from '../session/sign-in/sign-in-attempts.ts'
import { signInWithKeys, upstreamConnection } from '../session/sign-in/sign-in-with-keys.ts'
import { readUser } from '../users/user-routes.ts'

export function accountRoutes(app: FastifyInstance, attempts: SignInAttempts): void {
  const { sessions } = attempts

  serve(app, accountCalls.changePassword, async ({ body }, { request, reply, session, signal, log }) => {
    if (session.idp !== undefined) throw new HttpError(403, reason('password-of-provider'))
    const { user } = session
    const { current_secret_key: current, new_secret_key: secretKey } = body
    const renewed = await attempts.run(request, user, signal, async (to) => {
      const connection = upstreamConnection(to.upstream)
      // Servers refuse temporary credentials here, so sign with the current secret key. Do not abort when the caller
      // disconnects: it would be unknown whether the password has changed.
      const asUser = (secret: string) =>
        createMadmin({ ...connection, credentials: { accessKey: user, secretKey: secret } })
      await setOwnSecret(asUser(current), user, secretKey)
      if (session.capabilities.includes('revoke-tokens')) await endSessions(asUser(secretKey), user, log)
      sessions.revoked.add(session.id, session.expires)
      return await signInWithKeys({ accessKey: user, secretKey }, to, signal).catch((cause: unknown) => {
        throw new HttpError(401, reason('password-changed-sign-in'), { cause })
      })
    })
    return attempts.start(request, reply, renewed)
  })

  serve(app, accountCalls.changeUserPassword, async ({ body }, { madmin, session, log }) => {
    const { selectedUser, newSecretKey: secretKey } = body
    // Send the status again, because servers would enable a disabled user otherwise.
    const { status } = await readUser(madmin, selectedUser)
    await madmin.addUser(selectedUser, { secretKey, status })
    if (session.capabilities.includes('revoke-tokens')) await endSessions(madmin, selectedUser, log)
  })

  serve(app, accountCalls.signOutEverywhere, async (_input, { request, reply, madmin, session }) => {
    if (!session.capabilities.includes('revoke-tokens')) throw new HttpError(501, reason('storage-unsupported'))
    await madmin.revokeTokens({ fullRevoke: true })
    sessions.revoked.add(session.id, session.expires)
    sessions.deleteCookies(request, reply)
  })
}

/** @throws HttpError 403 if the current secret key is wrong, and for root */
async function setOwnSecret(madmin: Madmin, user: string, secretKey: string): Promise<void> {
  try {
    await madmin.addUser(user, { secretKey, status: 'enabled' })
  } catch (cause) {
    if (!(cause instanceof MadminError)) throw cause
    if (cause.code === 'SignatureDoesNotMatch' || cause.code === 'InvalidAccessKeyId')
      throw new HttpError(403, reason('check-current-password'), { field: 'current_secret_key', cause })
    if (cause.code === 'XMinioInvalidIAMCredentials') throw new HttpError(403, reason('root-password'), { cause })
    throw cause
  }
}

/** Ends the sessions that were opened with the old secret key; the embedded store has already done so. */
async function endSessions(madmin: Madmin, user: string, log: FastifyBaseLogger): Promise<void> {
  try {
    await madmin.revokeTokens({ user, fullRevoke: true })
  } catch (error) {
    log.warn({ err: error }, 'the storage server did not end the sessions of a user with a new password')
  }
}
