import { ipOperator } from './ip-operator.ts'

/** The opposite of IpAddress; holds when the address is absent or unreadable. */
export const NotIpAddress = ipOperator(true)
