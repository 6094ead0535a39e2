import { type ApiFailure, asFailure } from '../api/api.ts'
import { change } from '../api/change.ts'
import { base } from '../base.ts'
import { createStore } from '../store.ts'
import { t } from '../text/i18n.ts'

/** Tabs of one console share it, and it outlives a reload. */
const KEPT = `stowage.restart ${base}`
/** Uptimes are whole seconds, and an answer takes its time. */
const MARGIN_MS = 1500

interface RestartState {
  /** When a change was saved that waits for a restart of the server; ms since 1970. */
  due: number | undefined
  running: boolean
  /** Why the last attempt failed. */
  failure: ApiFailure | undefined
}

const kept = () => Number(localStorage.getItem(KEPT)) || undefined

export const restart = createStore<RestartState>({ due: kept(), running: false, failure: undefined })

window.addEventListener('storage', ({ key }) => {
  if (key === KEPT) restart.set((old) => ({ ...old, due: kept() }))
})

function setDue(due: number | undefined): void {
  if (due === undefined) localStorage.removeItem(KEPT)
  else localStorage.setItem(KEPT, String(due))
  restart.set((old) => ({ ...old, due, failure: undefined }))
}

/** Follows every save of a setting: says whether it is in force, and remembers that a restart is due. */
export function noteSaved({ restart: needed }: { restart: boolean }): string {
  if (!needed) return t('Saved and in force')
  setDue(Date.now())
  return t('Saved. In force after a restart of the server.')
}

/** A restart that anybody has made settles it. @param uptimes seconds that the servers are up, as of `at` (ms since 1970) */
export function noteUptimes(uptimes: readonly number[], at: number): void {
  const { due, running } = restart.get()
  if (due === undefined || running || uptimes.length === 0) return
  if (uptimes.every((seconds) => at - seconds * 1000 - MARGIN_MS > due)) setDue(undefined)
}

/** Restarts the server and waits until it answers. A failure is logged and kept for the banner. */
export async function restartServer(): Promise<void> {
  if (restart.get().running) return
  restart.set((old) => ({ ...old, running: true, failure: undefined }))
  try {
    await change('restartService', { body: {} }, { message: () => t('The server has restarted') })
    setDue(undefined)
  } catch (error) {
    console.error('the server could not be restarted', error)
    restart.set((old) => ({ ...old, failure: asFailure(error) }))
  } finally {
    restart.set((old) => ({ ...old, running: false }))
  }
}
