import { type JsonMember, type JsonNode, kindText } from '../json/json-node.ts'
import { parseJsonNodes } from '../json/parse-json.ts'
import type { Dialect } from '../language/dialects.ts'
import { type BucketPolicyDocument, POLICY_VERSION, type PolicyDocument } from '../language/document.ts'
import { readBucketStatement } from './bucket-statement.ts'
import { type PolicyProblem, ProblemCollector } from './problems.ts'
import { readMembers, readText } from './read-members.ts'
import { type ParsedStatement, readStatement } from './read-statement.ts'

/** Maximum size of a policy on servers, in bytes. */
export const MAX_POLICY_BYTES = 20 * 1024

export interface ParseOptions {
  /** The server that the policy must be valid on. Default `stowage`. */
  dialect?: Dialect
  /**
   * The purpose of the policy. A named one (`policy`, the default) needs a Version and a statement; a `session` policy may have
   * no statements, so that it allows nothing; a `service-account` policy may be completely empty, so that the account has the
   * rights of its parent.
   */
  purpose?: 'policy' | 'session' | 'service-account'
}

/** Maximum of `matchingCost`: a comparison with a name of 1 KiB takes about a millisecond, and one with a header of 32 KiB 20 ms. */
const MAX_MATCHING_COST = 4096

export type ParseResult<Document> =
  | { ok: true; policy: Document; errors: []; warnings: PolicyProblem[] }
  | { ok: false; errors: PolicyProblem[]; warnings: PolicyProblem[] }

/** Parses a policy of users, groups or sessions, and reports all problems. Never throws. */
export function parsePolicy(text: string, options: ParseOptions = {}): ParseResult<PolicyDocument> {
  return parse(text, 'iam', options, ({ statement }) => statement)
}

/**
 * Parses a bucket policy: each statement also has a Principal, and its resources must be in the bucket and of the right kind
 * for its actions (`bucket` for bucket actions, `bucket/*` for object actions). Never throws.
 */
export function parseBucketPolicy(
  text: string,
  bucket: string,
  options: ParseOptions = {},
): ParseResult<BucketPolicyDocument> {
  return parse(text, 'bucket', options, (at, problems) =>
    readBucketStatement(at, bucket, options.dialect ?? 'stowage', problems),
  )
}

function parse<S>(
  text: string,
  kind: 'iam' | 'bucket',
  options: ParseOptions,
  finish: (at: ParsedStatement, problems: ProblemCollector) => S,
): ParseResult<{ ID?: string; Version: string; Statement: S[] }> {
  const problems = new ProblemCollector(text)
  const size = new TextEncoder().encode(text).length
  if (size > MAX_POLICY_BYTES) {
    const message = `has ${size} bytes; ${MAX_POLICY_BYTES} are allowed`
    problems.error('TooLarge', { offset: 0, end: text.length }, '', message)
    return { ok: false, errors: problems.errors, warnings: [] }
  }
  const { root, problems: syntax } = parseJsonNodes(text)
  for (const { code, message, ...span } of syntax) problems.error(code, span, '', message)
  const cost = root ? matchingCost(root) : 0
  if (root && cost > MAX_MATCHING_COST) {
    const message = `has ${cost} characters in texts with "?"; ${MAX_MATCHING_COST} are allowed`
    problems.error('TooCostly', root, '', message)
  }
  const policy = root && readDocument(root, kind, options, problems, finish)
  const { errors, warnings } = problems
  return policy && errors.length === 0 ? { ok: true, policy, errors: [], warnings } : { ok: false, errors, warnings }
}

/**
 * Returns the number of characters in texts between stars that contain `?`: the time to compare one of them with a name is their
 * product, and a request of a thousand keys compares each.
 */
function matchingCost(node: JsonNode): number {
  switch (node.kind) {
    case 'string':
      return node.value.split('*').reduce((sum, piece) => sum + (piece.includes('?') ? piece.length : 0), 0)
    case 'array':
      return node.items.reduce((sum, item) => sum + matchingCost(item), 0)
    case 'object':
      return node.members.reduce((sum, { value }) => sum + matchingCost(value), 0)
    default:
      return 0
  }
}

function readDocument<S>(
  root: JsonNode,
  kind: 'iam' | 'bucket',
  { dialect = 'stowage', purpose = 'policy' }: ParseOptions,
  problems: ProblemCollector,
  finish: (at: ParsedStatement, problems: ProblemCollector) => S,
): { ID?: string; Version: string; Statement: S[] } | undefined {
  if (root.kind !== 'object') {
    problems.error('WrongType', root, '', `the document is ${kindText(root)}, not an object`)
    return undefined
  }
  const members = readMembers(root, ['ID', 'Version', 'Statement'], '', problems)
  const id = readText(members.ID, 'ID', problems)
  const version = readText(members.Version, 'Version', problems) ?? ''
  checkVersion(version, members.Version, root, purpose === 'service-account', problems)
  const emptyAllowed = kind === 'bucket' || purpose !== 'policy'
  const statements = readStatements(members.Statement, root, emptyAllowed, problems).flatMap((node, index) => {
    const at = readStatement(node, `Statement[${index}]`, dialect, kind, problems)
    return at ? [finish(at, problems)] : []
  })
  return { ...(id ? { ID: id } : {}), Version: version, Statement: statements }
}

function checkVersion(
  version: string,
  member: JsonMember | undefined,
  root: JsonNode,
  optional: boolean,
  problems: ProblemCollector,
): void {
  if (version === POLICY_VERSION) return
  if (version !== '') {
    problems.error('InvalidVersion', member?.value ?? root, 'Version', `"${version}" is not "${POLICY_VERSION}"`)
  } else if (!optional && (!member || member.value.kind === 'string' || member.value.kind === 'literal')) {
    problems.error('MissingVersion', member?.value ?? root, 'Version', `must be "${POLICY_VERSION}"`)
  }
}

function readStatements(
  member: JsonMember | undefined,
  root: JsonNode,
  emptyAllowed: boolean,
  problems: ProblemCollector,
): JsonNode[] {
  const node = member?.value
  if (node && node.kind !== 'array' && !(node.kind === 'literal' && node.value === null)) {
    problems.error('WrongType', node, 'Statement', `is ${kindText(node)}, not an array`)
    return []
  }
  if (node?.kind === 'array' && node.items.length > 0) return node.items
  if (emptyAllowed)
    problems.warn('EmptyPolicy', node ?? root, 'Statement', 'there is none, so the policy allows nothing')
  else problems.error('MissingStatement', node ?? root, 'Statement', 'must have at least one statement')
  return []
}
