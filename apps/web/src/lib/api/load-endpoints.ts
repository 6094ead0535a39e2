import type { Endpoint, Operation } from '@stowage/contract'
import { sessionEndpoints } from '@stowage/contract/session/endpoints'

let loadedEndpoints: Partial<Record<Operation, Endpoint>> = sessionEndpoints

/** Loads the calls of all areas. The sign-in page needs those of its own area only, so they are not in its chunk. */
export async function loadEndpoints(): Promise<void> {
  loadedEndpoints = (await import('@stowage/contract/endpoints')).endpoints
}

/** Returns a call; its area is loaded if necessary. */
export async function findEndpoint(operation: Operation): Promise<Endpoint> {
  if (!loadedEndpoints[operation]) await loadEndpoints()
  return loadedEndpoints[operation] as Endpoint
}
