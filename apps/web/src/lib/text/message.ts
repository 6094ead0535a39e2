/* Texts are written in English, and the English text is the key of its translations. See CONTRIBUTING.md. */

declare const marked: unique symbol

/**
 * A text that is marked for translation at its definition, with `msg('Size')`. Parameters for texts have this type, so that a
 * text which the extractor cannot find does not compile.
 */
export type Message<T extends string = string> = string & { readonly [marked]: T }

/** A text that depends on `count`, in its English forms; `other` is the key of its translations. */
export interface Plural<T extends string = string> {
  readonly one: string
  readonly other: T
}

/** Values for the placeholders of a text. Numbers are formatted for the language: `1,204,882`. */
export type MessageValues = Readonly<Record<string, string | number>>

type Placeholders<T extends string> = T extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

/** The values that a text needs: one for each `{{placeholder}}`. */
export type ValuesFor<T extends string> = [Placeholders<T>] extends [never]
  ? [values?: MessageValues]
  : [values: { readonly [Name in Placeholders<T>]: string | number }]

type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never

/** A text that is written in the call itself. The extractor cannot follow variables or conditional expressions. */
export type LiteralText<T extends string> = [T] extends [Message]
  ? 'This text is marked already'
  : string extends T
    ? 'Write the text out here, or mark it with msg() where it is defined'
    : IsUnion<T> extends true
      ? 'Write one t() or msg() for each text'
      : T

/** Marks a text for translation at its definition; `t` translates it where it is shown. */
export function msg<const T extends string>(text: T & LiteralText<T>): Message<T> {
  // The mark exists in the type only.
  return text as unknown as Message<T>
}

/** A text with a singular form: `t(plural('{{count}} bucket', '{{count}} buckets'), { count })`. */
export function plural<const T extends string>(one: string, other: T & LiteralText<T>): Plural<T> {
  return { one, other }
}

/** Translates a text. */
export interface Translate {
  <T extends string>(text: Message<T>, ...values: ValuesFor<T>): string
  <T extends string>(text: Plural<T>, values: { readonly count: number } & NonNullable<ValuesFor<T>[0]>): string
  <const T extends string>(text: T & LiteralText<T>, ...values: ValuesFor<T>): string
}
