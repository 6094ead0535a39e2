import { ipOperator } from '../value-types/ip.ts'

/** Holds if the client's address is in a network of the policy. */
export const IpAddress = ipOperator(false)
