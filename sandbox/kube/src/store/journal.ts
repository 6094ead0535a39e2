import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxObject } from '../object/stored-object.ts'

export interface KubeJournalEntry {
  readonly revision: number
  readonly kind: string
  readonly object: SandboxObject
  readonly remove: boolean
}

export interface KubeJournal {
  load(): { revision: number; objects: { kind: string; object: SandboxObject }[] }
  append(entry: KubeJournalEntry): void
  close(revision: number, objects: Iterable<{ kind: string; object: SandboxObject }>): void
}

/** Stores nothing: for tests, and for sandboxes that end with their process. */
export function createMemoryJournal(): KubeJournal {
  return { load: () => ({ revision: 0, objects: [] }), append: () => {}, close: () => {} }
}

/**
 * Stores every change as one line of a file, so that acknowledged changes survive any end of the process. When the sandbox
 * starts and closes, the file is rewritten from the remaining objects.
 */
export function openFileJournal(folder: string): KubeJournal {
  const path = join(folder, 'objects.jsonl')
  let file: number | undefined
  const rewrite = (revision: number, objects: Iterable<{ kind: string; object: SandboxObject }>) => {
    const lines = [JSON.stringify({ revision })]
    for (const entry of objects) lines.push(JSON.stringify(entry))
    writeFileSync(`${path}.new`, `${lines.join('\n')}\n`, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  return {
    load() {
      const state = existsSync(path) ? read(readFileSync(path, 'utf8')) : { revision: 0, objects: [] }
      rewrite(state.revision, state.objects)
      file = openSync(path, 'a', 0o600)
      return state
    },
    append(entry) {
      if (file !== undefined) writeSync(file, `${JSON.stringify(entry)}\n`)
    },
    close(revision, objects) {
      if (file === undefined) return
      closeSync(file)
      file = undefined
      rewrite(revision, objects)
    },
  }
}

function read(text: string): { revision: number; objects: { kind: string; object: SandboxObject }[] } {
  const objects = new Map<string, { kind: string; object: SandboxObject }>()
  let revision = 0
  for (const line of text.split('\n')) {
    let entry: Partial<KubeJournalEntry>
    try {
      entry = JSON.parse(line)
    } catch {
      // The last line was cut off when the process ended: that change was never acknowledged.
      continue
    }
    revision = Math.max(revision, entry.revision ?? 0)
    if (!entry.object || entry.kind === undefined) continue
    const { kind, object } = entry
    const key = `${kind}\0${object.metadata.namespace ?? ''}\0${object.metadata.name}`
    if (entry.remove) objects.delete(key)
    else objects.set(key, { kind, object })
  }
  return { revision, objects: [...objects.values()] }
}
