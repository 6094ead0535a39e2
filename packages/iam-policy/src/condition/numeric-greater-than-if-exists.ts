import { numericOperator } from './numeric.ts'
import type { Operator } from './operator.ts'

/** NumericGreaterThan, which also holds when the key is absent. The only IfExists form that servers know. */
export const NumericGreaterThanIfExists: Operator = {
  ...numericOperator((given, policy) => given > policy, true),
  servers: ['stowage', 'minio-2025'],
}
