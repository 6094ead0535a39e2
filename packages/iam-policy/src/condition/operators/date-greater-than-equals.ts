import { dateOperator } from '../value-types/date.ts'

/** The time of the key is the policy's or after. */
export const DateGreaterThanEquals = dateOperator((given, policy) => given >= policy)
