import i18next from 'i18next'
import { cloneElement, isValidElement, type ReactNode } from 'react'
import { Trans as I18nextTrans } from 'react-i18next/TransWithoutContext'
import { i18nOptions, useT } from './i18n.ts'
import type { LiteralText, Message, MessageValues, Plural, ValuesFor } from './message.ts'

/** The element names in a text: `name` and `b` for `Delete <name/> with <b>everything</b> in it`. */
type Elements<T extends string> = T extends `${string}<${infer Tag}>${infer Rest}`
  ? (Tag extends `/${string}` ? never : Tag extends `${infer Name}/` ? Name : Tag) | Elements<Rest>
  : never

type TransParts<T extends string> = {
  /** The elements for `<name/>` and `<b>…</b>`. */
  parts: { readonly [Name in Elements<T>]: ReactNode }
} & (ValuesFor<T> extends [values?: MessageValues] ? { values?: MessageValues } : { values: ValuesFor<T>[0] })

type TransProps<T extends string> =
  | ({ text: Message<T> } & TransParts<T>)
  | ({ text: Plural<T>; values: { readonly count: number } } & TransParts<T>)
  | ({ text: T & LiteralText<T> } & TransParts<T>)

/** A translated sentence that contains elements; the translation decides their positions. */
export function Trans<const T extends string>({ text, values, parts }: TransProps<T>) {
  // Rerenders when the language changes.
  useT()
  const components = Object.fromEntries(
    Object.entries<ReactNode>(parts).map(([name, node]) => [name, <TransPart key={name} node={node} />]),
  )
  const key = typeof text === 'string' ? text : text.other
  return (
    <I18nextTrans i18n={i18next} i18nKey={key as never} tOptions={i18nOptions(text, values)} components={components} />
  )
}

function TransPart({ node, children }: { node: ReactNode; children?: ReactNode }) {
  return children && isValidElement(node) ? cloneElement(node, {}, children) : node
}
