import type { AdminCallOptions, Transport } from '../transport/transport.ts'

export interface Revocation {
  /** Default: the caller. Others need `admin:RemoveServiceAccount`. */
  readonly user?: string | undefined
  /** Only credentials from AssumeRole with this type. */
  readonly tokenRevokeType?: string | undefined
  /** All credentials of the user, of any type. */
  readonly fullRevoke?: boolean | undefined
}

/**
 * Revokes temporary credentials immediately. A caller needs no right to revoke its own, and may sign with the same credentials.
 * Supported since March 2025.
 * @throws MadminError XMinioAdminVersionMismatch (older server), AccessDenied
 */
export async function revokeTokens(t: Transport, revocation: Revocation, options?: AdminCallOptions): Promise<void> {
  const { user, tokenRevokeType, fullRevoke } = revocation
  const query = { user, tokenRevokeType, ...(fullRevoke && { fullRevoke: 'true' }) }
  // The call is idempotent.
  await t.call({ method: 'POST', path: 'revoke-tokens/builtin', query, idempotent: true, ...options })
}
