export {
  ACTIONS,
  type ActionFamily,
  type ActionInfo,
  type ActionName,
  type AdminActionName,
  actionFamily,
  actionInfo,
  type FamilyWildcard,
  type KmsActionName,
  type S3ActionName,
  toActionName,
} from './actions/catalogue.ts'
export type { ActionLevel } from './actions/s3.ts'
export { CONDITION_OPERATORS } from './condition/operator-table.ts'
export { type CannedPolicyName, cannedPolicies } from './documents/canned-policies.ts'
export { type FormatOptions, formatPolicy } from './documents/format-policy.ts'
export { mergePolicies } from './documents/merge-policies.ts'
export { bucketPolicyFromJson, isEmptyPolicy, policyFromJson } from './documents/policy-from-json.ts'
export { type CompileOptions, compileBucketPolicy, compilePolicy } from './evaluate/compile-policy.ts'
export type { CompiledBucketPolicy, CompiledPolicy } from './evaluate/compiled-policy.ts'
export { type CallerAccess, evaluate, evaluateCapability, isAllowed } from './evaluate/evaluate.ts'
export type {
  EvaluationDecision,
  EvaluationReason,
  EvaluationResult,
  StatementRef,
} from './evaluate/evaluation-result.ts'
export {
  type Explanation,
  explainCapability,
  explainRequest,
  type MatchReason,
  type StatementExplanation,
} from './evaluate/explain.ts'
export type { AccessRequest, CapabilityQuestion } from './evaluate/question.ts'
export { JWT_CLAIMS } from './language/condition-keys.ts'
export { type ConditionLookup, conditionValues } from './language/condition-values.ts'
export type { Dialect } from './language/dialects.ts'
export {
  type BucketPolicyDocument,
  type BucketStatement,
  type ConditionBlock,
  type ConditionValue,
  type Effect,
  POLICY_VERSION,
  type PolicyDocument,
  type Principal,
  type Statement,
} from './language/document.ts'
export { compileGlob, compileGlobParts, type Glob, type GlobOptions, type GlobPart, globMatches } from './match/glob.ts'
export { matchesResource } from './match/matches-resource.ts'
export { principalUser } from './match/principal-user.ts'
export {
  ADMIN_OPERATIONS,
  type AdminOperationName,
  type AdminOperationRights,
  KMS_OPERATIONS,
  type KmsOperationName,
} from './operations/admin-operations.ts'
export { askedActions, operationsNeeding } from './operations/asked-actions.ts'
export {
  type ActionByVersion,
  S3_OPERATIONS,
  S3_REQUEST_PARTS,
  type S3OperationName,
  type S3OperationRights,
  type S3RequestPart,
} from './operations/s3-operations.ts'
export {
  MAX_POLICY_BYTES,
  type ParseOptions,
  type ParseResult,
  parseBucketPolicy,
  parsePolicy,
} from './parse/parse-policy.ts'
export type { ErrorCode, ProblemCode, WarningCode } from './parse/problem-codes.ts'
export { type PolicyProblem, problemText } from './parse/problems.ts'
export { nearestName } from './parse/suggestion.ts'
