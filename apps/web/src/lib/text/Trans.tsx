import i18next from 'i18next'
import { cloneElement, isValidElement, type ReactNode } from 'react'
import { Trans as I18nextTrans } from 'react-i18next/TransWithoutContext'
import { optionsFor, useT } from './i18n.ts'
import type { Literal, Message, Plural, Values, ValuesFor } from './message.ts'

/** The element names in a text: `name` and `b` for `Delete <name/> with <b>everything</b> in it`. */
type Elements<T extends string> = T extends `${string}<${infer Tag}>${infer Rest}`
  ? (Tag extends `/${string}` ? never : Tag extends `${infer Name}/` ? Name : Tag) | Elements<Rest>
  : never

type Needs<T extends string> = {
  /** The elements for `<name/>` and `<b>…</b>`. */
  parts: { readonly [Name in Elements<T>]: ReactNode }
} & (ValuesFor<T> extends [values?: Values] ? { values?: Values } : { values: ValuesFor<T>[0] })

type TransProps<T extends string> =
  | ({ text: Message<T> } & Needs<T>)
  | ({ text: Plural<T>; values: { readonly count: number } } & Needs<T>)
  | ({ text: T & Literal<T> } & Needs<T>)

/** A translated sentence that contains elements; the translation decides their positions. */
export function Trans<const T extends string>({ text, values, parts }: TransProps<T>) {
  // Rerenders when the language changes.
  useT()
  const components = Object.fromEntries(
    Object.entries<ReactNode>(parts).map(([name, node]) => [name, <Part key={name} node={node} />]),
  )
  const key = typeof text === 'string' ? text : text.other
  return (
    <I18nextTrans i18n={i18next} i18nKey={key as never} tOptions={optionsFor(text, values)} components={components} />
  )
}

function Part({ node, children }: { node: ReactNode; children?: ReactNode }) {
  return children && isValidElement(node) ? cloneElement(node, {}, children) : node
}
