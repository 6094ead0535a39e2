import { createContext, useContext } from 'react'

/**
 * The `tabIndex` of links and buttons in a row: -1 except in the one row that is in the tab order, so that Tab leaves a list
 * of thousands of rows in a few steps. Undefined outside of lists.
 */
export const RowTabStop = createContext<number | undefined>(undefined)
export const useRowTabStop = () => useContext(RowTabStop)
