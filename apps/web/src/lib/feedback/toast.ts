import { ApiFailure, asFailure } from '../failure.ts'
import { createStore } from '../store.ts'

/** A message in the snackbar at the bottom left. */
export interface Toast {
  id: number
  message: string
  /** Unfolded by "Details". */
  detail: string
  type: 'message' | 'error'
}

/** Messages hide by themselves: after 5 s, errors after 10 s, not while the pointer or the focus is on them. */
export const TOAST_MS = { message: 5_000, error: 10_000 } as const
/** More than these at once hide the page; the oldest goes first. */
const MOST = 4

export const toasts = createStore<readonly Toast[]>([])
let last = 0

function show(type: Toast['type'], message: string, detail: string) {
  if (message === '') return
  const id = ++last
  // The same error again (a poll that keeps failing) is shown once.
  toasts.set((old) => [...old.filter((t) => t.message !== message), { id, message, detail, type }].slice(-MOST))
}

export const toast = {
  ok(message: string) {
    show('message', message, '')
  },
  error(message: string, detail = '') {
    show('error', message, detail)
  },
  /** Reports a failed call. A 401 is not reported: the sign-in page explains it. */
  failure(error: unknown) {
    const failure = asFailure(error)
    if (error instanceof ApiFailure && (failure.status === 0 || failure.status === 401)) return
    show('error', failure.errorMessage, failure.detailedError)
  },
  close(id: number) {
    toasts.set((old) => old.filter((t) => t.id !== id))
  },
}
