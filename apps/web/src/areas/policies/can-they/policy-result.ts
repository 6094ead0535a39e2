import type { AccessExplanation, AccessSource, StatementReport } from '@stowage/contract'
import { type Message, msg } from '../../../lib/text/i18n.ts'
import type { StatusIconState } from '../../../ui/icons/StatusIcon.tsx'

/** The result of a policy as a whole. */
export interface PolicyResult {
  state: StatusIconState
  word: Message
  /** The statement that decides; undefined if the policy has none. */
  statement?: StatementReport
}

/** Returns the result of a policy: Deny before Allow, and each one certain before one that depends on the request. */
export function policyResult({ statements, found }: AccessSource): PolicyResult {
  if (!found) return { state: 'warn', word: msg('Missing') }
  const matching = (effect: StatementReport['effect'], matched: StatementReport['matched']) =>
    statements.find((statement) => statement.effect === effect && statement.matched === matched)
  const deny = matching('Deny', 'yes')
  if (deny) return { state: 'bad', word: msg('Deny'), statement: deny }
  const depends = matching('Deny', 'depends')
  if (depends) return { state: 'unknown', word: msg('Depends'), statement: depends }
  const allow = matching('Allow', 'yes')
  if (allow) return { state: 'ok', word: msg('Allow'), statement: allow }
  const open = matching('Allow', 'depends')
  if (open) return { state: 'unknown', word: msg('Depends'), statement: open }
  // The closest statement: one that matches the action but not the resource or a condition.
  const closest = statements.find(({ reason }) => reason.id !== 'other-action') ?? statements[0]
  return { state: 'off', word: msg('No match'), ...(closest ? { statement: closest } : {}) }
}

/**
 * Reports whether an access key is denied only because its embedded policy is narrower than the policies of its parent user.
 */
export function isLimitedByKey({ decision, reason, sources }: AccessExplanation): boolean {
  if (decision !== 'deny' || reason !== 'no-match') return false
  const allows = (source: AccessSource) => policyResult(source).state === 'ok'
  return sources.some((source) => source.kind === 'embedded' && !allows(source)) && sources.some(allows)
}
