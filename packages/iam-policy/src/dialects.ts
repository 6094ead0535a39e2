/**
 * Whose rules decide where servers differ: ours (S3 as AWS has it, with MinIO's extensions), MinIO RELEASE.2025-10-15,
 * or MinIO 2021-11.
 */
export type Dialect = 'stowage' | 'minio-2025' | 'minio-2021'

/** How the text is written that the resources of a statement are matched against. */
export type TargetStyle =
  /** A bucket action is about `bucket`, an object action about `bucket/key`, and a key keeps its leading slash. */
  | 'aws'
  /** A bucket action is about `bucket/`, which `bucket/*` matches too. A leading slash of a key merges with the other. */
  | 'minio-user'
  /** As `minio-user`, but a bucket action is about `bucket`. */
  | 'minio-bucket'

/**
 * Everything in which servers differ. No other file compares names of dialects. To add a difference, add a rule here
 * with its value for each dialect, ask for it where it matters, and add cases to `cases/*.json` that name it in `rule`.
 */
export interface Rules {
  /** What the resources of policies of users, groups and sessions are matched against. */
  readonly userTargets: TargetStyle
  /** The same for policies of buckets. */
  readonly bucketTargets: TargetStyle
  /** `b/x` also matches the key `x/`, because the server cleans the path first. */
  readonly trailingSlashMatches: boolean
  /** Who the policy of a bucket is about. */
  readonly bucketPolicyAppliesTo: 'everybody' | 'anonymous'
  /** What Allow with an action such as `*` or `*:*` covers, which names no family. */
  readonly allowStar: 's3' | 'everything'
  /** The same for Deny. */
  readonly denyStar: 's3' | 'everything'
  /** A statement with the action `*` is not asked for its resources. */
  readonly starIgnoresResource: boolean
  /** A denied ListBucketVersions is overruled by an allowed ListBucket. */
  readonly listingOverrulesDeniedVersions: boolean
  /** Deny of DeleteObjectVersion in the policy of a bucket holds. */
  readonly bucketPolicyDeniesVersions: boolean
  /** Whether `*` and `?` in the value of a `${variable}` are wildcards. */
  readonly variablesAreLiteral: boolean
  /** What the operator Bool takes for true: any spelling of it, or the text as it is in the policy. */
  readonly boolSpelling: 'any' | 'exact'
  /** What an address without a mask means in IpAddress; `32-bits` is a whole provider's network where it is IPv6. */
  readonly loneAddress: 'address' | '32-bits' | 'refused'
  /** Among which actions the server counts `*` when it checks that families are not mixed. */
  readonly starFamily: 's3' | 'sts'
  /** NotAction, NotResource, the resource `*` and resources of kms can be written. */
  readonly since2025: boolean
  /** Principals other than `*` are users and have to be written as such. */
  readonly principalsAreUsers: boolean
}

const MINIO_2025: Rules = {
  userTargets: 'minio-user',
  bucketTargets: 'minio-bucket',
  trailingSlashMatches: true,
  bucketPolicyAppliesTo: 'anonymous',
  allowStar: 'everything',
  denyStar: 'everything',
  starIgnoresResource: true,
  listingOverrulesDeniedVersions: true,
  bucketPolicyDeniesVersions: false,
  variablesAreLiteral: false,
  boolSpelling: 'exact',
  loneAddress: '32-bits',
  starFamily: 'sts',
  since2025: true,
  principalsAreUsers: false,
}

export const DIALECTS: Readonly<Record<Dialect, Rules>> = {
  stowage: {
    userTargets: 'aws',
    bucketTargets: 'aws',
    trailingSlashMatches: false,
    bucketPolicyAppliesTo: 'everybody',
    // An Allow of `*` grants no admin action; a Deny of `*` denies all.
    allowStar: 's3',
    denyStar: 'everything',
    starIgnoresResource: false,
    listingOverrulesDeniedVersions: false,
    bucketPolicyDeniesVersions: true,
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
