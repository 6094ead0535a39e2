import type { Madmin } from '../../lib/admin-interim.ts'
import type { Egress } from '../../lib/egress.ts'

export interface Detected {
  /** More than one drive, kept redundantly. */
  distributed: boolean
  /** See `Capability` in the contract. */
  capabilities: string[]
}

/** Finds out what a server can do. Asked once, at sign-in: none of it changes while a session lasts. */
export async function detect(egress: Egress, _madmin: Madmin, signal: AbortSignal): Promise<Detected> {
  return { distributed: await hasWriteQuorum(egress, signal), capabilities: [] }
}

/** Servers that spread objects over drives tell how many of them a write needs; anybody may ask. */
async function hasWriteQuorum({ origin, dispatcher }: Egress, signal: AbortSignal): Promise<boolean> {
  const { statusCode, headers, body } = await dispatcher.request({
    origin,
    path: '/minio/health/cluster',
    method: 'GET',
    signal,
  })
  await body.dump()
  return statusCode === 200 && Boolean(headers['x-minio-write-quorum'])
}
