import { numericOperator } from '../value-types/numeric.ts'

/** The number of the key equals the policy's. */
export const NumericEquals = numericOperator((given, policy) => given === policy)
