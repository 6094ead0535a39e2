import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { commonText, matcherOf, timesOf } from './audit-match.ts'
import type { AuditRecord } from './audit-record.ts'
import type { Arrival, AuditBatch, AuditKeeper, AuditLimits, AuditSelection } from './audit-source.ts'
import { RecentIds } from './recent-ids.ts'

/** Size of a segment in bytes; a search reads whole segments. */
const SEGMENT_BYTES = 4 << 20
/** Number of recent records remembered, at least, to drop repeated ones. */
const KNOWN = 50_000
/** How long a search may keep other requests waiting (ms). */
const SLICE_MS = 5
const NEWLINE = 10
const DAY = 86_400_000

const LIMITS: AuditLimits = { maxBytes: 2 * 2 ** 30, days: 30 }

/** Number of a segment and, if it is complete, the earliest and latest time in it. */
const SEGMENT = /^audit-(\d+)(?:_(\d+)_(\d+))?\.log$/

/** What is read of a segment. */
interface Wanted {
  matches?: (record: AuditRecord) => boolean
  /** A text that some member of every matching record contains: lines without it need not be parsed. */
  contains?: string
  /** The server's own records are not needed. */
  brief?: boolean
  signal?: AbortSignal | undefined
}

interface Segment {
  file: string
  bytes: number
  /** Earliest and latest time of its records. */
  first: number
  last: number
}

/**
 * Stores audit records in files of the data folder: lines of JSON, each with a checksum, appended and synced before they are
 * acknowledged. The oldest files are deleted if there are too many bytes, or if all their records are too old.
 */
export class AuditStore implements AuditKeeper {
  readonly #folder: string
  readonly #limits: AuditLimits
  readonly #segments: Segment[] = []
  readonly #known = new RecentIds(KNOWN)
  #current: { segment: Segment; handle: FileHandle } | undefined
  #opened: Promise<void> | undefined
  /** The last write; writes run in sequence. */
  #last: Promise<unknown> = Promise.resolve()
  readonly #latest = new Map<string, Arrival>()
  #closed = false

  constructor(folder: string, limits: Partial<AuditLimits> = {}) {
    this.#folder = folder
    this.#limits = { ...LIMITS, ...limits }
  }

  /** Whether any records are stored. */
  async hasRecords(): Promise<boolean> {
    if (this.#segments.length > 0) return true
    return (await readdir(this.#folder).catch(() => [])).some((name) => SEGMENT.test(name))
  }

  /** Returns the latest record of a source; undefined before the first one since the start of this process. */
  async latestOf(source: string): Promise<Arrival | undefined> {
    return this.#latest.get(source)
  }

  /** Stores records that are not stored yet. Resolves with their number once they are on disk. */
  async append(records: readonly AuditRecord[]): Promise<number> {
    const written = this.#last.then(async () => await this.#append(records))
    // A failure must not affect the next write.
    this.#last = written.catch(() => undefined)
    return await written
  }

  async *batches(query: AuditSelection, maxMs = Number.POSITIVE_INFINITY): AsyncGenerator<AuditBatch, void> {
    await this.#open()
    const end = performance.now() + maxMs
    const { newestFirst, signal, brief = false } = query
    const { from, to } = timesOf(query)
    const wanted = { matches: matcherOf(query), contains: commonText(query), brief, signal }
    const direction = newestFirst ? -1 : 1
    const segments = this.#segments.filter(({ first, last }) => last >= from && first < to)
    // In the order in which their records can be part of the answer.
    const ordered = segments.sort(newestFirst ? (a, b) => b.last - a.last : (a, b) => a.first - b.first)
    let found: AuditRecord[] = []
    for (const [i, segment] of ordered.entries()) {
      for await (const record of this.#read(segment, wanted)) found.push(record)
      found.sort((a, b) => direction * (a.at - b.at || (a.id < b.id ? -1 : 1)))
      const next = ordered[i + 1]
      if (!next) break
      const boundary = newestFirst ? next.last : next.first
      if (performance.now() > end) {
        yield Object.assign(found, { searchedTo: boundary })
        return
      }
      // Records of the remaining segments cannot come before these.
      const settled = found.findIndex(({ at }) => (newestFirst ? at <= boundary : at >= boundary))
      const count = settled < 0 ? found.length : settled
      yield found.slice(0, count)
      found = found.slice(count)
    }
    yield found
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#last
    await this.#current?.handle.close()
    this.#current = undefined
  }

  async #append(records: readonly AuditRecord[]): Promise<number> {
    if (this.#closed) throw new Error('The audit store is closed.')
    await this.#open()
    const fresh = [...new Map(records.map((record) => [record.id, record])).values()].filter(
      ({ id }) => !this.#known.has(id),
    )
    if (fresh.length === 0) return 0
    const { segment, handle } = await this.#writable()
    const text = Buffer.from(fresh.map(lineOf).join(''))
    try {
      await handle.appendFile(text)
      await handle.datasync()
    } catch (error) {
      // On a full disk a part was written. Half a line would spoil the next one, which is acknowledged.
      await handle.truncate(segment.bytes).catch(() => undefined)
      throw error
    }
    segment.bytes += text.length
    for (const { at } of fresh) {
      segment.first = Math.min(segment.first, at)
      segment.last = Math.max(segment.last, at)
    }
    for (const { id } of fresh) this.#known.add(id)
    const now = Date.now()
    for (const { source, at } of fresh) this.#latest.set(source, { at: now, lag: Math.max(0, Math.round(now - at)) })
    await this.#dropOld()
    return fresh.length
  }

  #open(): Promise<void> {
    this.#opened ??= this.#readFolder()
    return this.#opened
  }

  async #readFolder(): Promise<void> {
    // Without the folder, nothing has been recorded yet.
    const names = await readdir(this.#folder).catch(() => [])
    for (const file of names.filter((name) => SEGMENT.test(name)).sort()) {
      const bytes = (await stat(join(this.#folder, file))).size
      const [, , first, last] = SEGMENT.exec(file) ?? []
      if (first !== undefined && last !== undefined) {
        this.#segments.push({ file, bytes, first: Number(first), last: Number(last) })
        continue
      }
      const segment: Segment = { file, bytes, first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY }
      for await (const { at, id } of this.#read(segment)) {
        segment.first = Math.min(segment.first, at)
        segment.last = Math.max(segment.last, at)
        this.#known.add(id)
      }
      await this.#seal(segment)
      this.#segments.push(segment)
    }
  }

  /**
   * The matching records of a segment, in the order in which they were written. Lines that a crash cut off or that are damaged
   * are skipped. Other requests are served meanwhile.
   */
  async *#read(
    segment: Segment,
    { matches = () => true, contains = '', brief = false, signal }: Wanted = {},
  ): AsyncGenerator<AuditRecord> {
    const bytes = await this.#bytesOf(segment)
    const text = JSON.stringify(contains).slice(1, -1)
    let begun = performance.now()
    for (let start = lineWith(bytes, text, 0); start >= 0; ) {
      const end = bytes.indexOf(NEWLINE, start)
      if (end < 0) return
      const record = recordIn(bytes.subarray(start, end), matches, brief)
      if (record) yield record
      start = lineWith(bytes, text, end + 1)
      if (performance.now() - begun < SLICE_MS) continue
      await setImmediate()
      signal?.throwIfAborted()
      begun = performance.now()
    }
  }

  /** The content of a segment; empty if it was deleted in the meantime because it was the oldest. */
  async #bytesOf(segment: Segment): Promise<Buffer> {
    const { file } = segment
    try {
      return await readFile(join(this.#folder, file))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // A write may be renaming the segment.
      await this.#last
      return segment.file === file ? Buffer.alloc(0) : await this.#bytesOf(segment)
    }
  }

  /** Puts the times of a complete segment into its file name, so that it need not be read at the next start. */
  async #seal(segment: Segment): Promise<void> {
    if (segment.first > segment.last) return
    const [first, last] = [Math.max(0, Math.floor(segment.first)), Math.max(0, Math.ceil(segment.last))]
    const file = segment.file.replace(/\.log$/, `_${first}_${last}.log`)
    await rename(join(this.#folder, segment.file), join(this.#folder, file))
    segment.file = file
  }

  async #writable(): Promise<{ segment: Segment; handle: FileHandle }> {
    if (this.#current && this.#current.segment.bytes < SEGMENT_BYTES) return this.#current
    if (this.#current) {
      await this.#current.handle.close()
      await this.#seal(this.#current.segment)
      this.#current = undefined
    }
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const number = Number(SEGMENT.exec(this.#segments.at(-1)?.file ?? '')?.[1] ?? 0) + 1
    const file = `audit-${String(number).padStart(10, '0')}.log`
    const handle = await open(join(this.#folder, file), 'ax', 0o600)
    const segment = { file, bytes: 0, first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY }
    this.#segments.push(segment)
    this.#current = { segment, handle }
    return this.#current
  }

  async #dropOld(): Promise<void> {
    const oldest = Date.now() - this.#limits.days * DAY
    let bytes = this.#segments.reduce((sum, segment) => sum + segment.bytes, 0)
    for (const segment of [...this.#segments]) {
      const isCurrent = segment === this.#current?.segment
      if (isCurrent || (bytes <= this.#limits.maxBytes && segment.last >= oldest)) continue
      await rm(join(this.#folder, segment.file), { force: true })
      this.#segments.splice(this.#segments.indexOf(segment), 1)
      bytes -= segment.bytes
    }
  }
}

/** Returns the offset of the next line that contains the text, -1 if no line does. @param from the beginning of a line */
function lineWith(bytes: Buffer, text: string, from: number): number {
  const found = bytes.indexOf(text, from)
  // Not before `from`: without a line end the search would go back to an earlier line.
  return found < 0 || from >= bytes.length ? -1 : Math.max(from, bytes.lastIndexOf(NEWLINE, found) + 1)
}

/** The member with the server's own record: the last one, and most of the bytes. */
const RAW = ',"raw":'
const CHECKSUM = '00000000 '
const checksumOf = (json: string | Buffer) => `${crc32(json).toString(16).padStart(8, '0')} `

function lineOf({ raw, rawText = JSON.stringify(raw), ...record }: AuditRecord): string {
  const json = `${JSON.stringify(record).slice(0, -1)}${RAW}${rawText}}`
  return `${checksumOf(json)}${json}\n`
}

/** Members that records written by the first release do not have, and the server's own record, which is not always read. */
const LATER_MEMBERS = { user: '', consoleRequest: '', raw: {} }

/**
 * The record in a line; undefined if the line is damaged or the record does not match. What a search asks about is in front of
 * the server's own record, so that is parsed for matching records only.
 */
function recordIn(line: Buffer, matches: (record: AuditRecord) => boolean, brief: boolean): AuditRecord | undefined {
  const json = line.subarray(CHECKSUM.length)
  if (line.toString('latin1', 0, CHECKSUM.length) !== checksumOf(json)) return undefined
  // A quote inside a text is escaped, so this cannot be a part of one.
  const raw = json.indexOf(RAW)
  const head = raw < 0 ? json.toString() : `${json.toString('utf8', 0, raw)}}`
  const record = { ...LATER_MEMBERS, ...(JSON.parse(head) as AuditRecord) }
  if (!matches(record)) return undefined
  return raw < 0 || brief ? record : { ...LATER_MEMBERS, ...(JSON.parse(json.toString()) as AuditRecord) }
}
