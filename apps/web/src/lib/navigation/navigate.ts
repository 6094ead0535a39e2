import { createBrowserHistory, useLocation } from '@tanstack/react-router'
import { useCallback } from 'react'
import { address } from '../base.ts'
import type { To } from './pages.ts'

/** The one history of the app; the router reads it. */
export const history = createBrowserHistory()

/** Goes to a page. */
export function navigate(path: To, { replace = false }: { replace?: boolean } = {}) {
  // Not the router's own `navigate`: it reads `$` and `{}` in a path as parameters, and object keys may hold both.
  if (replace) history.replace(address(path))
  else history.push(address(path))
}

/** Where we are, below the base path and with the search: what to come back to after sign-in. */
export function currentPath(): string {
  const { pathname, search } = history.location
  return address('/') === '/' ? pathname + search : `/${pathname.slice(address('/').length)}${search}`
}

/** The page's own address, base path and all, without its search. Compare it to find out whether the user has left the page. */
export function currentPathname(): string {
  return history.location.pathname
}

/** Changes search parameters of the page that is shown; `undefined` takes one away. */
export function replaceSearch(changes: Record<string, string | undefined>) {
  const { pathname, search } = history.location
  const params = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') params.delete(name)
    else params.set(name, value)
  }
  const next = params.size > 0 ? `${pathname}?${params}` : pathname
  if (next !== pathname + search) history.replace(next)
}

/** View state in the address: a filter, a sort order, a tab. */
export function useSearchParam(name: string): [string | undefined, (value: string | undefined) => void] {
  const value = useLocation({ select: ({ search }) => (search as Record<string, string | undefined>)[name] })
  return [value, useCallback((next: string | undefined) => replaceSearch({ [name]: next }), [name])]
}
