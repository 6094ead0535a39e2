import { type Capability, reason } from '@stowage/contract'
import { formatPolicy, type ParseOptions, type PolicyDocument, parsePolicy, problemText } from '@stowage/iam-policy'
import { HttpError } from '../errors/http-errors.ts'
import { detectPolicyDialect } from './caller-permissions.ts'

/**
 * Parses a policy the way the connected server would.
 * @throws HttpError 400 with all errors
 */
export function parsePolicyText(
  text: string,
  capabilities: readonly Capability[],
  purpose: ParseOptions['purpose'] = 'policy',
): PolicyDocument {
  // Windows editors put a byte order mark first.
  const parsed = parsePolicy(text.replace(/^\uFEFF/, ''), { dialect: detectPolicyDialect(capabilities), purpose })
  if (parsed.ok) return parsed.policy
  const detail = parsed.errors.map(problemText).join('\n')
  throw new HttpError(400, reason('policy-invalid'), { detail, field: 'policy' })
}

/** Returns a policy as in the answers of the original: JSON without spaces. */
export function formatPolicyText(policy: PolicyDocument): string {
  return formatPolicy(policy, { indent: 0 })
}
