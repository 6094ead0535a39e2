import { COMMON_KEYS } from '../language/condition-keys.ts'
import type { ConditionLookup } from '../language/condition-values.ts'
import { DIALECTS, type Dialect } from '../language/dialects.ts'
import { compileGlobParts, type Glob, type GlobPart } from './glob.ts'

/** A text in a policy, parsed for `${variables}`. */
export interface VariableTemplate {
  readonly parts: readonly TemplatePart[]
  /** Condition keys that the text needs. */
  readonly keys: readonly string[]
}

type TemplatePart = GlobPart | { key: string }

/** Characters that `${*}`, `${?}` and `${$}` stand for, so that a pattern can contain them. */
const ESCAPES = new Set(['*', '?', '$'])

/**
 * Finds `${key}` of the common keys and, in our dialect, the escapes of `*`, `?` and `$`; all other text is literal, including
 * unknown variables.
 */
export function parseTemplate(text: string, dialect: Dialect): VariableTemplate | undefined {
  const { escapes } = DIALECTS[dialect]
  const parts: TemplatePart[] = []
  let from = 0
  for (const found of text.matchAll(/\$\{([^{}]*)\}/g)) {
    const key = found[1] ?? ''
    const escaped = escapes && ESCAPES.has(key)
    if (!escaped && !COMMON_KEYS.has(key)) continue
    parts.push(
      { text: text.slice(from, found.index), literal: false },
      escaped ? { text: key, literal: true } : { key },
    )
    from = found.index + found[0].length
  }
  if (parts.length === 0) return undefined
  parts.push({ text: text.slice(from), literal: false })
  return { parts, keys: parts.flatMap((part) => ('key' in part ? [part.key] : [])) }
}

/**
 * Returns the parts with each variable replaced by the first value of its key. Without a value, the variable remains literal
 * text or, with `open` and a key that is not known to be absent, may be any text. In our dialect values are literal: a caller
 * named `*` gets no wildcard.
 */
export function fillTemplate(
  template: VariableTemplate,
  values: ConditionLookup,
  dialect: Dialect,
  open = false,
): GlobPart[] {
  return template.parts.map((part) => {
    if ('text' in part) return part
    const given = values.get(part.key)
    const value = given?.[0]
    if (value) return { text: value, literal: DIALECTS[dialect].variablesAreLiteral }
    return open && given === undefined ? { text: '*', literal: false } : { text: `\${${part.key}}`, literal: true }
  })
}

export const globText = (parts: readonly GlobPart[]): string => parts.map((part) => part.text).join('')

/** A template with the values of its variables: as text and as a pattern. */
interface FilledTemplate {
  text: string
  glob: Glob
}

/** Returns a function that fills the template. Requests of one credential often have the same values, so it keeps the last result. */
export function templateFiller(
  template: VariableTemplate,
  dialect: Dialect,
): (values: ConditionLookup, open: boolean) => FilledTemplate {
  let last: (FilledTemplate & { values: readonly (string | undefined)[]; open: boolean }) | undefined
  return (lookup, open) => {
    if (last?.open === open && template.keys.every((key, i) => lookup.get(key)?.[0] === last?.values[i])) return last
    const parts = fillTemplate(template, lookup, dialect, open)
    const values = template.keys.map((key) => lookup.get(key)?.[0])
    last = { values, open, text: globText(parts), glob: compileGlobParts(parts) }
    return last
  }
}
