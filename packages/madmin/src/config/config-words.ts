/** A word of a line of configuration text: `key=value`, or a text alone. */
export interface ConfigWord {
  /** Undefined for a word without `=`. */
  key: string | undefined
  value: string
  /** Why a quoted value that a client entered cannot be read. */
  problem?: 'quote-inside' | 'open-quote'
}

/**
 * Who wrote a text decides what quotes mean:
 * - `client`: a value may be in double or single quotes, and the same quote inside is doubled.
 * - `server`: MinIO writes only double quotes, only around values with blanks, and does not escape quotes inside. So a value
 *   ends at a quote followed by a space and the next key, or at the end of the line. A doubled quote, as our own store writes
 *   it, is one quote. A single quote is a part of the value.
 */
export type ConfigWriter = 'client' | 'server'

/** Parses the words of a line after its name, in linear time, because the text may come from anyone. */
export function* configWords(text: string, writer: ConfigWriter): Generator<ConfigWord> {
  const blank = /\s*/y
  const key = /([A-Za-z0-9_-]+)=/y
  const bare = /\S*/y
  const readQuoted = writer === 'client' ? quotedByClient : quotedByServer(text)
  for (let at = 0; ; ) {
    blank.lastIndex = at
    blank.exec(text)
    at = blank.lastIndex
    if (at >= text.length) return
    key.lastIndex = at
    const name = key.exec(text)?.[1]
    if (name !== undefined) at = key.lastIndex
    const quoted = name === undefined ? undefined : readQuoted(text, at)
    if (quoted) {
      const { end, ...word } = quoted
      yield { key: name, ...word }
      at = end
      continue
    }
    bare.lastIndex = at
    const value = bare.exec(text)?.[0] ?? ''
    yield { key: name, value }
    at = bare.lastIndex
  }
}

/** Reads a quoted value and returns where it ends; undefined if none begins at the position. */
type ReadQuoted = (text: string, at: number) => (Pick<ConfigWord, 'value' | 'problem'> & { end: number }) | undefined

const quotedByClient: ReadQuoted = (text, start) => {
  const quote = text[start]
  if (quote !== '"' && quote !== "'") return undefined
  let value = ''
  for (let at = start + 1; ; ) {
    const found = text.indexOf(quote, at)
    if (found < 0) return { value: value + text.slice(at), problem: 'open-quote', end: text.length }
    value += text.slice(at, found)
    const next = text[found + 1]
    if (next === undefined || /\s/.test(next)) return { value, end: found + 1 }
    if (next !== quote) return { value, problem: 'quote-inside', end: found + 1 }
    value += quote
    at = found + 2
  }
}

function quotedByServer(line: string): ReadQuoted {
  const ends = Array.from(line.matchAll(/"(?=\s+[A-Za-z0-9_-]+=|\s*$)/g), ({ index }) => index)
  let nextEnd = 0
  return (text, at) => {
    while (nextEnd < ends.length && (ends[nextEnd] ?? 0) <= at) nextEnd++
    const end = ends[nextEnd]
    if (text[at] !== '"' || end === undefined) return undefined
    return { value: text.slice(at + 1, end).replaceAll('""', '"'), end: end + 1 }
  }
}
