import { Fragment, type ReactNode } from 'react'
import { useT } from '../lib/text/i18n.ts'

interface RichProps {
  /** A text with places: `{{n}} buckets`. */
  text: string
  /** Picks the plural form. */
  count?: number
  /** What stands in the places. */
  parts: Record<string, ReactNode>
}

/** A translated sentence with elements in it; the translation decides where they stand. */
export function Rich({ text, count, parts }: RichProps) {
  const t = useT()
  // Each place gets its name between control characters, which no text of ours holds, and is cut out again.
  const marks = Object.fromEntries(Object.keys(parts).map((name) => [name, `\u0001${name}\u0001`]))
  const pieces = t(text, count === undefined ? marks : { ...marks, count }).split('\u0001')
  return pieces.map((piece, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence never change their order
    <Fragment key={i}>{i % 2 === 1 ? parts[piece] : piece}</Fragment>
  ))
}
