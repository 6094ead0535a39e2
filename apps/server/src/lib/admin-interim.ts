import { createHash } from 'node:crypto'
import { encodeQuery, signHeaders } from '@stowage/sigv4'
import type { Dispatcher } from 'undici'
import { UpstreamError } from './storage-errors.ts'
import { childOf, readXml, textOf } from './xml.ts'

type Conn = {
  endpoint: string
  dispatcher: Dispatcher
  credentials: { accessKey: string; secretKey: string; sessionToken?: string }
}
type Opt = { signal?: AbortSignal }

async function call(
  c: Conn,
  method: 'GET' | 'PUT' | 'POST',
  path: string,
  query: [string, string][],
  body: string | undefined,
  o: Opt,
  service = 's3',
  region = '',
  headers0: Record<string, string> = {},
) {
  const q = encodeQuery(query)
  const { headers } = signHeaders(
    { method, path, query: q, headers: { host: new URL(c.endpoint).host, ...headers0 } },
    {
      credentials: c.credentials,
      region,
      service,
      payloadHash: createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
    },
  )
  const r = await c.dispatcher.request({
    origin: c.endpoint,
    path: q ? `${path}?${q}` : path,
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(o.signal ? { signal: o.signal } : {}),
  })
  const text = await r.body.text()
  if (r.statusCode >= 300) {
    if (text.startsWith('{')) {
      const e = JSON.parse(text)
      throw new UpstreamError(e.Code, e.Message, r.statusCode)
    }
    const root = text.startsWith('<') ? Object.values(readXml(text))[0] : undefined
    const err = childOf(root, 'Error') ?? root
    throw new UpstreamError(textOf(err, 'Code') || 'Unknown', textOf(err, 'Message') || text, r.statusCode)
  }
  return text
}

export interface AccountBucket {
  name: string
  created: string
  size: number
  objects: number
  access: { read: boolean; write: boolean }
  details?: {
    versioning: boolean
    versioningSuspended: boolean
    locking: boolean
    replication: boolean
    quota?: { quota: number; type: 'hard' | 'fifo' }
  }
}
export interface ServerInfo {
  buckets?: { count?: number }
  objects?: { count?: number }
  usage?: { size?: number }
  servers?: {
    endpoint?: string
    state?: string
    uptime?: number
    version?: string
    commitID?: string
    poolNumber?: number
    poolNumbers?: number[]
    network?: Record<string, string>
    drives?: {
      uuid?: string
      endpoint?: string
      state?: string
      path?: string
      rootDisk?: boolean
      healing?: boolean
      model?: string
      totalspace?: number
      usedspace?: number
      availspace?: number
    }[]
  }[]
}
export function createMadmin(c: Conn) {
  const A = '/minio/admin/v3/'
  return {
    async accountInfo(o: Opt = {}): Promise<{ policy: unknown; buckets: AccountBucket[] }> {
      const j = JSON.parse(await call(c, 'GET', `${A}accountinfo`, [], undefined, o))
      return {
        policy: j.Policy,
        // biome-ignore lint/suspicious/noExplicitAny: interim, until @stowage/madmin is there
        buckets: (j.Buckets ?? []).map((b: any) => ({
          ...b,
          details: b.details && {
            versioning: !!b.details.versioning,
            versioningSuspended: !!b.details.versioningSuspended,
            locking: !!b.details.locking,
            replication: !!b.details.replication,
          },
        })),
      }
    },
    async serverInfo(o: Opt = {}): Promise<ServerInfo> {
      return JSON.parse(await call(c, 'GET', `${A}info`, [], undefined, o))
    },
    async getBucketQuota(b: string, o: Opt = {}) {
      const j = JSON.parse(await call(c, 'GET', `${A}get-bucket-quota`, [['bucket', b]], undefined, o))
      return { size: j.size || j.quota || 0, type: (j.quotatype || 'hard') as 'hard' | 'fifo' }
    },
    async setBucketQuota(b: string, q: { size: number; type: string }, o: Opt = {}) {
      await call(
        c,
        'PUT',
        `${A}set-bucket-quota`,
        [['bucket', b]],
        JSON.stringify({ size: q.size, quota: q.size, quotatype: q.size ? q.type : undefined }),
        o,
      )
    },
    async revokeTokens(q: { tokenRevokeType: string }, o: Opt = {}) {
      await call(c, 'POST', `${A}revoke-tokens/builtin`, [['tokenRevokeType', q.tokenRevokeType]], '', o)
    },
  }
}
export type Madmin = ReturnType<typeof createMadmin>
export async function assumeRole(
  c: Conn & { region: string },
  q: { durationSeconds: number; tokenRevokeType: string; signal: AbortSignal },
) {
  const body = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    DurationSeconds: String(q.durationSeconds),
    TokenRevokeType: q.tokenRevokeType,
  }).toString()
  const text = await call(c, 'POST', '/', [], body, q, 'sts', c.region, {
    'content-type': 'application/x-www-form-urlencoded',
  })
  const x = childOf(childOf(Object.values(readXml(text))[0], 'AssumeRoleResult'), 'Credentials')
  return {
    credentials: {
      accessKey: textOf(x, 'AccessKeyId'),
      secretKey: textOf(x, 'SecretAccessKey'),
      sessionToken: textOf(x, 'SessionToken'),
    },
    expiration: new Date(textOf(x, 'Expiration')),
  }
}
