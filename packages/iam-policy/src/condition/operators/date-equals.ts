import { dateOperator } from '../value-types/date.ts'

/** The time of the key is the policy's. */
export const DateEquals = dateOperator((given, policy) => given === policy)
