import { type Message, msg } from '../../lib/text/message.ts'

/** The vendor's plans as of September 2021, quoted literally. */
export type LicensePlanName = 'COMMUNITY' | 'STANDARD' | 'ENTERPRISE'

export interface LicensePlan {
  name: LicensePlanName
  label: Message
  price: Message
}

export const licensePlans: readonly LicensePlan[] = [
  { name: 'COMMUNITY', label: msg('Community'), price: msg('Open Source') },
  { name: 'STANDARD', label: msg('Standard'), price: msg('$10/TB/month') },
  { name: 'ENTERPRISE', label: msg('Enterprise'), price: msg('$20/TB/month') },
]

/** The features of each plan, in the order of `licensePlans`; undefined if not included. */
export const planFeatures: readonly { label: Message; values: readonly (Message | true | undefined)[] }[] = [
  { label: msg('License'), values: [msg('GNU AGPL v3'), msg('Commercial'), msg('Commercial')] },
  {
    label: msg('Software Release'),
    values: [msg('Update to latest'), msg('1 Year Long Term Support'), msg('5 Years Long Term Support')],
  },
  { label: msg('SLA'), values: [msg('No SLA'), msg('<24 hours'), msg('<1 hour')] },
  {
    label: msg('Support'),
    values: [msg('Community'), msg('24x7 L4 direct engineering'), msg('24x7 L4 direct engineering')],
  },
  { label: msg('Capacity'), values: [undefined, msg('Up to 10PB'), msg('Up to 5PB')] },
  { label: msg('Annual architecture review'), values: [undefined, true, true] },
  { label: msg('Annual performance review'), values: [undefined, true, true] },
  { label: msg('Panic button'), values: [undefined, msg('1 per year'), msg('Unlimited')] },
  { label: msg('Indemnification'), values: [undefined, undefined, true] },
  { label: msg('Security and policy review'), values: [undefined, undefined, true] },
]

/** Returns the plan of a license. An unknown plan counts as the first paid one. */
export function licensePlanName(plan: string | undefined): LicensePlanName {
  if (plan === undefined) return 'COMMUNITY'
  return plan === 'ENTERPRISE' ? 'ENTERPRISE' : 'STANDARD'
}

/** @param operator whether the console manages tenants */
export function subscribeAddress(operator: boolean): string {
  return `https://subnet.min.io/subscription/?ref=${operator ? 'op' : 'con'}`
}

/** The site where customers of the vendor see and renew licenses. */
export const SUBNET_URL = 'https://subnet.min.io/'
