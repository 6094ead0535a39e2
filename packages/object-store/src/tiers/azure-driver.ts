import { createHmac } from 'node:crypto'
import { readXml, xmlChildText } from '@stowage/madmin/xml'
import { encodePath, encodeQuery } from '@stowage/sigv4'
import { splitStream } from './split-stream.ts'
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

/** Version of the REST API. Since 2019-12-12, a blob in one request may have 5000 MiB. */
const API_VERSION = '2020-10-02'
/** Bytes. Larger objects are sent in blocks, up to 50,000 per blob. */
const MAX_SINGLE_BYTES = 256 * 1024 * 1024
const BLOCK_BYTES = 128 * 1024 * 1024

interface AzureOptions {
  now?: () => number
  /** Objects up to this size are sent in one request (bytes). */
  singleBytes?: number
  blockBytes?: number
}

/** S3 codes for Azure's codes. */
const S3_CODES: Readonly<Record<string, string>> = {
  ContainerNotFound: 'NoSuchBucket',
  ContainerBeingDeleted: 'NoSuchBucket',
  BlobNotFound: 'NoSuchKey',
  AuthenticationFailed: 'SignatureDoesNotMatch',
  InvalidAuthenticationInfo: 'SignatureDoesNotMatch',
}

interface AzureRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Absent: a request about the container. */
  object?: string
  query?: [string, string][]
  headers?: Record<string, string>
  body?: AsyncIterable<Uint8Array> | Buffer
  signal?: AbortSignal | undefined
}

/**
 * Creates a driver for a tier in an Azure Blob Storage container, with the Shared Key of its account.
 * @see https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 */
export function azureDriver(
  place: TierLocation,
  dispatcher: GetDispatcher,
  { now = Date.now, singleBytes = MAX_SINGLE_BYTES, blockBytes = BLOCK_BYTES }: AzureOptions = {},
): TierDriver {
  const { origin, host, pathname } = azureEndpoint(place)
  const base = pathname.replace(/\/*$/, '')
  const prefix = tierPrefix(place)

  async function send({ method, object, query = [], headers: given = {}, body, signal }: AzureRequest) {
    const path = base + encodePath(object === undefined ? `/${place.bucket}` : `/${place.bucket}/${prefix}${object}`)
    const headers = { ...given, 'x-ms-date': new Date(now()).toUTCString(), 'x-ms-version': API_VERSION }
    const authorization = azureAuthorization(place, { method, path, query, headers })
    const encoded = encodeQuery(query)
    return await sendTierRequest(
      dispatcher,
      {
        origin,
        path: encoded ? `${path}?${encoded}` : path,
        method,
        headers: { host, ...headers, authorization },
        body,
        signal,
      },
      (text, answered) => azureErrorCode(answered['x-ms-error-code'], text),
    )
  }

  const accessTier = place.storageClass === '' ? {} : { 'x-ms-access-tier': place.storageClass }

  async function putSingle(object: string, size: number, body: AsyncIterable<Uint8Array>, signal?: AbortSignal) {
    const headers = { 'content-length': String(size), 'x-ms-blob-type': 'BlockBlob', ...accessTier }
    const put = await send({ method: 'PUT', object, headers, body: copyChunks(body), signal })
    await put.body.dump()
  }

  async function putBlocks(object: string, size: number, body: AsyncIterable<Uint8Array>, signal?: AbortSignal) {
    const ids: string[] = []
    for await (const { length, chunks } of splitStream(body, size, blockBytes)) {
      const id = Buffer.from(String(ids.length).padStart(8, '0')).toString('base64')
      const query: [string, string][] = [
        ['comp', 'block'],
        ['blockid', id],
      ]
      const put = await send({
        method: 'PUT',
        object,
        query,
        headers: { 'content-length': String(length) },
        body: copyChunks(chunks),
        signal,
      })
      await put.body.dump()
      ids.push(id)
    }
    const list = Buffer.from(
      `<?xml version="1.0" encoding="utf-8"?><BlockList>${ids.map((id) => `<Latest>${id}</Latest>`).join('')}</BlockList>`,
    )
    const headers = { 'content-length': String(list.length), 'content-type': 'application/xml', ...accessTier }
    const put = await send({ method: 'PUT', object, query: [['comp', 'blocklist']], headers, body: list, signal })
    await put.body.dump()
  }

  return {
    async put(object, size, body, signal) {
      await (size > singleBytes ? putBlocks : putSingle)(object, size, body, signal)
      const head = await send({ method: 'HEAD', object, signal })
      await head.body.dump()
      if (Number(head.headers['content-length']) !== size) throw new TierFailure('IncompleteBody', 400)
    },
    async *get(object, range, signal) {
      const headers = { 'x-ms-range': `bytes=${range.start}-${range.end - 1}` }
      yield* readTierRange(await send({ method: 'GET', object, headers, signal }), range)
    },
    async remove(object, signal) {
      try {
        const answer = await send({ method: 'DELETE', object, signal })
        await answer.body.dump()
      } catch (error) {
        if (!(error instanceof TierFailure) || error.code !== 'NoSuchKey') throw error
      }
    },
    async isEmpty(signal) {
      const query: [string, string][] = [
        ['restype', 'container'],
        ['comp', 'list'],
        ['maxresults', '1'],
        ['prefix', prefix],
      ]
      const answer = await send({ method: 'GET', query, signal })
      const text = await readTierText(answer.body)
      const { node } = readXml(text)
      // A page without blobs may still have a next one.
      return !/<Blob[\s>]/.test(text) && (xmlChildText(node, 'NextMarker') ?? '') === ''
    },
  }
}

/** Returns the endpoint; the service's own address is replaced by that of the account. */
function azureEndpoint({ endpoint, accessKey }: TierLocation): URL {
  const url = new URL(endpoint)
  return url.hostname === 'blob.core.windows.net' ? new URL(`https://${accessKey}.blob.core.windows.net`) : url
}

interface AzureSignedRequest {
  method: string
  /** Encoded. */
  path: string
  query: readonly (readonly [string, string])[]
  /** In lower case. */
  headers: Readonly<Record<string, string>>
}

/** Headers whose values are signed in this order, even if absent. */
const STANDARD_HEADERS = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-md5',
  'content-type',
  'date',
  'if-modified-since',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'range',
]

/** Returns the `Authorization` header of a request with Shared Key. */
export function azureAuthorization(
  { accessKey: account, secretKey }: Pick<TierLocation, 'accessKey' | 'secretKey'>,
  { method, path, query, headers }: AzureSignedRequest,
): string {
  const standard = STANDARD_HEADERS.map((name) => {
    const value = headers[name] ?? ''
    return name === 'content-length' && value === '0' ? '' : value
  })
  const own = Object.keys(headers)
    .filter((name) => name.startsWith('x-ms-'))
    .sort()
    .map((name) => `${name}:${headers[name]}\n`)
  const parameters = query.map(([name, value]) => `\n${name}:${value}`).sort()
  const text = `${[method, ...standard].join('\n')}\n${own.join('')}/${account}${path}${parameters.join('')}`
  const signature = createHmac('sha256', Buffer.from(secretKey, 'base64')).update(text, 'utf8').digest('base64')
  return `SharedKey ${account}:${signature}`
}

function azureErrorCode(header: string | string[] | undefined, text: string): string {
  const code = typeof header === 'string' ? header : (/<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? '')
  return Object.hasOwn(S3_CODES, code) ? (S3_CODES[code] ?? code) : code
}
