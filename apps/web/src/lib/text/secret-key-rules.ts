import type { Translate } from './i18n.ts'

/** The minimum length of a secret key that servers accept. */
const MIN_SECRET_KEY_LENGTH = 8

/** A validation rule: the secret key is long enough. */
export const validateSecretKeyLength = (t: Translate) => (secretKey: string) =>
  secretKey.length < MIN_SECRET_KEY_LENGTH ? t('Passwords must be at least 8 characters long') : null
