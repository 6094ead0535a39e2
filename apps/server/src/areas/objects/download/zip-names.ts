import { hash } from 'node:crypto'
import { posix } from 'node:path'
import { shortenFileName } from '../../../lib/http/downloads/file-name.ts'

/**
 * Gives each entry of a zip a unique path: the first one keeps its path, later ones get a number. Paths that some file systems
 * do not distinguish (`A` and `a`, a composed and a decomposed `é`) count as equal, and a file never has the name of a folder.
 *
 * Any two keys may clash, however far apart they are in the listing, so all paths are remembered, as 48-bit hashes (38 bytes
 * each instead of 92). If two paths have the same hash, one of them gets an unnecessary number; with a million paths the chance
 * of that is 1 in 560.
 */
export class ZipNames {
  readonly #taken = new Set<number>()
  /** For the path of a file: the last number given to it; for the path of a folder: its number. */
  readonly #numbers = new Map<number, number>()
  /** The previous folder: its files are listed one after the other. */
  #last = { path: '', free: '' }

  /** @param kept file names that no entry may use */
  constructor(kept: readonly string[] = []) {
    for (const name of kept) this.#taken.add(pathHash(name))
  }

  /** Returns the path for a file. @param path relative, without a trailing slash */
  file(path: string): string {
    const { dir, base } = posix.parse(path)
    const free = this.#free(dir === '' ? base : `${this.#folder(dir)}/${base}`)
    this.#taken.add(pathHash(free))
    return free
  }

  /** Returns the path for a folder entry; undefined if the zip already has it. @param path like in `file` */
  folder(path: string): string | undefined {
    const before = this.#taken.size
    const free = this.#folder(path)
    return this.#taken.size > before ? free : undefined
  }

  #folder(path: string): string {
    if (path === this.#last.path) return this.#last.free
    const { dir, base } = posix.parse(path)
    const free = this.#freeFolder(dir === '' ? base : `${this.#folder(dir)}/${base}`)
    this.#taken.add(folderPathHash(free))
    this.#last = { path, free }
    return free
  }

  /**
   * Returns the path, with a number if a file has it. The result is always the same for one path, so that a folder stays in one
   * piece.
   */
  #freeFolder(path: string): string {
    if (!this.#taken.has(pathHash(path))) return path
    const mark = folderPathHash(path)
    const known = this.#numbers.get(mark)
    if (known !== undefined) return numbered(path, known)
    const free = this.#free(path)
    this.#numbers.set(mark, this.#numbers.get(pathHash(path)) ?? 1)
    return free
  }

  /** Returns the path, or the next numbered one, that neither a file nor a folder has. */
  #free(path: string): string {
    if (!this.#has(path)) return path
    const mark = pathHash(path)
    // Starts at the last number: otherwise a hundred thousand files with the same name would take ten billion lookups.
    for (let n = (this.#numbers.get(mark) ?? 1) + 1; ; n++) {
      const free = numbered(path, n)
      if (this.#has(free)) continue
      this.#numbers.set(mark, n)
      return free
    }
  }

  #has(path: string): boolean {
    return this.#taken.has(pathHash(path)) || this.#taken.has(folderPathHash(path))
  }
}

function numbered(path: string, n: number): string {
  const { dir, name, ext } = posix.parse(path)
  const base = shortenFileName(`${name} (${n})${ext}`)
  return dir === '' ? base : `${dir}/${base}`
}

function pathHash(path: string): number {
  // Upper case merges more letters than lower case does: both small sigmas, `ß` and `ss`.
  return hash('sha256', path.normalize('NFC').toUpperCase(), 'buffer').readUIntLE(0, 6)
}

const folderPathHash = (path: string) => pathHash(`${path}/`)
