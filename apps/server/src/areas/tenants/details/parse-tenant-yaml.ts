import type { TenantObject } from '@stowage/kube'
import { type Document, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { ParserTask } from '../../../lib/threads/parser-task.ts'

/** Maximum number of aliases that a text may resolve, against "billion laughs" attacks. */
const MAX_ALIASES = 100

export interface EditedTenant {
  apiVersion?: unknown
  kind?: unknown
  metadata?: {
    name?: unknown
    namespace?: unknown
    uid?: unknown
    labels?: Record<string, string>
    annotations?: Record<string, string>
    finalizers?: string[]
  }
  spec?: TenantObject['spec']
}

/** Why a text is not a tenant: the parser's message, or the key that is written twice and its line. */
export type TenantYamlProblem = { message?: string } | { duplicate: { key: string; line: number } }

/** Reads the text of a tenant. Texts can be made for which the parser needs minutes, so only worker threads do this. */
export const readTenantYaml: ParserTask<string, { tenant: EditedTenant } | { problem: TenantYamlProblem }> = {
  name: 'readTenantYaml',
  run(text) {
    const lines = new LineCounter()
    // The parser's own search for equal keys compares each key with all others.
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: true, lineCounter: lines })
    const [error] = document.errors
    if (error) return { problem: { message: error.message } }
    const duplicate = findDuplicateKey(document)
    if (duplicate) return { problem: { duplicate: { key: duplicate.key, line: lines.linePos(duplicate.offset).line } } }
    let value: unknown
    try {
      value = document.toJS({ maxAliasCount: MAX_ALIASES })
    } catch (failure) {
      return { problem: { message: (failure as Error).message } }
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { problem: {} }
    return { tenant: withoutPrototypes(value) as EditedTenant }
  },
}

/** Returns the first key that a map has twice. Keys that are no scalars are not compared: a tenant has none. */
function findDuplicateKey(document: Document): { key: string; offset: number } | undefined {
  let found: { key: string; offset: number } | undefined
  visit(document, {
    Map(_position, map) {
      const keys = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        if (keys.has(key.value)) {
          found = { key: String(key.value).slice(0, 200), offset: key.range?.[0] ?? 0 }
          return visit.BREAK
        }
        keys.add(key.value)
      }
      return undefined
    },
  })
  return found
}

/** Removes `__proto__`: JSON.parse turns it into a member that a later assignment would treat as the prototype. */
function withoutPrototypes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, member) => (key === '__proto__' ? undefined : member))
}
