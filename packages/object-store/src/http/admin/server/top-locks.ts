import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'

/**
 * Returns the locks that are held, which is always an empty list: a change is one commit, and readers see a snapshot, so
 * requests of this store hold no locks.
 */
export const topLocksEndpoint: AdminEndpoint = {
  name: 'TopLocksInfo',
  method: 'GET',
  path: 'top/locks',
  handle: (call) => call.json([]),
}
