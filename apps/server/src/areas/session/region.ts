import type { Credentials } from '@stowage/sigv4'
import { SigningKeys } from '@stowage/sigv4'
import { S3Stream } from '../../lib/storage/s3-stream.ts'
import { UpstreamError } from '../../lib/storage/storage-errors.ts'
import type { Upstream } from '../../lib/storage/upstream.ts'

/**
 * The region that a server's signatures must name, when it is another one than tried. STS only says that it is wrong (and
 * names one at random); S3 names the right one.
 */
export async function otherRegion(
  upstream: Upstream,
  { accessKey, secretKey }: Credentials,
  tried: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const signer = { accessKey, secretKey, sessionToken: '', region: tried }
  const s3 = new S3Stream(upstream, signer, new SigningKeys(), signal)
  try {
    // The signature is looked at before the bucket, which need not be there; listing buckets passes in any region.
    await s3.text({ method: 'GET', bucket: 'region-of-this-server', query: { versioning: '' } })
    return undefined
  } catch (error) {
    if (error instanceof UpstreamError) return error.region
    throw error
  }
}
