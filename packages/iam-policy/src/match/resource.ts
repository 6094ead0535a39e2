import type { ConditionLookup } from '../condition/values.ts'
import type { Dialect } from '../document.ts'
import { and, fromBoolean, MAYBE, NO, type Tri, YES } from '../tri.ts'
import { compileGlob, compileParts, type Glob, globMatches, globMatchesPrefix } from './glob.ts'
import type { Target } from './target.ts'
import { fillTemplate, joinParts, parseTemplate, type Template } from './template.ts'

export const S3_ARN = 'arn:aws:s3:::'
export const KMS_ARN = 'arn:minio:kms:::'

/** A resource of a statement, ready to be asked. */
export interface ResourceMatcher {
  /** As written in the policy. */
  readonly source: string
  /** When `open`, a variable without a value may yet get any; otherwise it stays as text. */
  matches(target: Target, values: ConditionLookup, open: boolean): Tri
}

/** The part of a resource that is matched: behind its ARN prefix. Text without one is taken whole. */
export function resourcePattern(resource: string): string {
  if (resource.startsWith(S3_ARN)) return resource.slice(S3_ARN.length)
  if (resource.startsWith(KMS_ARN)) return resource.slice(KMS_ARN.length)
  return resource
}

export function compileResource(source: string, dialect: Dialect): ResourceMatcher {
  const pattern = resourcePattern(source)
  const template = parseTemplate(pattern)
  return { source, matches: template ? variableMatcher(template, dialect) : fixedMatcher(pattern) }
}

function fixedMatcher(pattern: string): ResourceMatcher['matches'] {
  if (pattern === '*') return () => YES
  const glob = compileGlob(pattern)
  const matches = textMatcher(pattern, glob)
  return (target) => (target.isPrefix ? matchPrefix(glob, target.text) : fromBoolean(matches(target.text)))
}

/** The two usual forms, a name and a name with a star at its end, need no glob. */
function textMatcher(pattern: string, glob: Glob): (text: string) => boolean {
  const wildcard = pattern.search(/[*?]/)
  if (wildcard < 0) return (text) => isSame(pattern, text)
  const start = pattern.slice(0, -1)
  if (wildcard === start.length && pattern.endsWith('*')) return (text) => text.startsWith(start)
  return (text) => globMatches(glob, text)
}

function variableMatcher(template: Template, dialect: Dialect): ResourceMatcher['matches'] {
  // One credential asks with the same values again and again, so the last pattern is kept.
  let last: { values: readonly (string | undefined)[]; open: boolean; text: string; glob: Glob } | undefined
  const fill = (lookup: ConditionLookup, open: boolean) => {
    if (last?.open === open && template.keys.every((key, i) => lookup.get(key)?.[0] === last?.values[i])) return last
    const parts = fillTemplate(template, lookup, dialect, open)
    const values = template.keys.map((key) => lookup.get(key)?.[0])
    last = { values, open, text: joinParts(parts), glob: compileParts(parts) }
    return last
  }
  return (target, values, open) => {
    const { text, glob } = fill(values, open)
    const found = target.isPrefix
      ? matchPrefix(glob, target.text)
      : fromBoolean(isSame(text, target.text) || globMatches(glob, target.text))
    const unsure = open && template.keys.some((key) => !values.get(key)?.[0])
    return unsure ? and(found, MAYBE) : found
  }
}

const PREFIX_MATCH = { all: YES, some: MAYBE, none: NO } as const
const matchPrefix = (glob: Glob, prefix: string): Tri => PREFIX_MATCH[globMatchesPrefix(glob, prefix)]

/** The same text, but for the slash that ends a bucket (`b/`) or the key of a folder. */
function isSame(pattern: string, text: string): boolean {
  return pattern === text || (text.endsWith('/') && text.length === pattern.length + 1 && text.startsWith(pattern))
}
