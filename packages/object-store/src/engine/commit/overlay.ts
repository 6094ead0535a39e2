import type { IndexOp } from '../../index-db/ordered-index.ts'

/** Changes that are not applied to the index yet, by key. Keys are stored as latin1 text, which sorts like the bytes. */
export class Overlay {
  readonly #ops = new Map<string, IndexOp>()
  /** Sorted keys. Created by the first `range`, because most overlays never need it, and kept sorted from then on. */
  #sorted: string[] | undefined

  get size(): number {
    return this.#ops.size
  }

  get ops(): IndexOp[] {
    return [...this.#ops.values()]
  }

  entries(): IterableIterator<[string, IndexOp]> {
    return this.#ops.entries()
  }

  get(name: string): IndexOp | undefined {
    return this.#ops.get(name)
  }

  set(name: string, op: IndexOp): void {
    if (this.#sorted && !this.#ops.has(name)) this.#sorted.splice(lowerBound(this.#sorted, name), 0, name)
    this.#ops.set(name, op)
  }

  /** Returns the names with `from <= name < to`, sorted. */
  names(from: string, to: string): string[] {
    if (this.#ops.size === 0) return []
    this.#sorted ??= [...this.#ops.keys()].sort((a, b) => (a < b ? -1 : 1))
    return this.#sorted.slice(lowerBound(this.#sorted, from), lowerBound(this.#sorted, to))
  }
}

function lowerBound(sorted: string[], name: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? '') < name) low = middle + 1
    else high = middle
  }
  return low
}
