import { can } from '@stowage/iam-policy'
import type { Iam } from './iam.ts'

/** Whether anyone except root may change the configuration, without conditions. */
export function hasOtherAdministrator(iam: Iam): boolean {
  const question = { action: 'admin:ConfigUpdate', known: { get: () => undefined } }
  return [...iam.users.keys()].some((user) => can(iam.accessOf(user), question).decision === 'allow')
}
