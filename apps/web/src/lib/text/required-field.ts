import type { Translate } from './i18n.ts'

/** Returns the error of a required field that is empty; the text is from the specification. */
export const requiredText = (t: Translate) => t('Field cannot be empty')

/** Returns a validation rule: the field must contain more than white space. */
export const requiredRule = (t: Translate) => (value: string) => (value.trim() === '' ? requiredText(t) : null)
