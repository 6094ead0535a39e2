import { useLocation } from '@tanstack/react-router'
import { history } from '../../lib/navigation/navigate.ts'
import { filterParam } from '../../ui/table/use-filter.ts'
import { sortParam } from '../../ui/table/use-table-model.ts'

/** The name of the table of a folder's entries. */
export const TABLE = 'objects'

/** Search parameters that say which past of the bucket is shown: they stay as long as one stays in the bucket. */
const pastParams = ['at', 'deleted']

/** Search parameters that say how a folder is shown: they stay while its objects are opened, and go with the folder. */
const viewParams = [sortParam(TABLE), filterParam(TABLE), 'starts', ...pastParams]

/** How the list that a search belongs to is shown, as a search of its own without the question mark. */
export function viewOf(search: string): string {
  return pick(search, viewParams)
}

/** What of a view goes along into another folder: the past that is shown. */
export function pastOf(search: string): string {
  return pick(search, pastParams)
}

function pick(search: string, names: readonly string[]): string {
  const params = new URLSearchParams(search)
  return new URLSearchParams(
    names.flatMap((name) => (params.has(name) ? [[name, params.get(name) ?? '']] : [])),
  ).toString()
}

/** The list's view now, for what happens on a click. */
export const currentView = () => viewOf(history.location.search)

/** The list's view, followed by links. */
export const useView = () => useLocation({ select: ({ searchStr }) => viewOf(searchStr) })
