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
 * Ends temporary credentials immediately. A caller needs no right to end its own, and may use the same credentials for it. On
 * servers since March 2025.
 * @throws MadminError XMinioAdminVersionMismatch (older server), AccessDenied
 */
export async function revokeTokens(t: Transport, revocation: Revocation, options?: CallOptions): Promise<void> {
  const { user, tokenRevokeType, fullRevoke } = revocation
  const query = { user, tokenRevokeType, ...(fullRevoke && { fullRevoke: 'true' }) }
  // The call is idempotent.
  await t.call({ method: 'POST', path: 'revoke-tokens/builtin', query, idempotent: true, ...options })
}
