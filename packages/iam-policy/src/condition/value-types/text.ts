import type { ConditionLookup } from '../../language/condition-values.ts'
import type { ConditionValue } from '../../language/document.ts'
import { compileGlob, globMatches } from '../../match/glob.ts'
import {
  fillTemplate,
  globText,
  parseTemplate,
  templateFiller,
  type VariableTemplate,
} from '../../match/variable-template.ts'
import { checkKnownText } from './known-texts.ts'
import { type ConditionOperator, type ConditionSite, type ConditionTest, ConditionValueError } from './operator.ts'

interface TextOptions {
  /** The final result is negated, so an absent key counts as "not". */
  negate: boolean
  /** Decodes a text in the policy, e.g. from Base64. */
  read?: (text: string) => string
  /** Normalizes both sides before they are compared. */
  fold?: (text: string) => string
  /** Values are patterns with `*` and `?`. */
  pattern?: boolean
}

/** One value of a policy: returns whether a text of the request matches. */
type ValueTest = (given: string, values: ConditionLookup) => boolean

/**
 * Creates an operator on texts. Without a qualifier, or with ForAnyValue, one value of the request must match one of the
 * policy; with ForAllValues every value must, which also holds without any values. Negated operators return the exact opposite,
 * as on servers: `ForAllValues:StringNotEquals` means "not all values match", on AWS it means "no value matches".
 */
export function textOperator(options: TextOptions): ConditionOperator {
  return {
    qualified: true,
    compile(values, site) {
      const tests = values.map((value, index) => valueTest(readPolicyText(value, index, site, options), site, options))
      const fits = anyTest(tests)
      const test: ConditionTest =
        site.qualifier === 'ForAllValues'
          ? (given, lookup) => given.every((text) => fits(text, lookup))
          : (given, lookup) => given.some((text) => fits(text, lookup))
      return options.negate ? (given, lookup) => !test(given, lookup) : test
    },
  }
}

function anyTest(tests: readonly ValueTest[]): ValueTest {
  const [only] = tests
  if (only && tests.length === 1) return only
  return (given, lookup) => tests.some((test) => test(given, lookup))
}

function readPolicyText(value: ConditionValue, index: number, site: ConditionSite, options: TextOptions): string {
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
  const template = parseTemplate(text, site.dialect)
  const fold = options.fold ?? ((same: string) => same)
  if (options.pattern) return patternTest(text, template, site)
  const folded = fold(text)
  if (!template) return (given) => fold(given) === folded
  return (given, values) => fold(given) === fold(globText(fillTemplate(template, values, site.dialect)))
}

function patternTest(text: string, template: VariableTemplate | undefined, site: ConditionSite): ValueTest {
  if (template) {
    const fill = templateFiller(template, site.dialect)
    return (given, values) => globMatches(fill(values, false).glob, given)
  }
  const glob = compileGlob(text)
  return (given) => globMatches(glob, given)
}

const utf8 = new TextDecoder()

/** @throws if the text is not Base64, or its padding is missing; line breaks are accepted, as by servers */
export function parseBase64Text(lines: string): string {
  const text = lines.replace(/[\r\n]/g, '')
  if (/\s/.test(text) || text.length % 4 !== 0) throw new TypeError('base64 comes in groups of four')
  return utf8.decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)))
}
