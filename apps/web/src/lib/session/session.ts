import type { Session } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/api.ts'
import { q, queryClient } from '../api/query.ts'
import { enteredShell, leftShell, signedOut } from '../api/signed-out.ts'
import { currentPath, navigate } from '../navigation/navigate.ts'
import type { PageAddress, To } from '../navigation/pages.ts'
import { createStore } from '../store.ts'

const sessionQuery = () => ({ ...q('getSession', {}), staleTime: Number.POSITIVE_INFINITY })

/** The session of the page that is shown: every page of the shell has one. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery())
  if (!data) throw new Error('a page of the shell is shown without a session')
  return data
}

/** The session, read once and then kept. */
export async function ensureSession(): Promise<Session> {
  const session = await queryClient.ensureQueryData(sessionQuery())
  if (session.status !== 'ok') throw new Error('the session is not in order')
  enteredShell()
  return session
}

/** Where sign-in leads: kept in this tab's storage, so that it outlives a reload of the sign-in page. */
const RETURN_KEY = 'stowage.return'
export const rememberPlace = (path: string) => sessionStorage.setItem(RETURN_KEY, path)
const takePlace = (): To => {
  const path = sessionStorage.getItem(RETURN_KEY)
  sessionStorage.removeItem(RETURN_KEY)
  // Only a path of our own, whatever stands in the storage. It was the address of a page when it was kept.
  return path?.startsWith('/') && !path.startsWith('//') ? (path as PageAddress) : '/'
}

/** Counts sign-ins by another user than before: the pages start anew then. */
export const epoch = createStore(0)

/**
 * After a successful sign-in. Over a page that was waiting for it, the same user goes on where they were, with what was
 * typed; another user gets the page anew. Otherwise on to the page that was asked for.
 */
export async function enter(): Promise<void> {
  const before = queryClient.getQueryData(sessionQuery().queryKey)
  const session = await call('getSession', {})
  const place = takePlace()
  if (signedOut.get()) {
    const same = before?.user === session.user && before?.server === session.server
    if (!same) {
      queryClient.clear()
      epoch.set((n) => n + 1)
    }
    queryClient.setQueryData(sessionQuery().queryKey, session)
    signedOut.set(undefined)
    if (same) await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getSession' })
    return
  }
  queryClient.clear()
  queryClient.setQueryData(sessionQuery().queryKey, session)
  navigate(place, { replace: true })
}

/** When the console answers again: if the session still holds, back to the page without signing in. */
export async function resume(): Promise<void> {
  try {
    await enter()
  } catch {
    // It holds no longer, or the console is gone again: the sign-in page, which is shown, deals with both.
    if (signedOut.get()) signedOut.set({ reason: 'expired' })
  }
}

/** Who signed in by form, for lists that must not offer to delete the reader; base64 of UTF-8. */
const USER_KEY = 'userLoggedIn'
export function rememberUser(name: string) {
  localStorage.setItem(USER_KEY, btoa(String.fromCodePoint(...new TextEncoder().encode(name))))
}

/** Who signs out does not wait longer than this for the answer (ms): it may be that nothing answers. */
const LOGOUT_MS = 2000

/** Signs out. A failure of the call counts as success: what is kept here goes in any case. */
export async function logout(): Promise<void> {
  // Before the call: its own failure must not bring the sign-in page up over this one.
  leftShell()
  const answered = call('logout', {}).catch((error: unknown) => console.warn('logout failed', error))
  await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, LOGOUT_MS))])
  sessionStorage.removeItem(RETURN_KEY)
  localStorage.setItem(USER_KEY, '')
  navigate('/login')
}

/** Forgets what the session could see. The sign-in page calls it when no page waits below: those need their session. */
export function forgetAnswers() {
  const anonymous = ['getLoginStrategy', 'readyz']
  queryClient.removeQueries({ predicate: ({ queryKey }) => !anonymous.includes(String(queryKey[0])) })
}

/** Sends somebody without a session to the sign-in page, and notes where to come back to. */
export function rememberCurrentPlace() {
  const path = currentPath()
  if (path !== '/' && !path.startsWith('/login')) rememberPlace(path)
}
