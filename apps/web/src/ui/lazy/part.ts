import { createStore, type Store } from '../../lib/store.ts'

/**
 * Why a part of the program is not there: the console does not answer; it answers and no longer has this part, because it
 * was updated since this tab was opened; or it has the part and the browser will not take it.
 */
type Why = 'unreachable' | 'gone' | 'refused'

/** The code or the styles of a page or dialog could not be fetched. */
export class MissingPart extends Error {
  override readonly name = 'MissingPart'
  readonly why: Why
  constructor(why: Why, cause: unknown) {
    super(String(cause), { cause })
    this.why = why
  }
}

export interface PartState<T> {
  value?: T
  /** Why the last attempt failed. */
  failure?: unknown
  busy: boolean
}

/** Code that is fetched when it is needed, and again when that failed. */
export interface Part<T> {
  state: Pick<Store<PartState<T>>, 'get' | 'subscribe'>
  /** Fetches it unless it is there. Never rejects: how it went is in `state`. */
  fetch(): Promise<void>
  /** Forgets the failure, so that the next use tries again. */
  forget(): void
}

export function createPart<T>(load: () => Promise<T>): Part<T> {
  const state = createStore<PartState<T>>({ busy: false })
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

/** Once more when the console does have the part: then the network only hiccuped. */
async function loadTwice<T>(load: () => Promise<T>): Promise<T> {
  const fetchAll = async () => {
    if (failedStyles.size > 0) await fetchFailedStyles()
    return await load()
  }
  try {
    return await fetchAll()
  } catch (error) {
    const missing = await explain(error)
    if (!(missing instanceof MissingPart) || missing.why !== 'refused') throw missing
    return await fetchAll().catch(async (again: unknown) => {
      throw await explain(again)
    })
  }
}

/** What browsers and Vite say when a part cannot be fetched; other errors are mistakes in the part itself. */
const notFetched = /dynamically imported module|importing a module script|unable to preload/i

async function explain(error: unknown): Promise<unknown> {
  if (!notFetched.test(String(error))) return error
  // Not every browser names the file. After an update the program's first file is gone as well.
  const file = /https?:\S+\.(js|css)/.exec(String(error))?.[0] ?? firstFile()
  try {
    const answer = await fetch(file, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(5000) })
    const why = answer.ok ? 'refused' : answer.status === 404 ? 'gone' : 'unreachable'
    return new MissingPart(why, error)
  } catch {
    return new MissingPart('unreachable', error)
  }
}

const firstFile = () => document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? ''

/** Style sheets of parts that could not be fetched. Vite's loader asks for each once, and takes it for loaded then. */
const failedStyles = new Set<string>()

/** Notes from now on which style sheets fail. */
export function watchStyles() {
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
