import { S3Error } from '../lib/errors.ts'

/** The target of a request: percent-decoded once from the raw URL, never normalized. */
export interface RequestTarget {
  /** As sent, without the query. Covered by the signature. */
  rawPath: string
  /** As sent, without `?`. */
  rawQuery: string
  /** Decoded, with the leading slash. */
  path: string
  query: URLSearchParams
  /** Empty for the service level. */
  bucket: string
  /** Empty for the bucket level. */
  key: string
}

const NO_QUERY = new URLSearchParams()

/**
 * @param domains of virtual-hosted buckets: `bucket.domain`
 * @throws S3Error XMinioInvalidObjectName if the path is not percent-encoded UTF-8, InvalidRequest for two hosts
 */
export function parseRequestTarget(url: string, host: string | undefined, domains: readonly string[]): RequestTarget {
  const raw = url.startsWith('/') ? url : withoutOrigin(url, host)
  const mark = raw.indexOf('?')
  const rawPath = mark < 0 ? raw : raw.slice(0, mark)
  const rawQuery = mark < 0 ? '' : raw.slice(mark + 1)
  const path = decode(rawPath)
  const query = rawQuery === '' ? NO_QUERY : new URLSearchParams(rawQuery)
  const hosted = domains.length > 0 && host !== undefined ? bucketInHost(host, domains) : undefined
  if (hosted !== undefined) return { rawPath, rawQuery, path, query, bucket: hosted, key: path.slice(1) }
  const slash = path.indexOf('/', 1)
  const bucket = slash < 0 ? path.slice(1) : path.slice(1, slash)
  return { rawPath, rawQuery, path, query, bucket, key: slash < 0 ? '' : path.slice(slash + 1) }
}

/** Removes the origin from an absolute URL, which proxies send in the request line. @throws S3Error InvalidRequest */
function withoutOrigin(url: string, host: string | undefined): string {
  const scheme = url.indexOf('://')
  const slash = scheme < 0 ? -1 : url.indexOf('/', scheme + 3)
  const named = scheme < 0 ? undefined : /^[^/?#]*/.exec(url.slice(scheme + 3))?.[0]
  if (named !== undefined && named.toLowerCase() !== host?.toLowerCase()) {
    throw new S3Error('InvalidRequest', 'The request names two hosts: in its first line and in the Host header.')
  }
  return slash < 0 ? '/' : url.slice(slash)
}

function decode(rawPath: string): string {
  if (!rawPath.includes('%')) return rawPath
  try {
    return decodeURIComponent(rawPath)
  } catch {
    throw new S3Error('XMinioInvalidObjectName', 'The path is not percent-encoded UTF-8.')
  }
}

function bucketInHost(host: string, domains: readonly string[]): string | undefined {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  const domain = domains.find((candidate) => name.endsWith(`.${candidate}`))
  return domain === undefined ? undefined : name.slice(0, -domain.length - 1)
}
