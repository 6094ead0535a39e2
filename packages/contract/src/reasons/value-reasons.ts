/** Why a value is rejected, in a form or in a call. Shown beside the field, so the texts do not name it. */
export const valueReasons = /* @__PURE__ */ defineReasons({
  required: 'Field cannot be empty',
  'wrong-type': 'The value must be of type {{type}}',
  'not-one-of': 'The value must be one of: {{values}}',
  'text-too-short': ['Enter at least {{count}} character', 'Enter at least {{count}} characters'],
  'text-too-long': ['Enter at most {{count}} character', 'Enter at most {{count}} characters'],
  'list-too-short': ['Choose at least {{count}} entry', 'Choose at least {{count}} entries'],
  'list-too-long': ['Choose at most {{count}} entry', 'Choose at most {{count}} entries'],
  'number-too-small': 'The value must be at least {{minimum}}',
  'number-too-large': 'The value must be at most {{maximum}}',
  'wrong-format': 'The value does not have the required format',
  'not-json': 'The value must be valid JSON',
  'password-too-short': 'Passwords must be at least 8 characters long',
  'not-a-duration': 'Enter a duration such as 5ms or 1.5s',
  'not-a-date': 'Choose a day of the calendar',
  'bandwidth-too-small': 'Enter 0 for no limit, or at least 100 MB per second',
  'bucket-name-characters': 'A bucket name contains no slash, and is neither "." nor ".."',
  'bucket-name-reserved': 'The storage server reserves this name',
  // The original console's text.
  'tier-name':
    'Please verify that string is uppercase only and contains valid characters (numbers, dashes & underscores).',
})

type Texts = Readonly<Record<string, string | readonly [one: string, other: string]>>

/** The values of the placeholders of a reason. */
export type ReasonValues = Readonly<Record<string, string | number>>

/** A reason in a response. A newer server may send reasons that the client does not have. */
export interface Reason {
  id: string
  params?: ReasonValues | undefined
}

/** Declares reasons. The text extractor looks for this call, and adds each text to the catalogues. */
export function defineReasons<const T extends Texts>(texts: T): T {
  return texts
}
