import type { Translate } from './text/i18n.ts'

/** What a required field says that was left empty; the specification's words. */
export const requiredText = (t: Translate) => t('Field cannot be empty')

/** A rule of a form: the field holds more than blanks. */
export const required = (t: Translate) => (value: string) => (value.trim() === '' ? requiredText(t) : null)
