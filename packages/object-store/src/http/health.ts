import { S3Error } from '../lib/errors.ts'
import type { ResponseHeaders, StoreCall } from './call/call.ts'

export const HEALTH_PREFIX = '/minio/health/'

/** Answers health checks. `live` and `ready`: the process runs. `cluster`: enough drives answer to write. */
export async function handleHealth(call: StoreCall): Promise<void> {
  const { method } = call.request
  if (method !== 'GET' && method !== 'HEAD') throw new S3Error('MethodNotAllowed', 'The method is not allowed.')
  const path = call.target.path.slice(HEALTH_PREFIX.length)
  call.record.operation = `health:${path}`
  if (path === 'live' || path === 'ready') {
    call.empty(200)
    return
  }
  if (path !== 'cluster' && path !== 'cluster/read') throw new S3Error('MethodNotAllowed', 'No such health path.')
  const drives = call.engine.drives()
  const known = drives.filter((drive) => drive.state !== 'offline')
  const online = await call.store.driveChecks.count(
    known.map((drive) => drive.path),
    call.store.applied.clusterDeadlineMs,
  )
  const distributed = drives.length > 1
  // With two or more drives a write needs two; a read needs one.
  const needed = path === 'cluster' && distributed ? 2 : 1
  // Consoles use this call to detect the kind of server before sign-in.
  const headers: ResponseHeaders = { 'X-Stowage-Policies': 'aws' }
  if (distributed) headers[path === 'cluster' ? 'X-Minio-Write-Quorum' : 'X-Minio-Read-Quorum'] = needed
  if (path === 'cluster') headers['X-Minio-Storage-Class-Defaults'] = 'true'
  call.empty(online >= needed ? 200 : 503, headers)
}
