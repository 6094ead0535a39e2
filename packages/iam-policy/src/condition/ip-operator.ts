import { contains, parseAddress, parseNetwork } from './ip.ts'
import { type ConditionTest, ConditionValueError, type Operator } from './operator.ts'

/** IpAddress and its opposite. A value of the request that is no address lies in no network, and hides the others. */
export function ipOperator(negate: boolean): Operator {
  return {
    keys: ['aws:SourceIp'],
    compile(values, { dialect }) {
      const networks = values.map((value, index) => {
        const network = typeof value === 'string' ? readNetwork(value, dialect === 'stowage') : undefined
        if (!network || (dialect === 'minio-2021' && !String(value).includes('/'))) {
          throw new ConditionValueError(
            `${JSON.stringify(value)} is not an address or network such as "192.168.0.0/16" or "2001:db8::/32"`,
            index,
          )
        }
        return network
      })
      const test: ConditionTest = (given) => {
        const addresses = given.map(parseAddress)
        if (addresses.includes(undefined)) return false
        return addresses.some((address) => address && networks.some((network) => contains(network, address)))
      }
      return negate ? (given, lookup) => !test(given, lookup) : test
    },
  }
}

/** MinIO takes 32 bits for any lone address, which turns one of IPv6 into a whole provider's network. */
function readNetwork(text: string, exact: boolean) {
  return parseNetwork(text, exact ? undefined : 32)
}
