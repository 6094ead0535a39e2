/**
 * Whether a bucket is an internal one for temporary data. Such buckets are not listed, send no events, and are removed at each
 * start of the store. Names of users' buckets cannot begin with a dot.
 */
export function isScratchBucket(bucket: string): boolean {
  return bucket.startsWith('.')
}
