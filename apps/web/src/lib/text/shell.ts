/** Characters that need no quotes in a shell. */
const plain = /^[\w./:@%+=,-]+$/

/** Returns a word of a command line, quoted if a POSIX shell would otherwise interpret it. */
export function shellWord(text: string): string {
  return plain.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
