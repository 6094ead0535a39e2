import type { AdminEndpoint } from './endpoint.ts'

/**
 * Locks that are held now, for clients that look for stuck ones. Requests of this store hold none: a change is decided
 * in one commit, and readers see a snapshot.
 */
export const topLocks: AdminEndpoint = {
  name: 'TopLocksInfo',
  method: 'GET',
  path: 'top/locks',
  actions: ['TopLocksInfo'],
  handle: (call) => call.json([]),
}
