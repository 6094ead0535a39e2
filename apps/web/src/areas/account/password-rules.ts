import type { Translate } from '../../lib/text/i18n.ts'

/** Shortest secret key that servers take. */
const SHORTEST = 8

/** A rule of a form: a secret key that is long enough. */
export const longEnough = (t: Translate) => (secretKey: string) =>
  secretKey.length < SHORTEST ? t('Passwords must be at least 8 characters long') : null
