import { dateOperator } from './date.ts'

/** The time of the key is the policy's. */
export const DateEquals = dateOperator((given, policy) => given === policy)
