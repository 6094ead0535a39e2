import { ipOperator } from './ip-operator.ts'

/** The address of the client lies in a network of the policy. */
export const IpAddress = ipOperator(false)
