/**
 * Where in a YAML text of maps and lists a place is: the names of the fields around it, without the numbers of lists.
 * @param offset in characters
 * @returns as in `['spec', 'pools']`; the field of the line itself is not part of it
 */
export function yamlPathAt(text: string, offset: number): string[] {
  const before = text.slice(0, offset).split('\n')
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n', 1)[0] ?? ''
  let depth = indentOf(line)
  const path: string[] = []
  for (const above of before.slice(0, -1).reverse()) {
    if (above.trim() === '' || above.trimStart().startsWith('#')) continue
    const indent = indentOf(above)
    // A list may stand as far left as the field that holds it.
    const holdsList = isItem(line) && path.length === 0 && indent === dashOf(line) && !isItem(above)
    if (indent >= depth && !holdsList) continue
    depth = Math.min(depth, indent)
    const name = fieldOf(above)
    if (name !== undefined) path.unshift(name)
    // An item of a list: what holds the list is further left than its dash.
    if (isItem(above)) depth = dashOf(above) + (holdsList ? 0 : 1)
  }
  return path
}

const isItem = (line: string) => /^\s*-(\s|$)/.test(line)
const dashOf = (line: string) => line.length - line.trimStart().length
/** Of the field of a line: behind the dash of an item. */
const indentOf = (line: string) => /^\s*(-\s+)*/.exec(line)?.[0].length ?? 0
const fieldOf = (line: string) => /^\s*(?:-\s+)*["']?([\w./-]+)["']?\s*:(\s|$)/.exec(line)?.[1]
