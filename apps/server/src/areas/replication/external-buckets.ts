import { reason } from '@stowage/contract'
import type { Egress } from '@stowage/egress'
import { createMadmin, MadminError } from '@stowage/madmin'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { parseTargetUrl } from './set-replication.ts'

export interface ExternalServer {
  accessKey: string
  secretKey: string
  targetURL: string
  useTLS: boolean
}

const TIMEOUT_MS = 15_000
const SCHEME = /^https?:\/\//i

/**
 * Returns the names of the buckets on another server. @throws HttpError 400 for any failure, because 401 would end the caller's
 * session
 */
export async function listExternalBuckets(
  egress: Egress,
  { accessKey, secretKey, targetURL, useTLS }: ExternalServer,
  signal: AbortSignal,
): Promise<string[]> {
  const { host } = parseTargetUrl(`${useTLS ? 'https' : 'http'}://${targetURL.replace(SCHEME, '')}`)
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  const madmin = createMadmin({
    endpoint: `${useTLS ? 'https' : 'http'}://${host}`,
    credentials: { accessKey, secretKey },
    dispatcher: egress.dispatcher,
    signal: AbortSignal.any([signal, limit]),
  })
  try {
    const { buckets } = await madmin.accountInfo()
    return buckets.map(({ name }) => name)
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof MadminError && (error.status === 401 || error.status === 403)) {
      throw new HttpError(400, reason('remote-credentials'), { field: 'accessKey', cause: error })
    }
    throw new HttpError(400, reason('remote-unreachable'), { field: 'targetURL', cause: error })
  }
}
