import type { JsonMember, JsonNode, JsonObjectNode } from '../json/json-node.ts'
import { kindText } from '../json/json-node.ts'
import type { ProblemCollector } from './problems.ts'

/** Returns the members of an object by their correct names; like on servers, names are case-insensitive. */
export function readMembers<Name extends string>(
  node: JsonObjectNode,
  names: readonly Name[],
  path: string,
  problems: ProblemCollector,
): Partial<Record<Name, JsonMember>> {
  const found: Partial<Record<Name, JsonMember>> = {}
  for (const member of node.members) {
    const written = member.key.value
    const name = names.find((known) => known.toLowerCase() === written.toLowerCase())
    if (name === undefined) {
      const hint = problems.suggestion(written, names)
      problems.warn('UnknownMember', member.key, joinPath(path, written), `is unknown and has no effect${hint}`)
    } else if (found[name]) {
      problems.error('DuplicateMember', member.key, joinPath(path, name), 'is given twice')
    } else found[name] = member
  }
  return found
}

/** Returns a text or an array of texts as an array with their nodes; reports type errors. */
export function readTexts(node: JsonNode, path: string, problems: ProblemCollector): LocatedText[] {
  if (node.kind === 'literal' && node.value === null) return []
  const items = node.kind === 'array' ? node.items : [node]
  return items.flatMap((item, index) => {
    const itemPath = node.kind === 'array' ? `${path}[${index}]` : path
    if (item.kind === 'string') return [{ text: item.value, node: item, path: itemPath }]
    const expected = node.kind === 'array' ? 'a text' : 'a text or an array of texts'
    problems.error('WrongType', item, itemPath, `is ${kindText(item)}, not ${expected}`)
    return []
  })
}

export interface LocatedText {
  text: string
  node: JsonNode
  path: string
}

/** Returns the text of an optional member. */
export function readText(member: JsonMember | undefined, path: string, problems: ProblemCollector): string | undefined {
  if (!member || (member.value.kind === 'literal' && member.value.value === null)) return undefined
  if (member.value.kind === 'string') return member.value.value
  problems.error('WrongType', member.value, path, `is ${kindText(member.value)}, not a text`)
  return undefined
}

export const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)
