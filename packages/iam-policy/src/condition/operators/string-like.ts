import { textOperator } from '../value-types/text.ts'

/** A value of the key fits a pattern of the policy: `*` any text, `?` one byte. */
export const StringLike = textOperator({ negate: false, pattern: true })
