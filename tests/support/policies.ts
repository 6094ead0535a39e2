/** A policy that allows these S3 actions on these buckets and what is in them; all of them unless said. */
export function allowS3(actions: readonly string[], buckets: readonly string[] = ['*']): object {
  const resources = buckets.flatMap((bucket) => [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`])
  return { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: actions, Resource: resources }] }
}

/** A policy that allows everything of S3 but these actions. */
export function allowS3But(actions: readonly string[]): object {
  const Resource = ['arn:aws:s3:::*']
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:*'], Resource },
      { Effect: 'Deny', Action: actions, Resource },
    ],
  }
}
