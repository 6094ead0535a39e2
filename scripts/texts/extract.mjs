// Finds the translatable texts of a source file, and reports texts that cannot be translated.
import { parseSync, Visitor } from 'oxc-parser'

/** Attributes of elements that contain text for users. */
const READ =
  /^(label|title|placeholder|alt|description|hint|legend|aria-(label|description|valuetext|roledescription))$/
/** Functions that the extractor recognises; they must not be renamed on import. */
const FUNCTIONS = new Set(['t', 'msg', 'plural'])

const hasWord = (text) => /\p{L}{2}/u.test(text)

/** Returns the text of a literal: a string, or a template without expressions. */
function literalText(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked
  return undefined
}

const isCall = (node, name) =>
  node?.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === name

/**
 * @param {string} file its path, for messages
 * @param {string} source
 * @returns {{ texts: { text: string, one?: string, at: string }[], problems: string[] }}
 */
export function extract(file, source) {
  const texts = []
  const problems = []
  /** Constants in this file that contain text. */
  const constants = new Map()
  const lineNumber = (node) => source.slice(0, node.start).split('\n').length
  const problem = (node, what) => problems.push(`${file}:${lineNumber(node)} ${what}`)
  const found = (node, text, one) =>
    texts.push({ text, ...(one === undefined ? {} : { one }), at: `${file}:${lineNumber(node)}` })

  function take(node, [argument], where) {
    const text = literalText(argument)
    if (text !== undefined) return found(node, text)
    if (isCall(argument, 'msg') || isCall(argument, 'plural')) return
    const bare =
      argument?.type === 'Identifier'
        ? constants.has(argument.name)
        : !['MemberExpression', 'CallExpression'].includes(argument?.type) && where !== 'Trans'
    if (bare || where === 'msg')
      problem(node, `${where}() gets a text that is not written out here: mark it with msg()`)
  }

  /** Extracts a reason of the contract: one text, or its two forms. */
  function takeReason(node) {
    const [one, other] =
      node.type === 'ArrayExpression' ? node.elements.map(literalText) : [undefined, literalText(node)]
    if (other === undefined) problem(node, 'a reason is a text that is written out')
    else found(node, other, one)
  }

  /** Extracts the title of a widget of the contract. */
  function takeTitle({ properties }) {
    const title = properties.find(({ key }) => key.name === 'title')
    const text = literalText(title.value)
    if (text === undefined) problem(title, 'the title of a widget is a text that is written out')
    else found(title, text)
  }

  const { program, errors } = parseSync(file, source)
  for (const error of errors) problems.push(`${file} ${error.message}`)

  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type !== 'Identifier') return
      if (literalText(init) !== undefined) constants.set(id.name, literalText(init))
      if (isCall(init, 'useT') && id.name !== 't') problem(id, 'name the result of useT() t')
    },
  }).visit(program)

  new Visitor({
    CallExpression(node) {
      const { callee, arguments: given } = node
      const name = callee.type === 'Identifier' ? callee.name : undefined
      if (name === 't' || name === 'msg') take(node, given, name)
      if (name === 'defineWidgets') for (const widget of given[0]?.elements ?? []) takeTitle(widget)
      if (name === 'defineReasons') for (const { value } of given[0]?.properties ?? []) takeReason(value)
      if (name === 'plural') {
        const [one, other] = given.map(literalText)
        if (one === undefined || other === undefined) problem(node, 'plural() gets a text that is not written out here')
        else found(node, other, one)
      }
      if (callee.type === 'MemberExpression' && callee.object.name === 'toast' && bareText(given[0]))
        problem(node, 'a toast shows a text that is not translated: use t()')
    },
    NewExpression({ callee, arguments: [, body] }) {
      if (callee.name !== 'ApiFailure' || body?.type !== 'ObjectExpression') return
      for (const { key, value } of body.properties)
        if (key?.name === 'message' && bareText(value)) problem(value, 'a failure has a text that is not translated')
    },
    JSXOpeningElement(node) {
      for (const { type, name, value } of node.attributes) {
        if (type !== 'JSXAttribute') continue
        const given = value?.type === 'JSXExpressionContainer' ? value.expression : value
        if (node.name.name === 'Trans' && name.name === 'text') take(node, [given], 'Trans')
        else if (READ.test(name.name) && bareText(given))
          problem(node, `${name.name} has a text that is not translated: use t()`)
      }
    },
    ImportSpecifier({ imported, local }) {
      if (FUNCTIONS.has(imported.name) && local.name !== imported.name)
        problem(local, `import ${imported.name} under its own name`)
    },
    Identifier({ name, typeAnnotation, ...node }) {
      if (typeAnnotation?.typeAnnotation.typeName?.name === 'Translate' && name !== 't' && name !== 'current')
        problem(node, 'name a function of type Translate t')
    },
  }).visit(program)
  return { texts, problems }
}

/** Whether it is a complete text: a literal, or a template of words and values. */
function bareText(node) {
  if (node?.type === 'TemplateLiteral') return node.quasis.some(({ value }) => hasWord(value.cooked))
  const text = literalText(node)
  return text !== undefined && hasWord(text)
}
