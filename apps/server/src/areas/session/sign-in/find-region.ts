import type { SigningCredentials } from '@stowage/sigv4'
import { SigningKeys } from '@stowage/sigv4'
import { UpstreamError } from '../../../lib/errors/storage-errors.ts'
import { S3Stream } from '../../../lib/storage/s3-stream.ts'
import type { Upstream } from '../../../lib/storage/upstream.ts'

/**
 * Returns the region to sign for, if it differs from the one that was tried. STS only reports that the region is wrong (and
 * names an arbitrary one); S3 names the right one.
 */
export async function findOtherRegion(
  upstream: Upstream,
  { accessKey, secretKey }: SigningCredentials,
  tried: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const signer = { accessKey, secretKey, sessionToken: '', region: tried }
  const s3 = new S3Stream(upstream, signer, new SigningKeys(), signal)
  try {
    // The signature is checked before the bucket, which need not exist. Listing buckets would succeed in any region.
    await s3.text({ method: 'GET', bucket: 'region-of-this-server', query: { versioning: '' } })
    return undefined
  } catch (error) {
    if (error instanceof UpstreamError) return error.region
    throw error
  }
}
