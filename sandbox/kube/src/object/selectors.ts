import { kubeErrors } from './kube-api-error.ts'
import { labelValueProblems, qualifiedNameProblems } from './name-rules.ts'

export type LabelSelector = (labels: Readonly<Record<string, string>>) => boolean

/** Fields and values of objects for field selectors. */
export type SelectableFields = Readonly<Record<string, string>>
export interface FieldSelector {
  matches(fields: SelectableFields): boolean
  /** Returns the required value of a field, if the selector requires exactly one. */
  exact(field: string): string | undefined
  readonly fields: readonly string[]
}

type Token = { is: 'word' | 'operator' | 'end'; text: string }

const SELECTOR_OPERATORS = ['==', '!=', '=', '!', '(', ')', ',', '<', '>']

function tokens(text: string): Token[] {
  const all: Token[] = []
  let at = 0
  while (at < text.length) {
    if (/\s/.test(text[at] ?? '')) {
      at++
      continue
    }
    const operator = SELECTOR_OPERATORS.find((each) => text.startsWith(each, at))
    if (operator) {
      all.push({ is: 'operator', text: operator })
      at += operator.length
      continue
    }
    const [word = ''] = /^[^\s=!(),<>]+/.exec(text.slice(at)) ?? []
    all.push({ is: 'word', text: word })
    at += word.length
  }
  all.push({ is: 'end', text: '' })
  return all
}

/**
 * Parses `a=b,c!=d,e in (f,g),h,!i`.
 * @throws ApiError BadRequest
 * @see k8s.io/apimachinery pkg/labels/selector.go
 */
export function parseLabelSelector(text: string): LabelSelector {
  const list = tokens(text)
  if (list.length === 1) return () => true
  let at = 0
  const peek = () => list[at] ?? { is: 'end', text: '' }
  const next = () => list[at++] ?? { is: 'end', text: '' }
  const requirements: LabelSelector[] = []
  for (;;) {
    if (peek().text !== '!' && peek().is !== 'word')
      throw kubeErrors.badRequest(`found '${peek().text}', expected: !, identifier, or 'end of string'`)
    requirements.push(requirement(peek, next))
    const { is, text: found } = next()
    if (is === 'end') break
    if (found !== ',') throw kubeErrors.badRequest(`found '${found}', expected: ',' or 'end of string'`)
    if (peek().text !== '!' && peek().is !== 'word')
      throw kubeErrors.badRequest(`found '${peek().text}', expected: identifier after ','`)
  }
  return (labels) => requirements.every((fits) => fits(labels))
}

function requirement(peek: () => Token, next: () => Token): LabelSelector {
  const negated = peek().text === '!'
  if (negated) next()
  const key = next().text
  const [problem] = qualifiedNameProblems(key)
  if (problem) throw unparsed(`<nil>: Invalid value: ${JSON.stringify(key)}: ${problem}`)
  if (negated) return (labels) => !Object.hasOwn(labels, key)
  const { is, text } = peek()
  if (is === 'end' || text === ',') return (labels) => Object.hasOwn(labels, key)
  const operator = is === 'operator' || ['in', 'notin'].includes(text) ? next().text : ''
  switch (operator) {
    case '=':
    case '==':
    case '!=': {
      const [value] = checked(key, [peek().is === 'word' ? next().text : ''])
      return operator === '!=' ? (labels) => labels[key] !== value : (labels) => labels[key] === value
    }
    case 'in':
    case 'notin': {
      const values = new Set(checked(key, valueList(peek, next)))
      const within: LabelSelector = (labels) => Object.hasOwn(labels, key) && values.has(labels[key] ?? '')
      return operator === 'in' ? within : (labels) => !within(labels)
    }
    case '<':
    case '>': {
      const value = next().text
      if (!/^[+-]?\d+$/.test(value))
        throw unparsed(
          `values[0]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
        )
      const limit = BigInt(value)
      return (labels) => {
        const own = labels[key]
        if (own === undefined || !/^[+-]?\d+$/.test(own)) return false
        return operator === '<' ? BigInt(own) < limit : BigInt(own) > limit
      }
    }
    default:
      throw kubeErrors.badRequest(`found '${text}', expected: ',' or 'end of string'`)
  }
}

function valueList(peek: () => Token, next: () => Token): string[] {
  if (peek().text !== '(') throw unparsed(`found '${peek().text}' expected: '('`)
  next()
  const values: string[] = []
  for (;;) {
    values.push(peek().is === 'word' ? next().text : '')
    const { text } = next()
    if (text === ')') return values
    if (text !== ',') throw unparsed(`found '${text}', expected: ',', or ')'`)
  }
}

function checked(key: string, values: string[]): string[] {
  for (const [n, value] of values.entries()) {
    const [problem] = labelValueProblems(value)
    if (problem) throw unparsed(`values[${n}][${key}]: Invalid value: ${JSON.stringify(value)}: ${problem}`)
  }
  return values
}

const unparsed = (what: string) => kubeErrors.badRequest(`unable to parse requirement: ${what}`)

/** A selector as stored in objects. */
export interface StoredSelector {
  matchLabels?: Record<string, string>
  matchExpressions?: { key: string; operator: string; values?: string[] }[]
}

export function parseStoredSelector({ matchLabels = {}, matchExpressions = [] }: StoredSelector): LabelSelector {
  return (labels) =>
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const own = labels[key]
      if (operator === 'Exists') return own !== undefined
      if (operator === 'DoesNotExist') return own === undefined
      const within = own !== undefined && values.includes(own)
      return operator === 'In' ? within : !within
    })
}

/**
 * Parses `metadata.name=a,status.phase!=Running`.
 * @throws ApiError BadRequest
 * @see k8s.io/apimachinery pkg/fields/selector.go
 */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = text.split(/(?<!\\),/).flatMap((term) => {
    if (term === '') return []
    const [, name, operator, raw = ''] = /^([^=!]*)(!=|==|=)(.*)$/s.exec(term) ?? []
    if (name === undefined) throw kubeErrors.badRequest(`invalid selector: '${text}'; can't understand '${term}'`)
    const unescaped = /(?<!\\)[=]/.exec(raw)
    if (unescaped) throw kubeErrors.badRequest(`invalid field selector: unescaped character in value: 61`)
    return [{ name, not: operator === '!=', value: raw.replace(/\\([\\,=])/g, '$1') }]
  })
  return {
    matches: (fields) => terms.every(({ name, not, value }) => ((fields[name] ?? '') === value) !== not),
    exact: (name) => terms.find((term) => term.name === name && !term.not)?.value,
    fields: terms.map(({ name }) => name),
  }
}
