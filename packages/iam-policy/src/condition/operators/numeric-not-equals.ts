import { numericOperator } from '../value-types/numeric.ts'

/** The key has a number, and it is another one than the policy's. */
export const NumericNotEquals = numericOperator((given, policy) => given !== policy)
