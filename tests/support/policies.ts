/** A policy that allows these S3 actions on these buckets and what is in them; all of them unless said. */
export function allowS3(actions: readonly string[], buckets: readonly string[] = ['*']): object {
  const resources = buckets.flatMap((bucket) => [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`])
  return { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: actions, Resource: resources }] }
}

/**
 * The same, on a condition that requests of a console never meet but that nobody can know before there is a request: the
 * console offers what needs these actions, and the server refuses it.
 */
export function allowS3OnACondition(actions: readonly string[], others: readonly string[] = []): object {
  const Resource = ['arn:aws:s3:::*']
  const Condition = { StringEquals: { 'aws:UserAgent': 'nobody' } }
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: others, Resource },
      { Effect: 'Allow', Action: actions, Resource, Condition },
    ],
  }
}

/** A policy that allows everything of S3 but these actions; on these buckets when they are given. */
export function allowS3But(actions: readonly string[], buckets: readonly string[] = ['*']): object {
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] },
      { Effect: 'Deny', Action: actions, Resource: buckets.map((bucket) => `arn:aws:s3:::${bucket}`) },
    ],
  }
}
