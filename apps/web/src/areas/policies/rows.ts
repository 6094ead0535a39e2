/** A row of a list of names. */
export interface Named {
  name: string
}

/** Returns names as table rows. A stable function, so that React Query computes the rows only once for each result. */
export const asRows = (names: readonly string[]): Named[] => names.map((name) => ({ name }))
export const nameOf = ({ name }: Named) => name
