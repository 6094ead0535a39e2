import type { ConditionValue } from '../document.ts'
import { compileParts, type Glob, globMatches } from '../match/glob.ts'
import { fillTemplate, joinParts, parseTemplate, type Template } from '../match/template.ts'
import { type ConditionSite, type ConditionTest, ConditionValueError, type Operator } from './operator.ts'
import { checkKnownText } from './text-values.ts'
import type { ConditionLookup } from './values.ts'

interface TextOptions {
  /** The result is turned round at the very end, so an absent key counts as "not". */
  negate: boolean
  /** Reads a text of the policy, e.g. base64. */
  read?: (text: string) => string
  /** Brings both sides to one form before they are compared. */
  fold?: (text: string) => string
  /** Values are patterns with `*` and `?`. */
  pattern?: boolean
}

/** One value of a policy: returns whether a text of the request matches. */
type ValueTest = (given: string, values: ConditionLookup) => boolean

/**
 * An operator on texts. Without qualifier, or with ForAnyValue, one value of the request has to fit one of the policy;
 * with ForAllValues each has to, which is so as well when there is none. The negated operators are the plain opposite
 * of that, as servers have it: `ForAllValues:StringNotEquals` says "not all are among", AWS says "none is among".
 */
export function textOperator(options: TextOptions): Operator {
  return {
    qualified: true,
    compile(values, site) {
      const tests = values.map((value, index) => valueTest(textOf(value, index, site, options), site, options))
      const fits = anyOf(tests)
      const test: ConditionTest =
        site.qualifier === 'ForAllValues'
          ? (given, lookup) => given.every((text) => fits(text, lookup))
          : (given, lookup) => given.some((text) => fits(text, lookup))
      return options.negate ? (given, lookup) => !test(given, lookup) : test
    },
  }
}

function anyOf(tests: readonly ValueTest[]): ValueTest {
  const [only] = tests
  if (only && tests.length === 1) return only
  return (given, lookup) => tests.some((test) => test(given, lookup))
}

function textOf(value: ConditionValue, index: number, site: ConditionSite, options: TextOptions): string {
  if (typeof value !== 'string')
    throw new ConditionValueError(`${JSON.stringify(value)} is not a text in quotes`, index)
  const problem = checkKnownText(site.key, value, options.pattern === true)
  if (problem) throw new ConditionValueError(problem, index)
  if (!options.read) return value
  try {
    return options.read(value)
  } catch {
    throw new ConditionValueError(`"${value}" is not base64`, index)
  }
}

function valueTest(text: string, site: ConditionSite, options: TextOptions): ValueTest {
  const template = parseTemplate(text)
  const fold = options.fold ?? ((same: string) => same)
  if (options.pattern) return patternTest(text, template, site)
  const folded = fold(text)
  if (!template) return (given) => fold(given) === folded
  return (given, values) => fold(given) === fold(joinParts(fillTemplate(template, values, site.dialect)))
}

function patternTest(text: string, template: Template | undefined, site: ConditionSite): ValueTest {
  if (template) {
    return (given, values) => globMatches(compileParts(fillTemplate(template, values, site.dialect)), given)
  }
  const glob: Glob = compileParts([{ text, literal: false }])
  return (given) => globMatches(glob, given)
}
