import type { Session } from '@stowage/contract'
import { useSyncExternalStore } from 'react'
import { queryClient } from '../lib/query.ts'
import { signedOut } from '../lib/signed-out.ts'

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

/** The session that transfers may use now; none while the sign-in page waits for a new one. */
const current = () => (signedOut.get()?.reason === 'expired' ? undefined : readSession())

export const useTransferSession = (): Session | undefined => useSyncExternalStore(subscribe, current)
