import type { Session } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { asFailure, call } from '../api/api.ts'
import { q, queryClient } from '../api/query.ts'
import { isInShell, markShellEntered, markShellLeft, signedOut } from '../api/signed-out.ts'
import { consoleAddress } from '../base-path.ts'
import { currentPath, navigate } from '../navigation/navigate.ts'
import type { PageAddress, PageTarget } from '../navigation/pages.ts'
import { createStore } from '../store.ts'

const sessionQuery = () => ({ ...q('getSession', {}), staleTime: Number.POSITIVE_INFINITY })

/** Returns the session. Every page inside the layout has one. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery())
  if (!data) throw new Error('a page that needs a session is rendered without one')
  return data
}

/** Returns the session; it is read once and then cached. */
export async function ensureSession(): Promise<Session> {
  const session = await queryClient.ensureQueryData(sessionQuery())
  if (session.status !== 'ok') throw new Error('the session is not valid')
  markShellEntered()
  return session
}

/** The page to open after sign-in, in session storage so that a reload of the sign-in page keeps it. */
const RETURN_KEY = 'stowage.return'
export const rememberReturnPath = (path: string) => sessionStorage.setItem(RETURN_KEY, path)
const takeReturnPath = (): PageTarget => {
  const path = sessionStorage.getItem(RETURN_KEY)
  sessionStorage.removeItem(RETURN_KEY)
  // Accept only a path of this console, because the storage could contain anything.
  return path?.startsWith('/') && !path.startsWith('//') ? (path as PageAddress) : '/'
}

/** Counts sign-ins by a different user. Each one resets all pages. */
export const userEpoch = createStore(0)

/**
 * Continues after a successful sign-in. If a page was waiting below the sign-in page, the same user continues there with their
 * input, and a different user gets a fresh page. Otherwise the requested page is opened.
 */
export async function continueAfterSignIn(): Promise<void> {
  await applyNewSession()
  notifyTabs('signed-in')
}

async function applyNewSession(): Promise<void> {
  signOutUnconfirmed.set(false)
  const before = queryClient.getQueryData(sessionQuery().queryKey)
  const session = await call('getSession', {})
  const place = takeReturnPath()
  if (signedOut.get()) {
    const same = isSameUser(before, session)
    if (same) queryClient.setQueryData(sessionQuery().queryKey, session)
    else resetForUser(session)
    signedOut.set(undefined)
    if (same) await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getSession' })
    return
  }
  clearSessionCache()
  queryClient.setQueryData(sessionQuery().queryKey, session)
  navigate(place, { replace: true })
}

const isSameUser = (before: Session | undefined, now: Session) =>
  before?.user === now.user && before?.server === now.server

/** Discards all data and input of the previous user. */
function resetForUser(session: Session) {
  queryClient.clear()
  queryClient.setQueryData(sessionQuery().queryKey, session)
  userEpoch.set((n) => n + 1)
}

/** Called when the console responds again: if the session is still valid, returns to the page without a sign-in. */
export async function resumeSession(): Promise<void> {
  try {
    await applyNewSession()
  } catch {
    // The session has ended, or the console is unreachable again: the sign-in page, already open, handles both.
    if (signedOut.get()) signedOut.set({ reason: 'expired' })
  }
}

/** The name of the user who signed in by form (Base64 of UTF-8), so that lists do not offer to delete this user. */
const USER_KEY = 'userLoggedIn'
export function rememberUser(name: string) {
  localStorage.setItem(USER_KEY, btoa(String.fromCodePoint(...new TextEncoder().encode(name))))
}

/** The maximum time to wait for the response when signing out (ms): the server may be unreachable. */
const LOGOUT_MS = 2000

/** Whether nothing confirmed the last sign-out, so that this browser may still be signed in. The sign-in page shows it. */
export const signOutUnconfirmed = createStore(false)

/** Signs out. Local data are removed even if the call fails. */
export async function logout(): Promise<void> {
  // Before the call, so that its failure does not open the sign-in page over the current page.
  markShellLeft()
  let isConfirmed = false
  const answered = call('logout', {}).then(
    (answer) => {
      isConfirmed = true
      signOutUnconfirmed.set(false)
      return answer
    },
    (error: unknown) => {
      console.warn('logout failed', error)
      // Every answer of the console takes the cookie away; without one, or with that of a proxy, nobody knows.
      const { reason, requestId } = asFailure(error)
      isConfirmed = reason !== undefined || requestId !== undefined
      signOutUnconfirmed.set(!isConfirmed)
      return undefined
    },
  )
  const answer = await Promise.race([answered, new Promise<undefined>((resolve) => setTimeout(resolve, LOGOUT_MS))])
  signOutUnconfirmed.set(!isConfirmed)
  sessionStorage.removeItem(RETURN_KEY)
  localStorage.setItem(USER_KEY, '')
  notifyTabs('signed-out')
  // The provider ends its own session too, and redirects to the sign-in page.
  if (answer?.redirect) globalThis.location.assign(answer.redirect)
  else navigate('/login')
}

/* All tabs of a browser share one cookie and therefore one session. */

type TabMessage = 'signed-in' | 'signed-out'
let tabs: BroadcastChannel | undefined

const notifyTabs = (message: TabMessage) => tabs?.postMessage(message)

/** Starts to follow sign-ins and sign-outs in other tabs. */
export function followSessionTabs() {
  tabs = new BroadcastChannel(`stowage.session ${consoleAddress('/')}`)
  tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    // As for any call, a failure opens the sign-in page by itself.
    if (data === 'signed-in') void followSignIn().catch(() => undefined)
    else followSignOut()
  }
}

/** If the same user signed in, the page continues. For a different user it is reset, because it shows other permissions. */
async function followSignIn(): Promise<void> {
  if (!isInShell() || signedOut.get()) return await applyNewSession()
  const before = queryClient.getQueryData(sessionQuery().queryKey)
  const session = await call('getSession', {})
  if (isSameUser(before, session)) return
  resetForUser(session)
  navigate('/', { replace: true })
}

function followSignOut() {
  if (!isInShell()) return
  markShellLeft()
  sessionStorage.removeItem(RETURN_KEY)
  navigate('/login', { replace: true })
}

/** Discards all cached data of the session. The sign-in page calls it if no page below it still needs them. */
export function clearSessionCache() {
  const anonymous = ['getLoginStrategy', 'readyz']
  queryClient.removeQueries({ predicate: ({ queryKey }) => !anonymous.includes(String(queryKey[0])) })
}

/** Remembers the current page, to return to it after sign-in. */
export function rememberCurrentPath() {
  const path = currentPath()
  if (path !== '/' && !path.startsWith('/login')) rememberReturnPath(path)
}
