import { ipOperator } from '../value-types/ip.ts'

/** The opposite of IpAddress; holds when the address is absent or unreadable. */
export const NotIpAddress = ipOperator(true)
