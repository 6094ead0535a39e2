import { evaluateCapability } from '@stowage/iam-policy'
import type { Iam } from '../iam/iam.ts'

/** Whether anyone except root may change the configuration, without conditions. */
export function hasOtherAdministrator(iam: Iam): boolean {
  const question = { action: 'admin:ConfigUpdate', known: { get: () => undefined } } as const
  return [...iam.users.keys()].some((user) => evaluateCapability(iam.userAccess(user), question).decision === 'allow')
}
