import type { Translate } from '../../lib/text/i18n.ts'

/** The minimum length of a secret key that servers accept. */
const SHORTEST = 8

/** A validation rule: the secret key is long enough. */
export const longEnough = (t: Translate) => (secretKey: string) =>
  secretKey.length < SHORTEST ? t('Passwords must be at least 8 characters long') : null
