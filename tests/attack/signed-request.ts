import { createHash } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { encodePath, signHeaders } from '@stowage/sigv4'
import type { TestCredentials } from '../support/console/test-target.ts'

export interface AttackRequest {
  method?: string
  /** Decoded, with a leading slash. */
  path: string
  /** Encoded, without the question mark. */
  query?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** Undefined for an anonymous request. */
  credentials?: TestCredentials | undefined
}

export interface AttackAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** The `Code` of an S3 error. */
  code: string | undefined
}

/** Sends a request that no client library would send, signed if there are credentials. */
export async function sendAttack(
  serverUrl: string,
  { method = 'GET', path, query = '', headers = {}, body = '', credentials }: AttackRequest,
): Promise<AttackAnswer> {
  const { hostname, port, host } = new URL(serverUrl)
  const rawPath = encodePath(path)
  const bytes = Buffer.from(body)
  const unsigned: Record<string, string> = { host, 'content-length': String(bytes.length), ...headers }
  const sent = credentials
    ? signHeaders(
        { method, path: rawPath, query, headers: unsigned },
        { credentials, region: 'us-east-1', payloadHash: createHash('sha256').update(bytes).digest('hex') },
      ).headers
    : unsigned
  return new Promise((resolve, reject) => {
    const target = query === '' ? rawPath : `${rawPath}?${query}`
    const request = httpRequest(
      { host: hostname, port, method, path: target, headers: sent, agent: false },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const code = /<Code>([^<]*)</.exec(text)?.[1]
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, code })
        })
      },
    )
    request.on('error', reject)
    request.end(bytes)
  })
}
