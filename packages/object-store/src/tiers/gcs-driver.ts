import { createPrivateKey, createSign, type KeyObject, randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  copyChunks,
  type GetDispatcher,
  readTierRange,
  readTierText,
  sendTierRequest,
  type TierDriver,
  TierFailure,
  type TierLocation,
  tierPrefix,
} from './tier-driver.ts'

const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write'
const TOKEN_SECONDS = 3600
/** A token is replaced this long before it expires. */
const MARGIN_SECONDS = 60

const GoogleKeyFile = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(1).max(320),
  private_key: z.string().min(1).max(16_384),
  private_key_id: z.string().max(256).optional(),
  token_uri: z.url({ protocol: /^https?$/ }).default('https://oauth2.googleapis.com/token'),
})

export interface GoogleKey {
  readonly email: string
  readonly key: KeyObject
  readonly keyId: string | undefined
  readonly tokenUri: string
}

/**
 * Parses the key file of a service account.
 * @param creds Base64
 * @returns undefined if it is invalid; errors contain nothing of the file
 */
export function readGoogleKey(creds: string): GoogleKey | undefined {
  try {
    const found = GoogleKeyFile.safeParse(JSON.parse(Buffer.from(creds, 'base64').toString('utf8')))
    if (!found.success) return undefined
    const { client_email: email, private_key, private_key_id: keyId, token_uri: tokenUri } = found.data
    const key = createPrivateKey(private_key)
    return key.asymmetricKeyType === 'rsa' ? { email, key, keyId, tokenUri } : undefined
  } catch {
    // Not JSON, or no private key.
    return undefined
  }
}

interface GoogleRequest {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers?: Record<string, string>
  body?: AsyncIterable<Uint8Array>
  /** What a 404 means. */
  missing: 'NoSuchBucket' | 'NoSuchKey'
  signal?: AbortSignal | undefined
}

/**
 * Creates a driver for a tier in a Google Cloud Storage bucket, with the key of a service account.
 * @see https://cloud.google.com/storage/docs/json_api
 * @see https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests
 */
export function gcsDriver(place: TierLocation, dispatcher: GetDispatcher, now: () => number = Date.now): TierDriver {
  const { origin, host } = new URL(place.endpoint)
  const prefix = tierPrefix(place)
  const bucket = encodeURIComponent(place.bucket)
  const key = readGoogleKey(place.creds ?? '')
  let token: { value: string; until: number } | undefined

  async function bearer(signal: AbortSignal | undefined): Promise<string> {
    if (!key) throw new TierFailure('InvalidAccessKeyId', 401)
    const seconds = Math.floor(now() / 1000)
    if (token && token.until > seconds) return token.value
    token = await requestAccessToken(key, seconds, dispatcher, signal)
    return token.value
  }

  async function send({ method, path, headers = {}, body, missing, signal }: GoogleRequest) {
    const authorization = `Bearer ${await bearer(signal)}`
    try {
      const call = { origin, path, method, headers: { host, ...headers, authorization }, body, signal }
      return await sendTierRequest(dispatcher, call, (text) => googleErrorReason(text))
    } catch (error) {
      if (!(error instanceof TierFailure)) throw error
      if (error.status === 404) throw new TierFailure(missing, 404)
      if (error.status === 401) {
        token = undefined
        throw new TierFailure('InvalidAccessKeyId', 401)
      }
      throw error
    }
  }

  const objectPath = (object: string) => `/storage/v1/b/${bucket}/o/${encodeURIComponent(prefix + object)}`

  return {
    async put(object, size, body, signal) {
      const boundary = `stowage-${randomUUID()}`
      const metadata = {
        name: prefix + object,
        ...(place.storageClass === '' ? {} : { storageClass: place.storageClass }),
      }
      const head = Buffer.from(
        `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n` +
          `--${boundary}\r\nContent-Type: application/octet-stream\r\n\r\n`,
      )
      const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
      const answer = await send({
        method: 'POST',
        path: `/upload/storage/v1/b/${bucket}/o?uploadType=multipart`,
        headers: {
          'content-type': `multipart/related; boundary=${boundary}`,
          'content-length': String(head.length + size + tail.length),
        },
        body: concatChunks(head, copyChunks(body), tail),
        missing: 'NoSuchBucket',
        signal,
      })
      const stored = parseJson(await readTierText(answer.body)) as { size?: unknown } | undefined
      if (Number(stored?.size) !== size) throw new TierFailure('IncompleteBody', 400)
    },
    async *get(object, range, signal) {
      const headers = { range: `bytes=${range.start}-${range.end - 1}` }
      const answer = await send({
        method: 'GET',
        path: `${objectPath(object)}?alt=media`,
        headers,
        missing: 'NoSuchKey',
        signal,
      })
      yield* readTierRange(answer, range)
    },
    async remove(object, signal) {
      try {
        const answer = await send({ method: 'DELETE', path: objectPath(object), missing: 'NoSuchKey', signal })
        await answer.body.dump()
      } catch (error) {
        if (!(error instanceof TierFailure) || error.code !== 'NoSuchKey') throw error
      }
    },
    async isEmpty(signal) {
      const query = new URLSearchParams({ prefix, maxResults: '1' })
      const path = `/storage/v1/b/${bucket}/o?${query}`
      const answer = await send({ method: 'GET', path, missing: 'NoSuchBucket', signal })
      const page = parseJson(await readTierText(answer.body)) as
        | { items?: unknown[]; nextPageToken?: string }
        | undefined
      if (page === undefined) throw new TierFailure('', answer.statusCode)
      return (page.items ?? []).length === 0 && page.nextPageToken === undefined
    },
  }
}

/** Exchanges a signed assertion for an access token. @throws TierFailure InvalidAccessKeyId */
async function requestAccessToken(
  { email, key, keyId, tokenUri }: GoogleKey,
  seconds: number,
  dispatcher: GetDispatcher,
  signal: AbortSignal | undefined,
): Promise<{ value: string; until: number }> {
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) }
  const claims = { iss: email, scope: SCOPE, aud: tokenUri, iat: seconds, exp: seconds + TOKEN_SECONDS }
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const assertion = `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
  const { origin, host, pathname, search } = new URL(tokenUri)
  const body = Buffer.from(
    new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString(),
  )
  const headers = {
    host,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  }
  const call = { origin, path: pathname + search, method: 'POST', headers, body, signal } as const
  const answer = await sendTierRequest(dispatcher, call, () => 'InvalidAccessKeyId')
  const granted = parseJson(await readTierText(answer.body)) as
    | { access_token?: unknown; expires_in?: unknown }
    | undefined
  const { access_token: value, expires_in: lifetime } = granted ?? {}
  // It becomes part of a header.
  if (typeof value !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(value))
    throw new TierFailure('InvalidAccessKeyId', 401)
  const lasts = typeof lifetime === 'number' && lifetime > 0 ? Math.min(lifetime, TOKEN_SECONDS) : TOKEN_SECONDS
  return { value, until: seconds + lasts - MARGIN_SECONDS }
}

async function* concatChunks(
  head: Buffer,
  body: AsyncIterable<Buffer>,
  tail: Buffer,
): AsyncGenerator<Buffer, void, void> {
  yield head
  yield* body
  yield tail
}

/** Returns the reason in `{"error": {"errors": [{"reason": "forbidden"}]}}`. */
function googleErrorReason(text: string): string {
  const { error } = (parseJson(text) ?? {}) as { error?: { errors?: { reason?: unknown }[] } }
  const reason = error?.errors?.[0]?.reason
  return typeof reason === 'string' ? reason : ''
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
