/** A row of a list of names. */
export interface Named {
  name: string
}

/** Names as rows of a table. One function, so that the rows are made once for an answer. */
export const asRows = (names: readonly string[]): Named[] => names.map((name) => ({ name }))
export const nameOf = ({ name }: Named) => name
