import { numericOperator } from '../value-types/numeric.ts'
import type { ConditionOperator } from '../value-types/operator.ts'

/** NumericGreaterThan, which also holds if the key is absent. Servers know no other IfExists operator. */
export const NumericGreaterThanIfExists: ConditionOperator = {
  ...numericOperator((given, policy) => given > policy, true),
  servers: ['stowage', 'minio-2025'],
}
