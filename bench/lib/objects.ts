import { S3 } from './s3.ts'

/** Location of the objects to list. */
export interface ListedObjects {
  readonly bucket: string
  /** Contains a tenth of them. */
  readonly prefix: string
  readonly count: number
}

/** Puts small objects into a new bucket, in ten prefixes. @param known a bucket that already contains them */
export async function putObjects(s3: S3, count: number, known?: string): Promise<ListedObjects> {
  if (known !== undefined) return { bucket: known, prefix: 'prefix-0/', count }
  const bucket = `bench-${Date.now().toString(36)}-list`
  await s3.done({ method: 'PUT', path: `/${bucket}` })
  const body = Buffer.from('stowage')
  await S3.parallel(32, count, (i) => s3.done({ method: 'PUT', path: `/${bucket}/${numberedKey(i, count)}`, body }))
  return { bucket, prefix: 'prefix-0/', count }
}

function numberedKey(i: number, count: number): string {
  const perPrefix = Math.ceil(count / 10)
  return `prefix-${Math.floor(i / perPrefix)}/object-${String(i % perPrefix).padStart(7, '0')}`
}

/** Returns the keys of a page of a listing. */
export async function listKeysPage(s3: S3, bucket: string, token?: string): Promise<{ keys: string[]; next?: string }> {
  const query = { 'list-type': '2', 'max-keys': '1000', ...(token !== undefined && { 'continuation-token': token }) }
  const xml = await s3.text({ method: 'GET', path: `/${bucket}`, query })
  // The keys are those created above, without escaped characters.
  const keys = Array.from(xml.matchAll(/<Key>([^<]*)<\/Key>/g), (match) => match[1] ?? '')
  const next = /<NextContinuationToken>([^<]*)</.exec(xml)?.[1]
  return next === undefined ? { keys } : { keys, next }
}

/** Deletes a bucket with its content: in one call if the server supports that, else object by object. */
export async function dropBucket(s3: S3, bucket: string): Promise<void> {
  const path = `/${bucket}`
  try {
    return await s3.done({ method: 'DELETE', path, headers: { 'x-minio-force-delete': 'true' } })
  } catch {
    // Another kind of server, which answers that the bucket is not empty.
  }
  for (;;) {
    const { keys } = await listKeysPage(s3, bucket)
    if (keys.length === 0) break
    await S3.parallel(32, keys.length, (i) => s3.done({ method: 'DELETE', path: `${path}/${keys[i]}` }))
  }
  await s3.done({ method: 'DELETE', path })
}
