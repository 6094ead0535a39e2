import { useLocation } from '@tanstack/react-router'
import { browserHistory } from '../../../lib/navigation/navigate.ts'
import { filterParam } from '../../../ui/table/use-filter.ts'
import { sortParam } from '../../../ui/table/use-table-model.ts'

/** The name of the table of a folder's entries. */
export const ENTRIES_TABLE = 'objects'

/** Search parameters that select a past state of the bucket. They are kept while the user stays in the bucket. */
const pastParams = ['at', 'deleted']

/** Search parameters of the list. They are kept while its objects are opened, and dropped when another folder is opened. */
const viewParams = [sortParam(ENTRIES_TABLE), filterParam(ENTRIES_TABLE), 'starts', ...pastParams]

/** Returns the list's parameters from a search, without the question mark. */
export function pickListParams(search: string): string {
  return pickParams(search, viewParams)
}

/** Returns the parameters that are kept when another folder is opened: those of the past state. */
export function pickPastParams(search: string): string {
  return pickParams(search, pastParams)
}

function pickParams(search: string, names: readonly string[]): string {
  const params = new URLSearchParams(search)
  return new URLSearchParams(
    names.flatMap((name) => (params.has(name) ? [[name, params.get(name) ?? '']] : [])),
  ).toString()
}

/** Returns the list's parameters at this moment, for click handlers. */
export const currentListParams = () => pickListParams(browserHistory.location.search)

/** Returns the list's parameters and rerenders when they change, for links. */
export const useListParams = () => useLocation({ select: ({ searchStr }) => pickListParams(searchStr) })
