import { textOperator } from '../value-types/text.ts'

/** The opposite of StringLike; holds when the key is absent. */
export const StringNotLike = textOperator({ negate: true, pattern: true })
