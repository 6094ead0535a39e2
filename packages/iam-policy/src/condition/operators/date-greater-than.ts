import { dateOperator } from '../value-types/date.ts'

/** The time of the key is after the policy's. */
export const DateGreaterThan = dateOperator((given, policy) => given > policy)
