import { DIALECTS, type DialectRules } from '../../language/dialects.ts'
import { type IpNetwork, networkContains, parseAddress, parseNetwork } from './ip-network.ts'
import { type ConditionOperator, type ConditionTest, ConditionValueError } from './operator.ts'

/**
 * Creates IpAddress or its opposite. A value of the request that is not an address is in no network, and the values after it
 * are ignored.
 */
export function ipOperator(negate: boolean): ConditionOperator {
  return {
    keys: ['aws:SourceIp'],
    compile(values, { dialect }) {
      const networks = values.map((value, index) => {
        const network = typeof value === 'string' ? readNetwork(value, DIALECTS[dialect].loneAddress) : undefined
        if (!network) {
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
        return addresses.some((address) => address && networks.some((network) => networkContains(network, address)))
      }
      return negate ? (given, lookup) => !test(given, lookup) : test
    },
  }
}

function readNetwork(text: string, loneAddress: DialectRules['loneAddress']): IpNetwork | undefined {
  if (loneAddress === 'refused' && !text.includes('/')) return undefined
  return parseNetwork(text, loneAddress === '32-bits' ? 32 : undefined)
}
