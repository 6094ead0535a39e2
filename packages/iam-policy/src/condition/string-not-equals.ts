import { textOperator } from './text.ts'

/** The opposite of StringEquals; holds when the key is absent. */
export const StringNotEquals = textOperator({ negate: true })
