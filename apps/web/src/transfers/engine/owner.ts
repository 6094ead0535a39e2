import type { Session } from '@stowage/contract'
import { useSyncExternalStore } from 'react'
import { queryClient } from '../../lib/api/query.ts'
import { signedOut } from '../../lib/api/signed-out.ts'

const readSession = () => queryClient.getQueryData<Session>(['getSession', {}])

/** Cleared and refilled at sign-in, so the cache is followed and not one query in it. */
function subscribe(listener: () => void): () => void {
  const leaveCache = queryClient.getQueryCache().subscribe(listener)
  const leaveStore = signedOut.subscribe(listener)
  return () => {
    leaveCache()
    leaveStore()
  }
}

/**
 * The session that transfers may use now. None while the sign-in page lies over the pages, also because the console
 * cannot be reached: what runs is held then, and goes on when it answers again, however long that takes.
 */
const current = () => (signedOut.get() ? undefined : readSession())

export const useTransferSession = (): Session | undefined => useSyncExternalStore(subscribe, current)
