import { textOperator } from '../value-types/text.ts'

/** A value of the key equals one of the policy, letter for letter. */
export const StringEquals = textOperator({ negate: false })
