/** A row of a list of names. */
export interface NameRow {
  name: string
}

/** Returns names as table rows. A stable function, so that React Query computes the rows only once for each result. */
export const nameRows = (names: readonly string[]): NameRow[] => names.map((name) => ({ name }))
export const rowName = ({ name }: NameRow) => name
