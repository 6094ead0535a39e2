/**
 * Returns the path of a position in a YAML text: the names of the enclosing fields, without list indices.
 * @param offset in characters
 * @returns for example `['spec', 'pools']`; the field on the line itself is not included
 */
export function yamlPathAt(text: string, offset: number): string[] {
  const before = text.slice(0, offset).split('\n')
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n', 1)[0] ?? ''
  let depth = fieldIndent(line)
  const path: string[] = []
  for (const above of before.slice(0, -1).reverse()) {
    if (above.trim() === '' || above.trimStart().startsWith('#')) continue
    const indent = fieldIndent(above)
    // A list may be indented as far as the field that contains it.
    const holdsList = isItem(line) && path.length === 0 && indent === lineIndent(line) && !isItem(above)
    if (indent >= depth && !holdsList) continue
    depth = Math.min(depth, indent)
    const name = fieldName(above)
    if (name !== undefined) path.unshift(name)
    // For a list item, the enclosing field is indented less than its dash.
    if (isItem(above)) depth = lineIndent(above) + (holdsList ? 0 : 1)
  }
  return path
}

const isItem = (line: string) => /^\s*-(\s|$)/.test(line)
const lineIndent = (line: string) => line.length - line.trimStart().length
/** The indentation of the field on a line, after the dash of a list item. */
const fieldIndent = (line: string) => /^\s*(-\s+)*/.exec(line)?.[0].length ?? 0
const fieldName = (line: string) => /^\s*(?:-\s+)*["']?([\w./-]+)["']?\s*:(\s|$)/.exec(line)?.[1]
