import { numericOperator } from './numeric.ts'
import type { ConditionOperator } from './operator.ts'

/** NumericGreaterThan, which also holds if the key is absent. Servers know no other IfExists operator. */
export const NumericGreaterThanIfExists: ConditionOperator = {
  ...numericOperator((given, policy) => given > policy, true),
  servers: ['stowage', 'minio-2025'],
}
