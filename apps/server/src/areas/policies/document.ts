import { type Capability, reason } from '@stowage/contract'
import { formatPolicy, type ParseOptions, type PolicyDocument, parsePolicy, problemText } from '@stowage/iam-policy'
import { HttpError } from '../../lib/http/errors.ts'
import { policyDialectOf } from '../session/permissions.ts'

/**
 * Reads the text of a policy as the connected server would.
 * @throws HttpError 400 with all that is wrong with it
 */
export function readPolicyText(
  text: string,
  capabilities: readonly Capability[],
  purpose: ParseOptions['purpose'] = 'policy',
): PolicyDocument {
  // Editors of Windows put a byte order mark first.
  const parsed = parsePolicy(text.replace(/^\uFEFF/, ''), { dialect: policyDialectOf(capabilities), purpose })
  if (parsed.ok) return parsed.policy
  const detail = parsed.errors.map(problemText).join('\n')
  throw new HttpError(400, reason('policy-invalid'), { detail, field: 'policy' })
}

/** A document as the original's answers have it: JSON without blanks. */
export function policyText(policy: PolicyDocument): string {
  return formatPolicy(policy, { indent: 0 })
}
