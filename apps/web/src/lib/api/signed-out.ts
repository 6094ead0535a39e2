import { createStore } from '../store.ts'

/**
 * Why the sign-in page lies over the page that the user was on: the session ended, or the console does not answer.
 * The page below stays as it is, with what was typed, and comes back after sign-in by the same user.
 */
export type SignedOut = { reason: 'expired' | 'unreachable' } | undefined

export const signedOut = createStore<SignedOut>(undefined)

/** Whether a page that needs a session is shown; before that the router's guard leads to /login. */
let inside = false
export const enteredShell = () => {
  inside = true
}
export const isInside = () => inside
export const leftShell = () => {
  inside = false
  signedOut.set(undefined)
}

/** Called for every answer 401 and for every call without an answer, also by transfers. */
export function loseSession(reason: 'expired' | 'unreachable') {
  if (inside && signedOut.get()?.reason !== reason) signedOut.set({ reason })
}
