import { ApiFailure, asFailure } from '../api/api-failure.ts'
import { createStore } from '../store.ts'

/** A message in the snackbar at the bottom left. */
export interface Toast {
  id: number
  message: string
  /** Hidden until the user presses "Details". */
  detail: string
  type: 'message' | 'error'
}

/** How long a message is shown (ms). It is not hidden while the pointer or the focus is on it. */
export const TOAST_MS = { message: 5_000, error: 10_000 } as const
/** The maximum number of messages, so that they do not cover the page; the oldest is removed first. */
const MAX_TOASTS = 4

export const toasts = createStore<readonly Toast[]>([])
let last = 0

function show(type: Toast['type'], message: string, detail: string) {
  if (message === '') return
  const id = ++last
  // A repeated error, such as of failing polls, is shown once.
  toasts.set((old) => [...old.filter((t) => t.message !== message), { id, message, detail, type }].slice(-MAX_TOASTS))
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
