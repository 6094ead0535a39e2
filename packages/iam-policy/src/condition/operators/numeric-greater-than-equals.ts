import { numericOperator } from '../value-types/numeric.ts'

/** The number of the key is at least the policy's. */
export const NumericGreaterThanEquals = numericOperator((given, policy) => given >= policy)
