import { numericOperator } from '../value-types/numeric.ts'

/** The number of the key is less than the policy's. */
export const NumericLessThan = numericOperator((given, policy) => given < policy)
