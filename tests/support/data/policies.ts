/** Returns a policy that allows these S3 actions on these buckets and their objects; by default on all. */
export function allowS3(actions: readonly string[], buckets: readonly string[] = ['*']): object {
  const resources = buckets.flatMap((bucket) => [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`])
  return { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: actions, Resource: resources }] }
}

/**
 * The same, with a condition that requests of a console never meet but that is unknown before the request: the console offers
 * these actions, and the server refuses them.
 */
export function allowS3Conditionally(actions: readonly string[], others: readonly string[] = []): object {
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

/** Returns a policy that allows all S3 actions except these; on these buckets if given. */
export function allowS3Except(actions: readonly string[], buckets: readonly string[] = ['*']): object {
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] },
      { Effect: 'Deny', Action: actions, Resource: buckets.map((bucket) => `arn:aws:s3:::${bucket}`) },
    ],
  }
}
