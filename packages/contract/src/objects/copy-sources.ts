/** A source of a copy and its target: two keys, or two folders, which end with a slash; a target may be the empty prefix. */
export interface CopyEntry {
  from: string
  to: string
}

/** The sources of a copy, prepared for lookups that cost the logarithm of their number. */
export class CopySources {
  /** All sources, sorted by UTF-16 units, so that those below a prefix are neighbours. */
  readonly #sorted: string[]
  /** The source folders that are in no other source folder, sorted: at most one of them contains a key. */
  readonly #folders: string[] = []
  readonly #keys: ReadonlySet<string>

  constructor(entries: readonly CopyEntry[]) {
    this.#sorted = [...new Set(entries.map(({ from }) => from))].sort()
    this.#keys = new Set(this.#sorted.filter((from) => !isFolderPrefix(from)))
    for (const from of this.#sorted) {
      const last = this.#folders.at(-1)
      if (isFolderPrefix(from) && (last === undefined || !from.startsWith(last))) this.#folders.push(from)
    }
  }

  /** Reports whether a key is a source, or it or a folder lies in a source folder. */
  has(target: string): boolean {
    const folder = this.#folders[firstAfter(this.#folders, target) - 1]
    return this.#keys.has(target) || (folder !== undefined && target.startsWith(folder))
  }

  /** Yields the sources below a prefix. */
  *below(prefix: string): Generator<string> {
    for (let at = firstFrom(this.#sorted, prefix); at < this.#sorted.length; at++) {
      const source = this.#sorted[at]
      if (!source?.startsWith(prefix)) return
      yield source
    }
  }
}

/**
 * Returns a target that would replace a source before it is copied, whatever the bucket contains; undefined if there is none.
 * Whether a folder's content replaces a source depends on its keys: see `possibleReplacements`.
 */
export function replacedSource(entries: readonly CopyEntry[], sources: CopySources): string | undefined {
  return entries.find(({ to }) => sources.has(to))?.to
}

/** A key, or a folder, of a source folder, whose copy would replace a source. */
export interface PossibleReplacement {
  /** If it ends with a slash, any key below it. */
  from: string
  /** The entry that copies it. */
  entry: CopyEntry
}

/** Yields the keys and folders whose copies would replace a source, for folders that are copied to a folder with sources in it. */
export function* possibleReplacements(
  entries: readonly CopyEntry[],
  sources: CopySources,
): Generator<PossibleReplacement> {
  for (const entry of entries) {
    if (!isFolderPrefix(entry.from)) continue
    for (const source of sources.below(entry.to)) yield { from: entry.from + source.slice(entry.to.length), entry }
  }
}

/** Returns a target that is also the target of another entry, or lies in it; undefined if there is none. */
export function sharedCopyTarget(entries: readonly CopyEntry[]): string | undefined {
  let folder: string | undefined
  let before: string | undefined
  for (const to of entries.map((entry) => entry.to).sort()) {
    if (to === before || (folder !== undefined && to.startsWith(folder))) return to
    before = to
    if (isFolderPrefix(to)) folder = to
  }
  return undefined
}

const isFolderPrefix = (text: string) => text === '' || text.endsWith('/')

/** Returns the index of the first text that is equal to `text` or after it. */
const firstFrom = (sorted: readonly string[], text: string) => partition(sorted, (each) => each < text)

/** Returns the index of the first text after `text`. */
const firstAfter = (sorted: readonly string[], text: string) => partition(sorted, (each) => each <= text)

function partition(sorted: readonly string[], isBefore: (text: string) => boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(sorted[middle] ?? '')) low = middle + 1
    else high = middle
  }
  return low
}
