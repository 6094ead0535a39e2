import type { Session } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/api.ts'
import { q, queryClient } from '../api/query.ts'
import { enteredShell, isInside, leftShell, signedOut } from '../api/signed-out.ts'
import { address } from '../base.ts'
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
  // Accept only a path of this console, because anything could be in the storage.
  return path?.startsWith('/') && !path.startsWith('//') ? (path as PageAddress) : '/'
}

/** Counts sign-ins by a different user. Each one resets all pages. */
export const epoch = createStore(0)

/**
 * After a successful sign-in. Over a page that was waiting for it, the same user goes on where they were, with what was
 * typed; a different user gets a fresh page. Otherwise the requested page is opened.
 */
export async function enter(): Promise<void> {
  await takeSession()
  tellTabs('signed-in')
}

async function takeSession(): Promise<void> {
  const before = queryClient.getQueryData(sessionQuery().queryKey)
  const session = await call('getSession', {})
  const place = takePlace()
  if (signedOut.get()) {
    const same = isSame(before, session)
    if (same) queryClient.setQueryData(sessionQuery().queryKey, session)
    else startAnew(session)
    signedOut.set(undefined)
    if (same) await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getSession' })
    return
  }
  queryClient.clear()
  queryClient.setQueryData(sessionQuery().queryKey, session)
  navigate(place, { replace: true })
}

const isSame = (before: Session | undefined, now: Session) => before?.user === now.user && before?.server === now.server

/** Nothing of the user before is left: neither what was read nor what was typed. */
function startAnew(session: Session) {
  queryClient.clear()
  queryClient.setQueryData(sessionQuery().queryKey, session)
  epoch.set((n) => n + 1)
}

/** When the console answers again: if the session still holds, back to the page without signing in. */
export async function resume(): Promise<void> {
  try {
    await takeSession()
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
  const answered = call('logout', {}).catch((error: unknown) => {
    console.warn('logout failed', error)
    return undefined
  })
  const answer = await Promise.race([answered, new Promise<undefined>((resolve) => setTimeout(resolve, LOGOUT_MS))])
  sessionStorage.removeItem(RETURN_KEY)
  localStorage.setItem(USER_KEY, '')
  tellTabs('signed-out')
  // The provider ends its own session and comes back to the sign-in page.
  if (answer?.redirect) globalThis.location.assign(answer.redirect)
  else navigate('/login')
}

/* The tabs of a browser share one cookie, so they share its session too. */

type TabMessage = 'signed-in' | 'signed-out'
let tabs: BroadcastChannel | undefined

const tellTabs = (message: TabMessage) => tabs?.postMessage(message)

/** From now on this tab follows what happens to the session in the others. */
export function followTabs() {
  tabs = new BroadcastChannel(`stowage.session ${address('/')}`)
  tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    // A failure leads to the sign-in page by itself, as that of any call.
    if (data === 'signed-in') void followSignIn().catch(() => undefined)
    else followSignOut()
  }
}

/** The same user goes on as before. A page of a different user is reset: it must not act with rights that it does not show. */
async function followSignIn(): Promise<void> {
  if (!isInside() || signedOut.get()) return await takeSession()
  const before = queryClient.getQueryData(sessionQuery().queryKey)
  const session = await call('getSession', {})
  if (isSame(before, session)) return
  startAnew(session)
  navigate('/', { replace: true })
}

function followSignOut() {
  if (!isInside()) return
  leftShell()
  sessionStorage.removeItem(RETURN_KEY)
  navigate('/login', { replace: true })
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
