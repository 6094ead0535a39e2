import type { Op } from '../index-db/types.ts'

/** Changes to the index that are not in it yet, by key. Keys are held as latin1 text, whose order is that of the bytes. */
export class Overlay {
  readonly #ops = new Map<string, Op>()
  /** Made by the first range, kept in order from then on: most overlays are never ranged over. */
  #sorted: string[] | undefined

  get size(): number {
    return this.#ops.size
  }

  get ops(): Op[] {
    return [...this.#ops.values()]
  }

  entries(): IterableIterator<[string, Op]> {
    return this.#ops.entries()
  }

  get(name: string): Op | undefined {
    return this.#ops.get(name)
  }

  set(name: string, op: Op): void {
    if (this.#sorted && !this.#ops.has(name)) this.#sorted.splice(lowerBound(this.#sorted, name), 0, name)
    this.#ops.set(name, op)
  }

  /** Names with `from <= name < to`, in order. */
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
