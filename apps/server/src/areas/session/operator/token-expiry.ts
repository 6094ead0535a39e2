/**
 * Returns when a JWT expires, in ms since 1970; undefined if it does not expire or is not a JWT. The value is not trusted: the
 * API server checks the token at every call.
 */
export function tokenExpiry(token: string): number | undefined {
  const [, claims, ...rest] = token.split('.')
  if (claims === undefined || rest.length !== 1) return undefined
  try {
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { exp?: unknown }
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined
  } catch {
    // Not a JWT: static tokens have any form.
    return undefined
  }
}
