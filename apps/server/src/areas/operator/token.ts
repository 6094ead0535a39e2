/**
 * When a JWT ends, in ms since 1970; undefined for one without an end, and for a token of another kind. Nothing is
 * believed of it that matters: the API server checks the token at every call.
 */
export function expiryOf(token: string): number | undefined {
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
