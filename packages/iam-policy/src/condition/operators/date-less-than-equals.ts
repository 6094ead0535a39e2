import { dateOperator } from '../value-types/date.ts'

/** The time of the key is the policy's or before. */
export const DateLessThanEquals = dateOperator((given, policy) => given <= policy)
