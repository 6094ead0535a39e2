/** Problems that make a policy invalid, with their meaning. The README contains this table. */
export const ERROR_CODES = {
  InvalidJson: 'the text is not JSON',
  TrailingComma: 'a comma before a closing bracket',
  TooLarge: 'more than 20 KiB',
  TooCostly: 'more than 4,096 characters in texts with `?` between two stars',
  WrongType: 'a value of another kind, such as an object where an array belongs',
  DuplicateMember: 'a member is given twice, also in another case',
  MissingVersion: 'Version is missing or empty',
  InvalidVersion: 'Version is not 2012-10-17',
  MissingStatement: 'a named policy without statements',
  MissingEffect: 'Effect is missing',
  InvalidEffect: 'Effect is neither Allow nor Deny',
  MissingAction: 'neither Action nor NotAction names an action',
  ActionAndNotAction: 'both in one statement',
  UnknownAction: 'an action that no server knows, or a pattern that matches none',
  UnsupportedWildcard: 'a wildcard in an admin, kms or sts action other than admin:* and kms:*',
  MixedFamilies: 'actions of s3, admin, kms or sts together in one statement',
  MissingResource: 'an s3 statement without Resource and NotResource',
  ResourceAndNotResource: 'both in one statement',
  InvalidResource: 'not an ARN of a bucket, an object or a kms key',
  EmptyCondition: 'a Condition without operators, or an operator without keys',
  UnknownOperator: 'a condition operator that no server knows',
  UnknownConditionKey: 'a condition key that no server knows',
  ConditionKeyNotAllowed: 'a key that cannot be used with the action or the operator',
  InvalidConditionValue: 'a value that the operator cannot read, or no value',
  NotSupportedByServer: 'something that the chosen dialect does not know',
  MissingPrincipal: 'a statement of a bucket policy without Principal',
  InvalidPrincipal: 'Principal is neither "*" nor {"AWS": [...]} with users',
  ResourceOutsideBucket: 'a resource of a bucket policy that lies in no case in the bucket',
  ResourceKindMismatch: 'an object action without an object resource, or a bucket action without the bucket',
} as const

/** Warnings: the policy is valid. */
export const WARNING_CODES = {
  UnknownMember: 'a member that servers ignore',
  EmptyPolicy: 'no statement: nothing is allowed',
  BareStar: 'the action "*", which means everything including admin to MinIO 2025',
  AllowNotAction: 'Allow with NotAction, which grants admin actions as well where the resource is "*"',
  GrantsAdministration: 'Allow with admin:*, which includes the right to attach any policy',
  QualifierIgnored: 'ForAllValues or ForAnyValue before an operator that ignores it',
  NeverMatches: 'an action and its resources that cannot meet',
} as const

export type ErrorCode = keyof typeof ERROR_CODES
export type WarningCode = keyof typeof WARNING_CODES
export type ProblemCode = ErrorCode | WarningCode
