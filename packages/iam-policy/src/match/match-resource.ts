import { both, type Certainty, MAYBE, NO, YES, yesOrNo } from '../language/certainty.ts'
import type { ConditionLookup } from '../language/condition-values.ts'
import { DIALECTS, type Dialect } from '../language/dialects.ts'
import { compileGlob, type Glob, globIncludes, globMatches, globMatchesPrefix } from './glob.ts'
import type { ResourceTarget } from './resource-target.ts'
import { parseTemplate, templateFiller, type VariableTemplate } from './variable-template.ts'

export const S3_ARN = 'arn:aws:s3:::'
export const KMS_ARN = 'arn:minio:kms:::'

/** A compiled resource of a statement. */
export interface ResourceMatcher {
  /** As written in the policy. */
  readonly source: string
  /** With `open`, a variable without a value may get any value; otherwise it remains literal text. */
  matches(target: ResourceTarget, values: ConditionLookup, open: boolean): Certainty
}

/** Returns the part of a resource that is matched: the text after its ARN prefix, or the whole text without one. */
export function resourcePattern(resource: string): string {
  if (resource.startsWith(S3_ARN)) return resource.slice(S3_ARN.length)
  if (resource.startsWith(KMS_ARN)) return resource.slice(KMS_ARN.length)
  return resource
}

export function compileResource(source: string, dialect: Dialect): ResourceMatcher {
  const pattern = resourcePattern(source)
  const template = parseTemplate(pattern, dialect)
  return { source, matches: template ? variableMatcher(template, dialect) : fixedMatcher(pattern, dialect) }
}

/** Whether a pattern and a text are equal, without wildcards. */
type TextEquality = (pattern: string, text: string) => boolean

const isSame: TextEquality = (pattern, text) => pattern === text

/** Equal, except for the slash at the end of a bucket (`b/`) or of the key of a folder. */
const isSameButForSlash: TextEquality = (pattern, text) =>
  pattern === text || (text.endsWith('/') && text.length === pattern.length + 1 && text.startsWith(pattern))

const textEquality = (dialect: Dialect): TextEquality =>
  DIALECTS[dialect].trailingSlashMatches ? isSameButForSlash : isSame

function fixedMatcher(pattern: string, dialect: Dialect): ResourceMatcher['matches'] {
  if (pattern === '*') return () => YES
  const glob = compileGlob(pattern)
  const matches = textMatcher(pattern, glob, textEquality(dialect))
  return (target) => (target.reach === 'exact' ? yesOrNo(matches(target.text)) : matchMany(glob, target))
}

/** The two most common forms, a name and a name with a star at its end, need no glob. */
function textMatcher(pattern: string, glob: Glob, same: TextEquality): (text: string) => boolean {
  const wildcard = pattern.search(/[*?]/)
  if (wildcard < 0) return (text) => same(pattern, text)
  const start = pattern.slice(0, -1)
  if (wildcard === start.length && pattern.endsWith('*')) return (text) => text.startsWith(start)
  return (text) => globMatches(glob, text)
}

function variableMatcher(template: VariableTemplate, dialect: Dialect): ResourceMatcher['matches'] {
  const same = textEquality(dialect)
  const fill = templateFiller(template, dialect)
  return (target, values, open) => {
    const { text, glob } = fill(values, open)
    const found =
      target.reach === 'exact'
        ? yesOrNo(same(text, target.text) || globMatches(glob, target.text))
        : matchMany(glob, target)
    const unsure = open && template.keys.some((key) => values.get(key) === undefined)
    return unsure ? both(found, MAYBE) : found
  }
}

const PREFIX_MATCH = { all: YES, some: MAYBE, none: NO } as const

function matchMany(glob: Glob, { text, reach }: ResourceTarget): Certainty {
  // Bucket names contain no slash.
  if (reach === 'any-bucket' && globIncludes(glob, '/')) return NO
  return PREFIX_MATCH[globMatchesPrefix(glob, text)]
}
