import { textOperator } from '../value-types/text.ts'

/** A value of the key equals one of the policy, whatever the case of its letters. */
export const StringEqualsIgnoreCase = textOperator({ negate: false, fold: (text) => text.toLowerCase() })
