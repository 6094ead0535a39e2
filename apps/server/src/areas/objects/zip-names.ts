import { hash } from 'node:crypto'
import { posix } from 'node:path'
import { cutName } from '../../lib/http/file-name.ts'

/**
 * Gives each entry of a zip a path of its own: the first one keeps its path, later ones get a number. Paths that some file
 * systems do not distinguish (`A` and `a`, a composed and a decomposed `é`) count as equal, and a file never has the name of a
 * folder.
 *
 * Any two keys may clash, however far apart they are in the listing, so all paths are kept, as hashes of 48 bits (38 bytes
 * each instead of 92; yazl keeps a kilobyte of each entry anyway). If two paths have the same hash, one of them gets a number
 * without need; with a million paths the chance of that is 1 in 560.
 */
export class ZipNames {
  readonly #taken = new Set<number>()
  /** For a file's path: the last number given to it; for a folder's: its number. */
  readonly #numbers = new Map<number, number>()
  /** The folder before: its files come one after the other. */
  #last = { path: '', free: '' }

  /** @param kept file names that no entry gets */
  constructor(kept: readonly string[] = []) {
    for (const name of kept) this.#taken.add(markOf(name))
  }

  /** The path for a file. @param path relative, without a slash at its end */
  file(path: string): string {
    const { dir, base } = posix.parse(path)
    const free = this.#free(dir === '' ? base : `${this.#folder(dir)}/${base}`)
    this.#taken.add(markOf(free))
    return free
  }

  /** The path for an entry of a folder; undefined when the zip has the folder. @param path as of `file` */
  folder(path: string): string | undefined {
    const before = this.#taken.size
    const free = this.#folder(path)
    return this.#taken.size > before ? free : undefined
  }

  #folder(path: string): string {
    if (path === this.#last.path) return this.#last.free
    const { dir, base } = posix.parse(path)
    const free = this.#freeFolder(dir === '' ? base : `${this.#folder(dir)}/${base}`)
    this.#taken.add(folderMarkOf(free))
    this.#last = { path, free }
    return free
  }

  /** The path itself, unless a file has it. Always the same for one path, so that a folder stays in one piece. */
  #freeFolder(path: string): string {
    if (!this.#taken.has(markOf(path))) return path
    const mark = folderMarkOf(path)
    const known = this.#numbers.get(mark)
    if (known !== undefined) return numbered(path, known)
    const free = this.#free(path)
    this.#numbers.set(mark, this.#numbers.get(markOf(path)) ?? 1)
    return free
  }

  /** The path itself, or the next numbered one, that neither a file nor a folder has. */
  #free(path: string): string {
    if (!this.#has(path)) return path
    const mark = markOf(path)
    // Starts at the last number: otherwise a hundred thousand files of one name would take ten thousand million lookups.
    for (let n = (this.#numbers.get(mark) ?? 1) + 1; ; n++) {
      const free = numbered(path, n)
      if (this.#has(free)) continue
      this.#numbers.set(mark, n)
      return free
    }
  }

  #has(path: string): boolean {
    return this.#taken.has(markOf(path)) || this.#taken.has(folderMarkOf(path))
  }
}

function numbered(path: string, n: number): string {
  const { dir, name, ext } = posix.parse(path)
  const base = cutName(`${name} (${n})${ext}`)
  return dir === '' ? base : `${dir}/${base}`
}

function markOf(path: string): number {
  // Upper case, because it unites more letters than lower case does: both small sigmas, `ß` and `ss`.
  return hash('sha256', path.normalize('NFC').toUpperCase(), 'buffer').readUIntLE(0, 6)
}

const folderMarkOf = (path: string) => markOf(`${path}/`)
