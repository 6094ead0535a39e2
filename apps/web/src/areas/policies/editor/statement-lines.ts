import { jsonLanguage } from '@codemirror/lang-json'
import type { SyntaxNode } from '@lezer/common'

/** A range of lines, counted from 1, both ends included. */
export interface LineRange {
  from: number
  to: number
}

/** Returns the lines of each statement in a policy text. For invalid JSON it returns the statements that can be recognized. */
export function statementLines(text: string): LineRange[] {
  const root = jsonLanguage.parser.parse(text).topNode.firstChild
  const list = root?.name === 'Object' ? statementNodes(root, text) : undefined
  const starts = lineStarts(text)
  return (list ?? []).map(({ from, to }) => ({ from: lineAt(starts, from), to: lineAt(starts, to) }))
}

function statementNodes(root: SyntaxNode, text: string): SyntaxNode[] | undefined {
  const property = root.getChildren('Property').find((node) => {
    const name = node.getChild('PropertyName')
    return name && text.slice(name.from, name.to).toLowerCase() === '"statement"'
  })
  const value = property?.lastChild
  if (value?.name === 'Object') return [value]
  return value?.name === 'Array' ? value.getChildren('Object') : undefined
}

function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
}

function lineAt(starts: readonly number[], offset: number): number {
  const after = starts.findIndex((start) => start > offset)
  return after < 0 ? starts.length : after
}
