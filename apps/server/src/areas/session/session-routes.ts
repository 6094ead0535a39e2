import { setTimeout as delay } from 'node:timers/promises'
import { reason, type Session } from '@stowage/contract'
import { sessionCalls } from '@stowage/contract/session/session'
import { evaluateCapability } from '@stowage/iam-policy'
import type { FastifyInstance } from 'fastify'
import { type CallHandler, serve } from '../../lib/http/serve.ts'
import { readBucketPolicies } from '../../lib/permissions/bucket-policies.ts'
import {
  callerFromAccountInfo,
  checkPermissions,
  detectPolicyDialect,
} from '../../lib/permissions/caller-permissions.ts'
import { CONSOLE_VERSION } from '../../lib/program/program-paths.ts'
import { allowedPages } from './access/allowed-pages.ts'
import { findReachableFolders } from './access/reachable-folders.ts'
import type { Sessions } from './sealed-sessions/sessions.ts'
import type { DirectoryChoice } from './sign-in/directory-choice.ts'
import type { SignInAttempts } from './sign-in/sign-in-attempts.ts'
import { signInToDirectory } from './sign-in/sign-in-to-directory.ts'
import { signInRefused, signInWithKeys } from './sign-in/sign-in-with-keys.ts'
import { signInWithTemporaryKeys } from './sign-in/sign-in-with-temporary-keys.ts'
import { type OidcSignIns, providerRedirects } from './sso/oidc-sign-ins.ts'

/** Maximum size of a body in bytes: the longest keys, with each character written as `\u0041`, and the longest token. */
const FORM_BYTES = 16 << 10
const TOKEN_BYTES = 80 << 10

/** How long a logout waits for the storage server and the identity provider (ms). */
const REVOKE_MS = 1000

export function sessionRoutes(
  app: FastifyInstance,
  attempts: SignInAttempts,
  signIns: OidcSignIns,
  directoryChoice: DirectoryChoice,
  offers: Pick<SignedInOptions, 'licenses'>,
): void {
  const { sessions } = attempts

  serve(app, sessionCalls.getLoginStrategy, async (_input, { request }) => {
    const redirects = providerRedirects(signIns.providers, request)
    return {
      loginStrategy: redirects.redirect === '' ? ('form' as const) : ('redirect' as const),
      ...redirects,
      ...((await directoryChoice.isOffered()) ? { directory: true } : {}),
      server: app.storeUrl.host,
    }
  })

  const login: CallHandler<typeof sessionCalls.login> = async ({ body }, { request, reply, signal }) => {
    const { sts: sessionToken, directory, ...keys } = body
    if (directory === true && !directoryChoice.isAllowed) throw signInRefused(reason('no-directory'))
    const name = directory ? `${keys.accessKey} (directory)` : keys.accessKey
    const session = await attempts.run(request, name, signal, (to) => {
      if (directory) return signInToDirectory(keys, to, signal)
      return sessionToken === undefined
        ? signInWithKeys(keys, to, signal)
        : signInWithTemporaryKeys({ ...keys, sessionToken }, to, signal)
    })
    return attempts.start(request, reply, session)
  }
  serve(app, sessionCalls.login, login, FORM_BYTES)

  const refuseOperator = async () => {
    throw signInRefused(reason('not-operator-mode'))
  }
  serve(app, sessionCalls.loginOperator, refuseOperator, TOKEN_BYTES)

  signedInRoutes(app, sessions, { ...offers, logoutAddress: (provider) => signIns.logoutAddress(provider) })
}

interface SignedInOptions {
  /** Set for the screens of a tenant in operator mode. */
  tenant?: Session['tenant']
  /** Whether licenses of the server can be activated here. */
  licenses?: boolean
  /** Returns the address at which the user signs out of an identity provider; empty if the provider has no such address. */
  logoutAddress?: (provider: string | undefined) => Promise<string>
}

/** Adds the calls about an existing session. */
export function signedInRoutes(app: FastifyInstance, sessions: Sessions, options: SignedInOptions): void {
  const { tenant, licenses = false, logoutAddress = async () => '' } = options
  serve(app, sessionCalls.logout, async (_input, { request, reply, session, detached, log }) => {
    sessions.revoked.add(session.id, session.expires)
    sessions.deleteCookies(request, reply)
    // A provider that hangs must not keep the caller from the answer, which takes the cookie away.
    const redirect = Promise.race([logoutAddress(session.idp), delay(REVOKE_MS, '', { ref: false })])
    if (!session.capabilities.includes('revoke-tokens')) return { redirect: await redirect }
    // Detached: a browser that closes while it signs out is signed out.
    const revoked = detached()
      .madmin.revokeTokens({ tokenRevokeType: session.revokeType })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'the storage server did not revoke a session')
      })
    // Nor must a storage server that hangs.
    await Promise.race([revoked, delay(REVOKE_MS, undefined, { ref: false })])
    return { redirect: await redirect }
  })

  serve(app, sessionCalls.getSession, async (_input, { session, madmin }) => {
    const info = await madmin.accountInfo({ buckets: false })
    const caller = callerFromAccountInfo(info, detectPolicyDialect(session.capabilities))
    const { access } = caller
    // Users of an identity provider have no password here, and the root keys of a tenant are set in its configuration.
    const hasPassword = session.idp === undefined && tenant === undefined
    const mayReadLogs = evaluateCapability(access, { action: 'admin:ConsoleLog' }).decision !== 'deny'
    return {
      status: 'ok' as const,
      pages: allowedPages(caller).filter((page) => hasPassword || page !== '/account/change-password'),
      features: [
        ...(mayReadLogs && tenant === undefined && (await app.auditSource.hasRecords()) ? ['log-search'] : []),
        ...(licenses ? ['license-account'] : []),
      ],
      operator: false,
      distributedMode: session.distributed,
      user: session.user,
      server: app.storeUrl.host,
      endpoint: app.storeUrl.origin,
      version: CONSOLE_VERSION,
      expires: new Date(session.expires).toISOString(),
      places: findReachableFolders(caller, info.name),
      capabilities: session.capabilities,
      ...(tenant ? { tenant } : {}),
    }
  })

  serve(app, sessionCalls.hasPermission, async ({ body }, context) => {
    const { session, madmin, signal } = context
    const dialect = detectPolicyDialect(session.capabilities)
    const buckets = body.actions.flatMap(({ bucket_name }) => bucket_name || [])
    const [info, policies] = await Promise.all([
      madmin.accountInfo({ buckets: false }),
      // On other servers, policies of buckets do not apply to users.
      dialect === 'stowage' ? readBucketPolicies(new Set(buckets), context) : undefined,
    ])
    return { permissions: await checkPermissions(callerFromAccountInfo(info, dialect), body, signal, policies) }
  })
}
