import type { Session } from '@stowage/contract'
import { useSyncExternalStore } from 'react'
import { queryClient } from '../lib/api/query.ts'
import { signedOut } from '../lib/api/signed-out.ts'

const readSession = () => queryClient.getQueryData<Session>(['getSession', {}])

/** Subscribes to the cache as a whole, because the query is removed and created again at sign-in. */
function subscribe(listener: () => void): () => void {
  const leaveCache = queryClient.getQueryCache().subscribe(listener)
  const leaveStore = signedOut.subscribe(listener)
  return () => {
    leaveCache()
    leaveStore()
  }
}

/**
 * Returns the session that transfers may use. Undefined while the sign-in page covers the page, also if the console is
 * unreachable: transfers are then held and continue when it responds again, however long that takes.
 */
const activeSession = () => (signedOut.get() ? undefined : readSession())

export const useTransferSession = (): Session | undefined => useSyncExternalStore(subscribe, activeSession)
