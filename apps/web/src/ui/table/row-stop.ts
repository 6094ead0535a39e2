import { createContext, useContext } from 'react'

/**
 * The `tabIndex` of links and buttons in a row of a list: -1 unless it is the row in the tab order, so that Tab passes a
 * list of thousands in a few steps. Undefined outside lists.
 */
export const RowStop = createContext<number | undefined>(undefined)
export const useRowStop = () => useContext(RowStop)
