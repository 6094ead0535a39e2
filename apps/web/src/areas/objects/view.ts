import { useLocation } from '@tanstack/react-router'
import { history } from '../../lib/navigation/navigate.ts'

/** Search parameters that say how a folder is shown: they stay while its objects are opened, and go with the folder. */
const viewParams = ['sort', 'filter', 'starts'] as const

/** How the list that a search belongs to is shown, as a search of its own without the question mark. */
export function viewOf(search: string): string {
  const params = new URLSearchParams(search)
  return new URLSearchParams(
    viewParams.flatMap((name) => (params.has(name) ? [[name, params.get(name) ?? '']] : [])),
  ).toString()
}

/** The list's view now, for what happens on a click. */
export const currentView = () => viewOf(history.location.search)

/** The list's view, followed by links. */
export const useView = () => useLocation({ select: ({ searchStr }) => viewOf(searchStr) })
