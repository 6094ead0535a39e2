import { numericOperator } from '../value-types/numeric.ts'

/** The number of the key is at most the policy's. */
export const NumericLessThanEquals = numericOperator((given, policy) => given <= policy)
