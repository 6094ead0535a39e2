import type { MetricSample } from '../series/text-format.ts'
import { HistoryFolder } from './history-folder.ts'
import {
  counterIncrease,
  isKeyOfMetric,
  parseSeriesKey,
  RowBuilder,
  type RowReading,
  readingIndex,
  seriesKey,
} from './history-rows.ts'
import { DamagedSegmentError, HistorySegment, type SegmentColumn } from './history-segment.ts'
import { chooseLevel, type HistoryLevel } from './levels.ts'

export interface HistoryOptions {
  folder: string
  /** The finest first. */
  levels: readonly [HistoryLevel, ...HistoryLevel[]]
  /** Of all files. */
  maxBytes: number
  /** Longer intervals between two samples (seconds) count as a gap. */
  gap: number
  log: { warn(fields: object, message: string): void }
}

/** The values of a series within a time range, oldest first. */
export interface HistorySeries {
  labels: Record<string, string>
  /** Seconds since 1970. */
  times: number[]
  values: number[]
  /** With `increase`: seconds that each value covers; 0 if unknown. */
  seconds: number[]
}

/** Maximum number of complete segments of a level that wait to be written. */
const MAX_UNWRITTEN = 24

interface TimedValue {
  time: number
  value: number
}

/** The latest value of a series. All maps of the history share its key: tens of thousands of texts take space. */
interface LatestValue extends TimedValue {
  key: string
}

/** A series that is being read. */
interface SeriesReader extends HistorySeries {
  /** Its latest value so far, as sampled. */
  before: TimedValue | undefined
}

/** What is read: of one series or of all series of a metric. */
interface HistoryQuery {
  wants: (key: string) => boolean
  reading: RowReading
  from: number
  to: number
}

/** The incomplete data of a level. */
interface LevelState {
  level: HistoryLevel
  segment: HistorySegment | undefined
  /** Complete segments that are not written yet. */
  complete: HistorySegment[]
  /** Number (since 1970) of the slot whose samples, or rows of the next finer level, are being collected. */
  slot: number
  gathered: Map<string, RowBuilder>
  changed: boolean
}

/**
 * Stores samples over time, at full resolution for a day, coarser for a year. Keeps unwritten data in memory until `save` is
 * called. A missed sample is a gap.
 */
export class MetricsHistory {
  readonly #folder: HistoryFolder
  readonly #levels: readonly LevelState[]
  readonly #latest = new Map<string, LatestValue>()
  readonly #metrics = new Set<string>()
  #latestAt = 0
  #samples = 0

  constructor(private readonly options: HistoryOptions) {
    this.#folder = new HistoryFolder(options.folder, options.levels, options.maxBytes, options.log)
    this.#levels = options.levels.map((level) => ({
      level,
      segment: undefined,
      complete: [],
      slot: -1,
      gathered: new Map(),
      changed: false,
    }))
  }

  /** Reads the latest segments, to continue them. */
  async open(): Promise<void> {
    await this.#folder.open()
    for (const building of this.#levels) {
      const { level } = building
      const start = this.#folder.starts(level).at(-1)
      const stored = start === undefined ? undefined : await this.#folder.read(level, start)
      if (start === undefined || !stored) continue
      try {
        building.segment = HistorySegment.from(start, stored)
      } catch (error) {
        await this.#folder.setAside(level, start, error)
      }
    }
    // The coarsest first: rows that are completed here are added to the levels above.
    for (let n = this.#levels.length - 1; n > 1; n--) await this.#gatherStored(n)
    this.#replay()
  }

  /** Time of the last sample, seconds since 1970; 0 for none. */
  get latestAt(): number {
    return this.#latestAt
  }

  /** Number of samples since the console started. */
  get samples(): number {
    return this.#samples
  }

  /** How long a value holds without a newer one (seconds). */
  get reach(): number {
    return this.options.gap
  }

  /** Whether a metric was sampled since the console started. */
  has(metric: string): boolean {
    return this.#metrics.has(metric)
  }

  /** Adds the samples of one time, in seconds since 1970. Ignores times before the last one. */
  append(time: number, samples: readonly MetricSample[]): void {
    if (time <= this.#latestAt) return
    this.#samples++
    const row = new Map(
      samples.map(({ metric, labels, value }) => {
        const key = seriesKey(metric, labels)
        return [this.#latest.get(key)?.key ?? key, [value]]
      }),
    )
    const [raw] = this.#levels as [LevelState]
    this.#addRow(raw, time, row)
    this.#gather(time, row)
  }

  /**
   * Reads the series of a metric.
   * @param only the key of the one series that is wanted
   */
  async read(
    metric: string,
    reading: RowReading,
    { from, to, step }: { from: number; to: number; step: number },
    only?: string,
  ): Promise<{ series: HistorySeries[]; step: number }> {
    const level = chooseLevel(this.options.levels, from, step, Date.now() / 1000)
    const wants = (key: string) => (only === undefined ? isKeyOfMetric(metric, key) : key === only)
    const query = { wants, reading, from, to }
    const n = this.#levels.findIndex((each) => each.level === level)
    const building = this.#levels[n] as LevelState
    const found = new Map<string, SeriesReader>()
    for (const start of this.#segmentStarts(level, building)) {
      if (start + level.span < from || start > to) continue
      await this.#readSegment(building, start, query, found)
    }
    if (level.step > 0) this.#readIncomplete(n, query, found)
    const series = [...found.values()].filter(({ times }) => times.length > 0)
    return { series, step: Math.max(step, level.step) }
  }

  /** Writes changes. A failure is logged; the next call tries again. */
  async save(): Promise<void> {
    try {
      for (const building of this.#levels) {
        for (let segment = building.complete[0]; segment; segment = building.complete[0]) {
          await this.#folder.write(building.level, segment)
          building.complete.shift()
        }
        if (!building.changed || !building.segment) continue
        building.changed = false
        await this.#folder.write(building.level, building.segment).catch((error: unknown) => {
          building.changed = true
          throw error
        })
      }
      await this.#folder.dropOld(this.#latestAt)
    } catch (error) {
      this.options.log.warn({ err: error }, 'the metrics history cannot be written')
    }
  }

  #segmentStarts(level: HistoryLevel, { segment, complete }: LevelState): number[] {
    const inMemory = [...complete, ...(segment ? [segment] : [])].map(({ start }) => start)
    return [...new Set([...this.#folder.starts(level), ...inMemory])].sort((a, b) => a - b)
  }

  async #readSegment(
    { level, segment, complete }: LevelState,
    start: number,
    query: HistoryQuery,
    found: Map<string, SeriesReader>,
  ): Promise<void> {
    const inMemory = [...complete, ...(segment ? [segment] : [])].find((each) => each.start === start)
    const source = inMemory ?? (await this.#folder.read(level, start))
    if (!source) return
    try {
      for (const key of source.keys) {
        if (!query.wants(key)) continue
        const column = source.column(key)
        if (column?.width === 1) this.#readSamples(findReader(found, key), source.times, column, query)
        else if (column) readRows(findReader(found, key), source.times, column, query)
      }
    } catch (error) {
      await this.#folder.setAside(level, start, error)
      if (!(error instanceof DamagedSegmentError)) throw error
    }
  }

  #readSamples(
    reader: SeriesReader,
    times: readonly number[],
    { values }: SegmentColumn,
    { reading, from, to }: Pick<HistoryQuery, 'reading' | 'from' | 'to'>,
  ): void {
    for (let i = 0; i < times.length; i++) {
      const [time = 0, value = Number.NaN] = [times[i], values[i]]
      if (Number.isNaN(value)) continue
      if (time > to) return
      if (time >= from) {
        const before = reading === 'increase' ? this.#since(reader.before, time) : undefined
        reader.times.push(time)
        reader.values.push(reading !== 'increase' ? value : before ? counterIncrease(before.value, value) : 0)
        reader.seconds.push(before?.seconds ?? 0)
      }
      reader.before = { time, value }
    }
  }

  #since(before: TimedValue | undefined, time: number): { value: number; seconds: number } | undefined {
    if (!before || time - before.time > this.options.gap) return undefined
    return { value: before.value, seconds: time - before.time }
  }

  /** Reads the slot that is not complete yet: what it and those of the finer levels have collected. */
  #readIncomplete(n: number, { wants, reading, to }: HistoryQuery, found: Map<string, SeriesReader>): void {
    const { slot, level } = this.#levels[n] as LevelState
    // A range that ended shortly before the last sample has the slot too.
    if (slot * level.step > to) return
    const time = Math.min(this.#latestAt, to)
    const rows = new Map<string, RowBuilder>()
    for (const { gathered } of this.#levels.slice(1, n + 1).reverse())
      for (const [key, each] of gathered) if (wants(key)) findRowBuilder(rows, key).addRow(each.row())
    for (const [key, gathered] of rows) {
      const row = gathered.row()
      // It is shown at the time of the last sample or the end of the range, so a gauge has the value of that time.
      const now = reading === 'value' ? 'last' : reading
      addRow(findReader(found, key), time, row, 0, { width: row.length, at: readingIndex(now, row.length) })
    }
  }

  /** Collects the stored rows of the next finer level that are not in a row of this one yet. */
  async #gatherStored(n: number): Promise<void> {
    const [building, finer] = [this.#levels[n], this.#levels[n - 1]]
    if (!building || !finer) return
    const since = building.segment?.times.at(-1) ?? 0
    for (const start of this.#segmentStarts(finer.level, finer)) {
      if (start + finer.level.span <= since) continue
      const source = finer.segment?.start === start ? finer.segment : await this.#folder.read(finer.level, start)
      if (!source) continue
      try {
        const columns = [...source.keys].map((key) => [key, source.column(key)] as const)
        for (const [i, time] of source.times.entries())
          if (time > since)
            this.#gatherRow(n, time, new Map(columns.flatMap(([key, column]) => readColumnRow(key, column, i))))
      } catch (error) {
        await this.#folder.setAside(finer.level, start, error)
      }
    }
  }

  /** Collects the data of the newest segment again: its slots may have been incomplete when the console stopped. */
  #replay(): void {
    const [{ segment }] = this.#levels as [LevelState]
    if (!segment) return
    const columns = [...segment.keys].map((key) => [key, segment.column(key)] as const)
    for (const [i, time] of segment.times.entries())
      this.#gather(time, new Map(columns.flatMap(([key, column]) => readColumnRow(key, column, i))))
  }

  #gather(time: number, row: ReadonlyMap<string, readonly number[]>): void {
    // The finest first, because its rows belong to the slots of the others.
    for (const n of this.#levels.keys()) this.#endSlot(n, time)
    const { gathered } = this.#levels[1] as LevelState
    for (const [key, [value = Number.NaN]] of row) {
      const latest = this.#latest.get(key)
      findRowBuilder(gathered, key).add(value, this.#since(latest, time))
      if (latest) Object.assign(latest, { time, value })
      else {
        this.#latest.set(key, { key, time, value })
        this.#metrics.add(parseSeriesKey(key).metric)
      }
    }
    this.#latestAt = time
  }

  /** Adds a row of the next finer level to the slot that it is part of. */
  #gatherRow(n: number, time: number, row: ReadonlyMap<string, readonly number[]>): void {
    const [building, finer] = [this.#levels[n], this.#levels[n - 1]]
    if (!building || !finer) return
    this.#endSlot(n, time - finer.level.step)
    for (const [key, numbers] of row) findRowBuilder(building.gathered, key).addRow(numbers)
  }

  /** Makes a row of what was collected, if this time is in a later slot. */
  #endSlot(n: number, time: number): void {
    const building = this.#levels[n]
    if (!building || building.level.step === 0) return
    const { step } = building.level
    const slot = Math.floor(time / step)
    if (slot <= building.slot) return
    const { gathered } = building
    const end = (building.slot + 1) * step
    building.slot = slot
    building.gathered = new Map()
    // While replaying, a complete slot already has its row.
    if (gathered.size === 0 || end <= (building.segment?.times.at(-1) ?? 0)) return
    const row = new Map([...gathered].map(([key, each]) => [key, each.row()]))
    this.#addRow(building, end, row)
    this.#gatherRow(n + 1, end, row)
  }

  #addRow(building: LevelState, time: number, row: ReadonlyMap<string, readonly number[]>): void {
    const start = segmentStart(building.level, time - building.level.step)
    if (building.segment?.start !== start) {
      if (building.segment && building.changed) building.complete.push(building.segment)
      // While writing fails, a day of segments stays in memory.
      if (building.complete.length > MAX_UNWRITTEN) building.complete.shift()
      building.segment = new HistorySegment(start)
      // Series that have ended, such as those of deleted buckets.
      for (const [key, latest] of this.#latest) if (time - latest.time > this.options.gap) this.#latest.delete(key)
    }
    building.segment.append(time, row)
    building.changed = true
  }
}

const segmentStart = ({ span }: HistoryLevel, time: number) => Math.floor(time / span) * span

function findReader(found: Map<string, SeriesReader>, key: string): SeriesReader {
  let reader = found.get(key)
  if (!reader) {
    reader = { labels: parseSeriesKey(key).labels, times: [], values: [], seconds: [], before: undefined }
    found.set(key, reader)
  }
  return reader
}

function findRowBuilder(all: Map<string, RowBuilder>, key: string): RowBuilder {
  let gathered = all.get(key)
  if (!gathered) {
    gathered = new RowBuilder(parseSeriesKey(key).metric)
    all.set(key, gathered)
  }
  return gathered
}

function readRows(
  reader: SeriesReader,
  times: readonly number[],
  { width, values }: SegmentColumn,
  { reading, from, to }: HistoryQuery,
): void {
  const position = { width, at: readingIndex(reading, width) }
  for (let i = 0; i < times.length; i++) {
    const time = times[i] ?? 0
    if (time >= from && time <= to) addRow(reader, time, values, i * width, position)
  }
}

/** Adds a row of a coarser level. @param offset where it begins in `numbers` */
function addRow(
  reader: SeriesReader,
  time: number,
  numbers: ArrayLike<number>,
  offset: number,
  { width, at }: { width: number; at: number },
): void {
  const value = numbers[offset + at] ?? Number.NaN
  if (Number.isNaN(value)) return
  reader.times.push(time)
  reader.values.push(value)
  reader.seconds.push(width === 3 ? (numbers[offset + 1] ?? 0) : 0)
}

/** Returns a row of a column; none if it has no value in it. */
function readColumnRow(key: string, column: SegmentColumn | undefined, row: number): [string, number[]][] {
  if (!column) return []
  const { width, values } = column
  const numbers = Array.from({ length: width }, (_, n) => values[row * width + n] ?? Number.NaN)
  return numbers.some(Number.isNaN) ? [] : [[key, numbers]]
}
