import { dateOperator } from '../value-types/date.ts'

/** The key has a time, and it is another one than the policy's. */
export const DateNotEquals = dateOperator((given, policy) => given !== policy)
