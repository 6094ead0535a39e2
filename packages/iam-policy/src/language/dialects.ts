/**
 * The rules that apply where servers differ: ours (S3 like AWS, with MinIO's extensions), MinIO RELEASE.2025-10-15, or MinIO
 * 2021-11.
 */
export type Dialect = 'stowage' | 'minio-2025' | 'minio-2021'

/** The form of the text that the resources of a statement are matched against. */
export type ResourceTextStyle =
  /** `bucket` for a bucket action, `bucket/key` for an object action; a key keeps its leading slash. */
  | 'aws'
  /** `bucket/` for a bucket action, which `bucket/*` matches too. A leading slash of a key is merged with the other slash. */
  | 'minio-user'
  /** Like `minio-user`, but `bucket` for a bucket action. */
  | 'minio-bucket'

/**
 * All differences between servers. No other file compares names of dialects. To add a difference, add a rule here with its
 * value for each dialect, use it where it matters, and add cases to `cases/*.json` that name it in `rule`.
 */
export interface DialectRules {
  /** Form of the text for policies of users, groups and sessions. */
  readonly userTargets: ResourceTextStyle
  /** The same for bucket policies. */
  readonly bucketTargets: ResourceTextStyle
  /** `b/x` also matches the key `x/`, because the server cleans the path first. */
  readonly trailingSlashMatches: boolean
  /** Callers that a bucket policy applies to. */
  readonly bucketPolicyAppliesTo: 'everybody' | 'anonymous'
  /** What Allow covers for an action such as `*` or `*:*`, which names no family. */
  readonly allowStar: 's3' | 'everything'
  /** The same for Deny. */
  readonly denyStar: 's3' | 'everything'
  /** A statement with the action `*` applies to any resource. */
  readonly starIgnoresResource: boolean
  /**
   * Rights to named versions. `separate`: reading, tagging or deleting a named version, and listing versions, need actions of
   * their own. `same`: the actions without "Version" are asked for, and a Deny of DeleteObjectVersion counts unless it is in a
   * bucket policy; ListBucket includes ListBucketVersions, and GetObjectVersion includes GetObject.
   */
  readonly versionRights: 'separate' | 'same'
  /** HeadBucket is allowed by the action of that name, or by ListBucket alone. */
  readonly headBucket: 'by-name' | 'by-listing'
  /** `${*}`, `${?}` and `${$}` stand for these characters. */
  readonly escapes: boolean
  /** Whether `*` and `?` in the value of a `${variable}` are wildcards. */
  readonly variablesAreLiteral: boolean
  /** What the operator Bool accepts as true: any spelling, or exactly the text in the policy. */
  readonly boolSpelling: 'any' | 'exact'
  /** How IpAddress treats an address without a mask; for IPv6, `32-bits` is a whole provider's network. */
  readonly loneAddress: 'address' | '32-bits' | 'refused'
  /** The family of `*` when the server checks that families are not mixed. */
  readonly starFamily: 's3' | 'sts'
  /** NotAction, NotResource, the resource `*` and kms resources are supported. */
  readonly since2025: boolean
  /** Principals other than `*` are users, and must be written as such. */
  readonly principalsAreUsers: boolean
}

const MINIO_2025: DialectRules = {
  userTargets: 'minio-user',
  bucketTargets: 'minio-bucket',
  trailingSlashMatches: true,
  bucketPolicyAppliesTo: 'anonymous',
  allowStar: 'everything',
  denyStar: 'everything',
  starIgnoresResource: true,
  versionRights: 'same',
  headBucket: 'by-name',
  escapes: false,
  variablesAreLiteral: false,
  boolSpelling: 'exact',
  loneAddress: '32-bits',
  starFamily: 'sts',
  since2025: true,
  principalsAreUsers: false,
}

export const DIALECTS: Readonly<Record<Dialect, DialectRules>> = {
  stowage: {
    userTargets: 'aws',
    bucketTargets: 'aws',
    trailingSlashMatches: false,
    bucketPolicyAppliesTo: 'everybody',
    // An Allow of `*` grants no admin action; a Deny of `*` denies all.
    allowStar: 's3',
    denyStar: 'everything',
    starIgnoresResource: false,
    versionRights: 'separate',
    headBucket: 'by-listing',
    escapes: true,
    variablesAreLiteral: true,
    boolSpelling: 'any',
    loneAddress: 'address',
    starFamily: 's3',
    since2025: true,
    principalsAreUsers: true,
  },
  'minio-2025': MINIO_2025,
  'minio-2021': {
    ...MINIO_2025,
    allowStar: 's3',
    denyStar: 's3',
    starIgnoresResource: false,
    loneAddress: 'refused',
    starFamily: 's3',
    since2025: false,
  },
}
