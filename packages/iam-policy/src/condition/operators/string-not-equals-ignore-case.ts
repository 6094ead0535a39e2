import { textOperator } from '../value-types/text.ts'

/** The opposite of StringEqualsIgnoreCase; holds when the key is absent. */
export const StringNotEqualsIgnoreCase = textOperator({ negate: true, fold: (text) => text.toLowerCase() })
