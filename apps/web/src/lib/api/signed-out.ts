import { createStore } from '../store.ts'

/**
 * Why the sign-in page covers the current page: the session ended, or the console does not respond. The covered page keeps its
 * state and input, and is shown again after a sign-in by the same user.
 */
export type SignedOut = { reason: 'expired' | 'unreachable' } | undefined

export const signedOut = createStore<SignedOut>(undefined)

/** Whether a page that needs a session is open. If not, the router's guard redirects to /login instead. */
let inShell = false
export const markShellEntered = () => {
  inShell = true
}
export const isInShell = () => inShell
export const markShellLeft = () => {
  inShell = false
  signedOut.set(undefined)
}

/** Called for every 401 response and every call without a response, also by transfers. */
export function loseSession(reason: 'expired' | 'unreachable') {
  if (inShell && signedOut.get()?.reason !== reason) signedOut.set({ reason })
}
