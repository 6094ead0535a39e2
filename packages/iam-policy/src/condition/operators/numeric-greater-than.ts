import { numericOperator } from '../value-types/numeric.ts'

/** The number of the key is greater than the policy's. */
export const NumericGreaterThan = numericOperator((given, policy) => given > policy)
