import type { CallOptions, Transport } from './transport.ts'

export interface Revocation {
  /** Default: the caller. Others need `admin:RemoveServiceAccount`. */
  readonly user?: string | undefined
  /** Only credentials that AssumeRole gave with this type. */
  readonly tokenRevokeType?: string | undefined
  /** All of the user, whatever their type. */
  readonly fullRevoke?: boolean | undefined
}

/**
 * Ends temporary credentials at once. A caller may end its own with no right at all, also by the very credentials that
 * are ended. On servers since March 2025.
 * @throws MadminError XMinioAdminVersionMismatch (older server), AccessDenied
 */
export async function revokeTokens(t: Transport, revocation: Revocation, options?: CallOptions): Promise<void> {
  const { user, tokenRevokeType, fullRevoke } = revocation
  const query = { user, tokenRevokeType, ...(fullRevoke && { fullRevoke: 'true' }) }
  // Revoking twice is revoking once.
  await t.call({ method: 'POST', path: 'revoke-tokens/builtin', query, idempotent: true, ...options })
}
