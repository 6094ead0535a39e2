import { createStore, type ValueStore } from '../../lib/store.ts'

/**
 * Why code could not be fetched. `unreachable`: the console does not respond. `gone`: the console was updated after this tab
 * was opened and no longer has the file. `refused`: the file exists, but the browser failed to load it.
 */
type CodeLoadFailure = 'unreachable' | 'gone' | 'refused'

/** The code or the styles of a page or dialog could not be fetched. */
export class CodeLoadError extends Error {
  override readonly name = 'CodeLoadError'
  readonly why: CodeLoadFailure
  constructor(why: CodeLoadFailure, cause: unknown) {
    super(String(cause), { cause })
    this.why = why
  }
}

export interface LazyCodeState<T> {
  value?: T
  /** The error of the last attempt. */
  failure?: unknown
  busy: boolean
}

/** Code that is fetched on first use; after a failure the next use tries again. */
export interface LazyCode<T> {
  state: Pick<ValueStore<LazyCodeState<T>>, 'get' | 'subscribe'>
  /** Fetches the code unless it is loaded. Never rejects: the result is in `state`. */
  fetch(): Promise<void>
  /** Clears the failure, so that the next use tries again. */
  forget(): void
}

export function createLazyCode<T>(load: () => Promise<T>): LazyCode<T> {
  const state = createStore<LazyCodeState<T>>({ busy: false })
  let running: Promise<void> | undefined
  const attempt = async () => {
    state.set((old) => ({ ...old, busy: true }))
    try {
      state.set({ value: await loadTwice(load), busy: false })
    } catch (failure) {
      state.set({ failure, busy: false })
    }
  }
  return {
    state,
    async fetch() {
      if (state.get().value !== undefined) return
      running ??= attempt().finally(() => (running = undefined))
      await running
    },
    forget: () => state.set(({ failure: _, ...rest }) => rest),
  }
}

/** Loads the code, and tries once more if the console has the file: then the cause was a brief network error. */
async function loadTwice<T>(load: () => Promise<T>): Promise<T> {
  const fetchAll = async () => {
    if (failedStyles.size > 0) await fetchFailedStyles()
    return await load()
  }
  try {
    return await fetchAll()
  } catch (error) {
    const missing = await explainLoadError(error)
    if (!(missing instanceof CodeLoadError) || missing.why !== 'refused') throw missing
    return await fetchAll().catch(async (again: unknown) => {
      throw await explainLoadError(again)
    })
  }
}

/** Messages of browsers and Vite for code that could not be fetched. Any other error is a bug in the code itself. */
const FETCH_FAILURE_MESSAGE = /dynamically imported module|importing a module script|unable to preload/i

async function explainLoadError(error: unknown): Promise<unknown> {
  if (!FETCH_FAILURE_MESSAGE.test(String(error))) return error
  // Not all browsers name the file. After an update the app's entry file is missing as well, so it is checked instead.
  const file = /https?:\S+\.(js|css)/.exec(String(error))?.[0] ?? mainScriptUrl()
  try {
    const answer = await fetch(file, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(5000) })
    const why = answer.ok ? 'refused' : answer.status === 404 ? 'gone' : 'unreachable'
    return new CodeLoadError(why, error)
  } catch {
    return new CodeLoadError('unreachable', error)
  }
}

const mainScriptUrl = () => document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? ''

/** Style sheets that could not be fetched. Vite's loader requests each only once and treats it as loaded from then on. */
const failedStyles = new Set<string>()

/** Starts to record style sheets that fail to load. */
export function watchStyleSheets() {
  const note = ({ target }: Event) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    failedStyles.add(target.href)
    target.remove()
  }
  document.head.addEventListener('error', note, { capture: true })
}

function fetchFailedStyles(): Promise<unknown> {
  return Promise.all(
    [...failedStyles].map(
      (href) =>
        new Promise<void>((resolve, reject) => {
          const link = document.createElement('link')
          link.rel = 'stylesheet'
          link.href = href
          link.onload = () => {
            failedStyles.delete(href)
            resolve()
          }
          link.onerror = () => reject(new Error(`Unable to preload CSS for ${href}`))
          document.head.append(link)
        }),
    ),
  )
}
