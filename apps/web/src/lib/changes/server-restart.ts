import { type ApiFailure, asFailure } from '../api/api.ts'
import { consoleBase } from '../base-path.ts'
import { toast } from '../feedback/toast.ts'
import { createStore } from '../store.ts'
import { t } from '../text/i18n.ts'
import { change } from './change.ts'

/** The key in local storage: shared by all tabs of this console, and kept when a page is reloaded. */
const STORAGE_KEY = `stowage.restart ${consoleBase}`
/** Also in local storage: the versions that settings had before the changes that wait for the restart, by target. */
const WAITING_KEY = `stowage.restart.waiting ${consoleBase}`
/** Tolerance for uptimes being whole seconds, and for the duration of the request. */
const MARGIN_MS = 1500

interface RestartState {
  /** When a change was saved that needs a restart of the server, ms since 1970. */
  due: number | undefined
  running: boolean
  /** The error of the last attempt. */
  failure: ApiFailure | undefined
}

const storedDueTime = () => Number(localStorage.getItem(STORAGE_KEY)) || undefined

export const restartState = createStore<RestartState>({ due: storedDueTime(), running: false, failure: undefined })

window.addEventListener('storage', ({ key }) => {
  if (key === STORAGE_KEY) restartState.set((old) => ({ ...old, due: storedDueTime() }))
})

function setDue(due: number | undefined): void {
  if (due === undefined) {
    localStorage.removeItem(STORAGE_KEY)
    localStorage.removeItem(WAITING_KEY)
  } else localStorage.setItem(STORAGE_KEY, String(due))
  restartState.set((old) => ({ ...old, due, failure: undefined }))
}

/** Call after saving a setting. Returns the message for the user, and remembers whether a restart is required. */
export function recordSaved({ restart: needed }: { restart: boolean }): string {
  if (!needed) return t('Saved and in force')
  setDue(Date.now())
  return t('Saved. In force after a restart of the server.')
}

function pendingVersions(): Map<string, string> {
  try {
    return new Map(JSON.parse(localStorage.getItem(WAITING_KEY) ?? '[]'))
  } catch {
    return new Map()
  }
}

/** Call when a change of a target waits for a restart. @param version of the target before the change */
export function recordPendingChange(target: string, version: string): void {
  localStorage.setItem(WAITING_KEY, JSON.stringify([...pendingVersions().set(target, version)]))
}

/** Whether a change of a target waits for a restart, and the server still reports the values from before, as MinIO does. */
export function hasPendingChange(target: string, version: string): boolean {
  return restartState.get().due !== undefined && pendingVersions().get(target) === version
}

/** Clears the required restart if all servers have restarted since. @param uptimes in seconds, as of `at` (ms since 1970) */
export function recordUptimes(uptimes: readonly number[], at: number): void {
  const { due, running } = restartState.get()
  if (due === undefined || running || uptimes.length === 0) return
  if (uptimes.every((seconds) => at - seconds * 1000 - MARGIN_MS > due)) setDue(undefined)
}

/** Restarts the server and waits until it responds. An error is logged and kept for the banner. */
export async function restartServer(): Promise<void> {
  if (restartState.get().running) return
  restartState.set((old) => ({ ...old, running: true, failure: undefined }))
  try {
    await change('restartService', { body: {} }, { message: () => t('The server has restarted') })
    setDue(undefined)
  } catch (error) {
    const failure = asFailure(error)
    if (failure.reason === 'restart-signed-out') {
      // The sign-in page opens, but cannot know that the server has restarted.
      setDue(undefined)
      toast.ok(failure.errorMessage)
      return
    }
    console.error('the server could not be restarted', error)
    restartState.set((old) => ({ ...old, failure }))
  } finally {
    restartState.set((old) => ({ ...old, running: false }))
  }
}
