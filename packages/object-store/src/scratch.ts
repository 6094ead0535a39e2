/**
 * Whether a bucket is one of the store's own, for data that is needed for minutes. Such buckets are not listed and send no
 * events, and each start of the store removes them. Names of users' buckets cannot begin with a dot.
 */
export function isScratch(bucket: string): boolean {
  return bucket.startsWith('.')
}
