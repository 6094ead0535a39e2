import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { DamagedSegmentError, type HistorySegment, StoredHistorySegment } from './history-segment.ts'
import type { HistoryLevel } from './levels.ts'

/** Size of the cache of segments that were read (bytes). */
const CACHE_BYTES = 8 << 20

/** Earlier releases ignore files with this ending. They would set them aside as damaged if they read them. */
const ENDING = '.seg2'
/** Of the files of earlier releases, which are read until they are replaced or too old. */
const FIRST_ENDING = '.seg'
const NAME = /^([\w]+)-(\d+)\.seg2?$/

/** Stores the segments of a history as files. A damaged file is set aside; errors never stop the console. */
export class HistoryFolder {
  readonly #files = new Map<string, number>()
  readonly #cache = new LRUCache<string, StoredHistorySegment>({ maxSize: CACHE_BYTES })

  constructor(
    private readonly folder: string,
    private readonly levels: readonly HistoryLevel[],
    private readonly maxBytes: number,
    private readonly log: { warn(fields: object, message: string): void },
  ) {}

  async open(): Promise<void> {
    const names = await readdir(this.folder).catch(() => [])
    for (const name of names) {
      if (name.endsWith('.new')) await rm(join(this.folder, name), { force: true })
      else if (NAME.test(name)) this.#files.set(name, (await stat(join(this.folder, name))).size)
    }
  }

  get bytes(): number {
    return [...this.#files.values()].reduce((sum, size) => sum + size, 0)
  }

  /** Returns the start times of the stored segments of a level, oldest first. */
  starts(level: HistoryLevel): number[] {
    const starts = [...this.#files.keys()]
      .map((name) => NAME.exec(name))
      .flatMap((match) => (match?.[1] === level.name ? [Number(match[2])] : []))
    return [...new Set(starts)].sort((a, b) => a - b)
  }

  async read(level: HistoryLevel, start: number): Promise<StoredHistorySegment | undefined> {
    const name = segmentFileNames(level, start).find((each) => this.#files.has(each))
    const known = name === undefined ? undefined : this.#cache.get(name)
    if (name === undefined || known) return known
    try {
      const bytes = await readFile(join(this.folder, name))
      const segment = new StoredHistorySegment(bytes)
      this.#cache.set(name, segment, { size: Math.max(1, bytes.length) })
      return segment
    } catch (error) {
      await this.setAside(level, start, error)
      return undefined
    }
  }

  async setAside(level: HistoryLevel, start: number, cause: unknown): Promise<void> {
    const name = segmentFileNames(level, start).find((each) => this.#files.has(each))
    if (name === undefined) return
    this.#files.delete(name)
    this.#cache.delete(name)
    if (!(cause instanceof DamagedSegmentError)) return
    this.log.warn({ err: cause, file: name }, 'a file of the metrics history is damaged and was set aside')
    await rename(join(this.folder, name), join(this.folder, `${name}.damaged`)).catch(() => {})
  }

  /** Stores a segment, replacing its previous version. @throws Error of the file system */
  async write(level: HistoryLevel, segment: HistorySegment): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const [name, ...others] = segmentFileNames(level, segment.start)
    const bytes = await segment.encode()
    const fresh = join(this.folder, `${name}.${process.pid}.new`)
    try {
      await writeFile(fresh, bytes, { mode: 0o600, flush: true })
      await rename(fresh, join(this.folder, name))
    } catch (error) {
      await rm(fresh, { force: true })
      throw error
    }
    this.#files.set(name, bytes.length)
    this.#cache.delete(name)
    for (const other of others) await this.#remove(other)
  }

  /** Deletes segments that are too old, and, above the size limit, the oldest ones of the finest level. */
  async dropOld(now: number): Promise<void> {
    for (const level of this.levels)
      for (const start of this.starts(level))
        if (start + level.span < now - level.keep) await this.#removeAll(level, start)
    for (const level of this.levels)
      for (const start of this.starts(level)) {
        if (this.bytes <= this.maxBytes) return
        await this.#removeAll(level, start)
      }
  }

  async #removeAll(level: HistoryLevel, start: number): Promise<void> {
    for (const name of segmentFileNames(level, start)) await this.#remove(name)
  }

  async #remove(name: string): Promise<void> {
    if (!this.#files.has(name)) return
    await rm(join(this.folder, name), { force: true })
    this.#files.delete(name)
    this.#cache.delete(name)
  }
}

/** The names that a segment may have, the current one first. */
const segmentFileNames = (level: HistoryLevel, start: number) =>
  [`${level.name}-${start}${ENDING}`, `${level.name}-${start}${FIRST_ENDING}`] as const
