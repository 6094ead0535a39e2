import { textOperator } from '../value-types/text.ts'

/** The opposite of StringEquals; holds when the key is absent. */
export const StringNotEquals = textOperator({ negate: true })
