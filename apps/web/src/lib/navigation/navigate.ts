import { createBrowserHistory, useLocation } from '@tanstack/react-router'
import { useCallback } from 'react'
import { consoleAddress } from '../base-path.ts'
import type { PageTarget } from './pages.ts'

/** The history of the app, also used by the router. */
export const browserHistory = createBrowserHistory()

/** Opens a page. */
export function navigate(path: PageTarget, { replace = false }: { replace?: boolean } = {}) {
  // The router's own `navigate` would treat `$` and `{}` in a path as parameters, and object keys may contain both.
  if (replace) browserHistory.replace(consoleAddress(path))
  else browserHistory.push(consoleAddress(path))
}

/** Returns the current path below the base path, with the search, to return to after sign-in. */
export function currentPath(): string {
  const { pathname, search } = browserHistory.location
  return consoleAddress('/') === '/' ? pathname + search : `/${pathname.slice(consoleAddress('/').length)}${search}`
}

/**
 * Returns the path of the current page, including the base path, without the search. Compare it to detect that the user left.
 */
export function currentPathname(): string {
  return browserHistory.location.pathname
}

/** Changes search parameters of the current page; `undefined` removes one. */
export function replaceSearch(changes: Record<string, string | undefined>) {
  const { pathname, search } = browserHistory.location
  const params = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') params.delete(name)
    else params.set(name, value)
  }
  const next = params.size > 0 ? `${pathname}?${params}` : pathname
  if (next !== pathname + search) browserHistory.replace(next)
}

/** Keeps view state in the URL: a filter, a sort order, a tab. */
export function useSearchParam(name: string): [string | undefined, (value: string | undefined) => void] {
  const value = useLocation({ select: ({ search }) => (search as Record<string, string | undefined>)[name] })
  return [value, useCallback((next: string | undefined) => replaceSearch({ [name]: next }), [name])]
}
