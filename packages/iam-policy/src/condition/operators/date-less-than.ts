import { dateOperator } from '../value-types/date.ts'

/** The time of the key is before the policy's. */
export const DateLessThan = dateOperator((given, policy) => given < policy)
