/** What a shell takes as it is written. */
const plain = /^[\w./:@%+=,-]+$/

/** A word of a command line, quoted where a shell of POSIX would read it otherwise. */
export function shellWord(text: string): string {
  return plain.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
