import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AuditRecord } from '../records/audit-record.ts'
import { createAuditMatcher, findCommonText, selectionTimes } from '../search/audit-match.ts'
import type {
  AuditBatch,
  AuditCounts,
  AuditKeeper,
  AuditLimits,
  AuditSelection,
  SourceArrival,
} from '../search/audit-source.ts'
import { countAuditRecords } from '../search/audit-summary.ts'
import { BlockReader } from './block-reader.ts'
import { readFileRange } from './read-file-range.ts'
import { RecentIds } from './recent-ids.ts'
import { readRecordLines } from './record-lines.ts'
import { SearchQueue } from './search-queue.ts'
import { encodeChunks, encodeIndex, type FileRange, readIndex, SegmentBlocks } from './segment-blocks.ts'
import { canCountBySums, readSums, type SegmentSums, SegmentSumsBuilder, selectCounts } from './segment-sums.ts'

/** Size of a segment in bytes: whole segments are deleted. */
const SEGMENT_BYTES = 4 << 20
/** A segment's index is within its last bytes. */
const INDEX_BYTES = 64 << 10
/** Number of recent records remembered, at least, to drop repeated ones. */
const KNOWN = 50_000
/** Records of which a sync to the drive may follow later are synced together, after this time (ms). */
const SYNC_MS = 100
/** How long a search may keep other requests waiting (ms). */
const SLICE_MS = 5
/** Number of segments whose ends are read at once. */
const READ_AHEAD = 8
/** Compared as texts: before all IDs, and behind all of them. */
const [FIRST_ID, LAST_ID] = ['', '~']
const DAY = 86_400_000

const LIMITS: AuditLimits = { maxBytes: 2 * 2 ** 30, days: 30 }

/** Number of a segment and, if it is complete, the earliest and latest time in it. */
const SEGMENT = /^audit-(\d+)(?:_(\d+)_(\d+))?\.log$/

interface AuditSegment {
  file: string
  bytes: number
  /** Earliest and latest time of its records. */
  first: number
  last: number
  /** Of the segment that is being written, and of complete ones that were searched. */
  blocks?: SegmentBlocks
  /** Of the segment that is being written; where they are in complete ones that have some and were searched. */
  sums?: SegmentSumsBuilder | FileRange | undefined
}

/**
 * Stores audit records in files of the data folder: lines of JSON, each with a checksum, appended and synced before they are
 * acknowledged. The last lines of a complete file are sums, so that a summary needs not read its records, and an index of its
 * blocks, so that a search reads only those that can have records of the page. The oldest files are deleted if there are too
 * many bytes, or if all their records are too old.
 */
export class AuditStore implements AuditKeeper {
  readonly #folder: string
  readonly #limits: AuditLimits
  readonly #log: Pick<Logger, 'warn'> | undefined
  readonly #segments: AuditSegment[] = []
  readonly #known = new RecentIds(KNOWN)
  #current: { segment: AuditSegment; handle: FileHandle } | undefined
  #opened: Promise<void> | undefined
  /** The last write; writes run in sequence. */
  #last: Promise<unknown> = Promise.resolve()
  #syncTimer: NodeJS.Timeout | undefined
  #isSyncFailing = false
  readonly #latest = new Map<string, SourceArrival>()
  #closed = false

  constructor(folder: string, limits: Partial<AuditLimits> = {}, log?: Pick<Logger, 'warn'>) {
    this.#folder = folder
    this.#log = log
    this.#limits = { ...LIMITS, ...limits }
  }

  /** Whether any records are stored. */
  async hasRecords(): Promise<boolean> {
    if (this.#segments.length > 0) return true
    return (await readdir(this.#folder).catch(() => [])).some((name) => SEGMENT.test(name))
  }

  /** Returns the latest record of a source; undefined before the first one since the start of this process. */
  async latestArrival(source: string): Promise<SourceArrival | undefined> {
    return this.#latest.get(source)
  }

  async append(records: readonly AuditRecord[], isSynced = true): Promise<number> {
    const written = this.#last.then(async () => await this.#append(records, isSynced))
    // A failure must not affect the next write.
    this.#last = written.catch(() => undefined)
    return await written
  }

  async *batches(query: AuditSelection, maxMs?: number): AsyncGenerator<AuditBatch, void> {
    await this.#open()
    yield* this.#search([...this.#segments], query, maxMs)
  }

  async *counts(query: AuditSelection, maxMs?: number): AsyncGenerator<AuditCounts, void> {
    await this.#open()
    const { from, to, signal } = query
    const isWhole = ({ first, last }: AuditSegment) => canCountBySums(query) && first >= from && last < to
    const [whole, unread]: [AuditSegment[], AuditSegment[]] = [[], []]
    for (const next of groupSegments(this.#segments)) {
      await Promise.all(next.filter(isWhole).map(async (segment) => await this.#readBlocks(segment)))
      for (const segment of next) (isWhole(segment) && segment.sums ? whole : unread).push(segment)
      signal?.throwIfAborted()
    }
    // Only reading records takes long. Where it stops is known before anything older is counted by sums.
    let searchedTo: number | undefined
    for await (const counts of countAuditRecords(this.#search(unread, { ...query, newestFirst: true }, maxMs))) {
      yield counts
      searchedTo = counts.searchedTo
    }
    const since = searchedTo ?? Number.NEGATIVE_INFINITY
    const damaged: AuditSegment[] = []
    for (const next of groupSegments(whole.filter(({ last }) => last > since))) {
      const sums = await Promise.all(next.map(async (segment) => await this.#readSums(segment)))
      for (const [i, segment] of next.entries()) {
        const found = sums[i]
        if (found) yield selectCounts(found, query).filter(({ at }) => at >= since)
        else damaged.push(segment)
      }
      await setImmediate()
      signal?.throwIfAborted()
    }
    yield* countAuditRecords(this.#search(damaged, { ...query, newestFirst: true, from: Math.max(from, since) }))
  }

  async *#search(
    segments: readonly AuditSegment[],
    query: AuditSelection,
    maxMs = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<AuditBatch, void> {
    const end = performance.now() + maxMs
    const { newestFirst, signal, brief = false } = query
    const wanted = { matches: createAuditMatcher(query), contains: findCommonText(query), brief }
    const direction = newestFirst ? -1 : 1
    const sort = (records: AuditRecord[]) => records.sort((a, b) => direction * (a.at - b.at || (a.id < b.id ? -1 : 1)))
    const reader = new BlockReader<AuditSegment>((...part) => this.#readBytes(...part), newestFirst)
    const parts = new SearchQueue<AuditSegment>(selectionTimes(query), newestFirst)
    for (const segment of segments) parts.add(segment, segment.blocks?.all())
    let found: AuditRecord[] = []
    let begun = performance.now()
    for (let part = parts.take(); part; part = parts.take()) {
      const { segment, block } = part
      if (!block) {
        parts.add(segment, (await this.#readBlocks(segment)).all())
        continue
      }
      for (const { record } of readRecordLines(await reader.readBlock(segment, block), wanted)) found.push(record)
      const now = performance.now()
      if (now - begun > SLICE_MS) {
        await setImmediate()
        signal?.throwIfAborted()
        begun = performance.now()
      }
      const { edge } = parts
      if (edge === undefined) break
      if (found.length === 0 && now < end) continue
      // Records of the remaining parts cannot come before these.
      const unsettled = sort(found).findIndex(({ at }) => (newestFirst ? at <= edge : at >= edge))
      const settled: AuditBatch = unsettled < 0 ? found : found.slice(0, unsettled)
      found = unsettled < 0 ? [] : found.slice(unsettled)
      if (now >= end) {
        yield Object.assign(settled, { searchedTo: { at: edge, id: newestFirst ? LAST_ID : FIRST_ID } })
        return
      }
      yield settled
    }
    yield sort(found)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#last
    try {
      await this.#sync()
    } finally {
      await this.#current?.handle.close()
      this.#current = undefined
    }
  }

  async #append(records: readonly AuditRecord[], isSynced: boolean): Promise<number> {
    if (this.#closed) throw new Error('The audit store is closed.')
    await this.#open()
    const fresh = [...new Map(records.map((record) => [record.id, record])).values()].filter(
      ({ id }) => !this.#known.has(id),
    )
    if (fresh.length === 0) return 0
    const { segment, handle } = await this.#writable()
    const chunks = encodeChunks(fresh)
    try {
      await handle.appendFile(Buffer.concat(chunks.map(({ bytes }) => bytes)))
      if (isSynced) await handle.datasync()
      else this.#syncTimer ??= setTimeout(() => void this.#syncLater(), SYNC_MS)
    } catch (error) {
      // On a full disk a part was written. Half a line would spoil the next one, which is acknowledged.
      await handle.truncate(segment.bytes).catch(() => undefined)
      throw error
    }
    for (const { bytes, times } of chunks) addTo(segment, segment.bytes + bytes.length, ...times)
    const sums = segment.sums instanceof SegmentSumsBuilder ? segment.sums : undefined
    for (const record of fresh) {
      this.#known.add(record.id)
      sums?.add(record)
    }
    const now = Date.now()
    for (const { source, at } of fresh) this.#latest.set(source, { at: now, lag: Math.max(0, Math.round(now - at)) })
    await this.#dropOld()
    return fresh.length
  }

  /** Syncs records that were acknowledged before. They are in the file: only a power failure can lose them. */
  async #sync(): Promise<void> {
    if (!this.#syncTimer) return
    clearTimeout(this.#syncTimer)
    this.#syncTimer = undefined
    await this.#current?.handle.datasync()
  }

  async #syncLater(): Promise<void> {
    try {
      await this.#sync()
      this.#isSyncFailing = false
    } catch (error) {
      // A broken drive fails several times a second.
      if (!this.#isSyncFailing)
        this.#log?.warn({ err: error }, 'audit records could not be synced: a power failure may lose them')
      this.#isSyncFailing = true
    }
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
      const segment = newSegment(file)
      for await (const { record, end } of this.#scan(segment)) {
        addTo(segment, end, record.at)
        if (segment.sums instanceof SegmentSumsBuilder) segment.sums.add(record)
        this.#known.add(record.id)
      }
      segment.bytes = bytes
      // A crash may have cut its last line off.
      if (segment.first <= segment.last) await this.#seal(segment, await open(join(this.#folder, file), 'a'), '\n')
      this.#segments.push(segment)
    }
  }

  /** Yields all records of a segment, and where their lines end. Other requests are served meanwhile. */
  async *#scan(segment: AuditSegment): AsyncGenerator<{ record: AuditRecord; end: number }> {
    let begun = performance.now()
    for (const line of readRecordLines(await this.#readBytes(segment), { brief: true })) {
      yield line
      if (performance.now() - begun < SLICE_MS) continue
      await setImmediate()
      begun = performance.now()
    }
  }

  /** The blocks of a complete segment. */
  async #readBlocks(segment: AuditSegment): Promise<SegmentBlocks> {
    if (segment.blocks) return segment.blocks
    const { bytes } = segment
    const { blocks = new SegmentBlocks(), sums } =
      readIndex(await this.#readBytes(segment, Math.max(0, bytes - INDEX_BYTES), bytes)) ?? {}
    if (blocks.isEmpty) {
      // It was written by the first release, or there was no room for its index.
      let start = 0
      for await (const { record, end } of this.#scan(segment)) {
        blocks.add({ start, end, first: record.at, last: record.at })
        start = end
      }
    }
    segment.blocks = blocks
    segment.sums = sums
    return blocks
  }

  /** The sums of a segment; undefined if it has none: it was written by an earlier release, or they are damaged. */
  async #readSums(segment: AuditSegment): Promise<SegmentSums | undefined> {
    await this.#readBlocks(segment)
    const { sums } = segment
    if (!sums || sums instanceof SegmentSumsBuilder) return sums?.sums()
    return readSums(await this.#readBytes(segment, sums.start, sums.end))
  }

  /** A part of a segment, less at its end; nothing if it was deleted in the meantime because it was the oldest. */
  async #readBytes(segment: AuditSegment, start = 0, end = Number.POSITIVE_INFINITY): Promise<Buffer> {
    const { file } = segment
    try {
      return await readFileRange(join(this.#folder, file), start, end)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // A write may be renaming the segment.
      await this.#last
      return segment.file === file ? Buffer.alloc(0) : await this.#readBytes(segment, start, end)
    }
  }

  /**
   * Completes a segment: writes its index, and puts its times into its name, so that neither a start nor a search has to read
   * all of it.
   */
  async #seal(segment: AuditSegment, handle: FileHandle, lineEnd = ''): Promise<void> {
    const line = segment.sums instanceof SegmentSumsBuilder ? segment.sums.line() : undefined
    const start = segment.bytes + lineEnd.length
    const sums = line === undefined ? undefined : { start, end: start + Buffer.byteLength(line) }
    const ending = `${lineEnd}${line ?? ''}${encodeIndex({ blocks: segment.blocks ?? new SegmentBlocks(), sums })}`
    try {
      await handle.appendFile(ending)
      segment.bytes += Buffer.byteLength(ending)
      segment.sums = sums
    } catch {
      // Without an index, a search reads the whole segment once.
      await handle.truncate(segment.bytes).catch(() => undefined)
      segment.sums = undefined
    } finally {
      await handle.close()
    }
    const [first, last] = [Math.max(0, Math.floor(segment.first)), Math.max(0, Math.ceil(segment.last))]
    const file = segment.file.replace(/\.log$/, `_${first}_${last}.log`)
    await rename(join(this.#folder, segment.file), join(this.#folder, file))
    segment.file = file
  }

  async #writable(): Promise<{ segment: AuditSegment; handle: FileHandle }> {
    if (this.#current && this.#current.segment.bytes < SEGMENT_BYTES) return this.#current
    if (this.#current) {
      await this.#sync()
      const { segment, handle } = this.#current
      this.#current = undefined
      await this.#seal(segment, handle)
    }
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const number = Number(SEGMENT.exec(this.#segments.at(-1)?.file ?? '')?.[1] ?? 0) + 1
    const file = `audit-${String(number).padStart(10, '0')}.log`
    const handle = await open(join(this.#folder, file), 'ax', 0o600)
    const segment = newSegment(file)
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

/** Segments whose ends are read at once. */
function groupSegments(segments: readonly AuditSegment[]): AuditSegment[][] {
  const count = Math.ceil(segments.length / READ_AHEAD)
  return Array.from({ length: count }, (_, i) => segments.slice(i * READ_AHEAD, (i + 1) * READ_AHEAD))
}

function newSegment(file: string): AuditSegment {
  return {
    file,
    bytes: 0,
    first: Number.POSITIVE_INFINITY,
    last: Number.NEGATIVE_INFINITY,
    blocks: new SegmentBlocks(),
    sums: new SegmentSumsBuilder(),
  }
}

/** Adds lines to a segment. @param end where they end @param times of their records */
function addTo(segment: AuditSegment, end: number, ...times: number[]): void {
  const [first, last] = [Math.min(...times), Math.max(...times)]
  segment.blocks?.add({ start: segment.bytes, end, first, last })
  segment.bytes = end
  segment.first = Math.min(segment.first, first)
  segment.last = Math.max(segment.last, last)
}
