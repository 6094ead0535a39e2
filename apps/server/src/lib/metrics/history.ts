import { HistoryFolder } from './history-folder.ts'
import { type Level, levelFor } from './levels.ts'
import { Gathered, gatheredPoint, isOf, keyOf, type Point, rawPoint, readKey } from './rows.ts'
import { type Column, DamagedSegment, Segment } from './segment.ts'
import type { Sample } from './text-format.ts'

export interface HistoryOptions {
  folder: string
  /** The finest first. */
  levels: readonly [Level, ...Level[]]
  /** Of all files. */
  maxBytes: number
  /** Longer intervals between two samples (seconds) count as a gap. */
  gap: number
  log: { warn(fields: object, message: string): void }
}

/** The points of a series within a time range, in order. */
export interface Series {
  labels: Record<string, string>
  points: Point[]
}

/** Maximum number of complete segments of a level that wait to be written. */
const MAX_UNWRITTEN = 24

interface Latest {
  time: number
  value: number
}

/** The latest value of a series. All maps of the history share its key: tens of thousands of texts take space. */
interface LatestOf extends Latest {
  key: string
}

/** The incomplete data of a level. */
interface Building {
  level: Level
  segment: Segment | undefined
  /** Complete segments that are not written yet. */
  complete: Segment[]
  /** Number (since 1970) of the slot whose samples are being collected. */
  slot: number
  gathered: Map<string, Gathered>
  changed: boolean
}

/**
 * Stores samples over time, at full resolution for a day, coarser for a year. Keeps unwritten data in memory until `save` is
 * called. A missed sample is a gap.
 */
export class History {
  readonly #folder: HistoryFolder
  readonly #levels: readonly Building[]
  readonly #latest = new Map<string, LatestOf>()
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
        building.segment = Segment.from(start, stored)
      } catch (error) {
        await this.#folder.setAside(level, start, error)
      }
    }
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
  append(time: number, samples: readonly Sample[]): void {
    if (time <= this.#latestAt) return
    this.#samples++
    const row = new Map(
      samples.map(({ metric, labels, value }) => {
        const key = keyOf(metric, labels)
        return [this.#latest.get(key)?.key ?? key, [value]]
      }),
    )
    const [raw] = this.#levels as [Building]
    this.#addRow(raw, time, row)
    this.#gather(time, row)
  }

  /**
   * The series of a metric, with a point before `from` where there is one, so that a first rate has something to begin at.
   * @param only the key of the one series that is wanted
   */
  async read(
    metric: string,
    from: number,
    to: number,
    step: number,
    only?: string,
  ): Promise<{ series: Series[]; step: number }> {
    const level = levelFor(this.options.levels, from, step, Date.now() / 1000)
    const wants = (key: string) => (only === undefined ? isOf(metric, key) : key === only)
    const building = this.#levels.find((each) => each.level === level) as Building
    const found = new Map<string, Point[]>()
    for (const start of this.#startsOf(level, building)) {
      if (start + level.span < from || start > to) continue
      await this.#readSegment(building, start, wants, [from, to], found)
    }
    if (level.step > 0) this.#addGathered(building, wants, to, found)
    const series = [...found].map(([key, points]) => ({ labels: readKey(key).labels, points }))
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

  #startsOf(level: Level, { segment, complete }: Building): number[] {
    const inMemory = [...complete, ...(segment ? [segment] : [])].map(({ start }) => start)
    return [...new Set([...this.#folder.starts(level), ...inMemory])].sort((a, b) => a - b)
  }

  async #readSegment(
    { level, segment, complete }: Building,
    start: number,
    wants: (key: string) => boolean,
    range: readonly [from: number, to: number],
    found: Map<string, Point[]>,
  ): Promise<void> {
    const inMemory = [...complete, ...(segment ? [segment] : [])].find((each) => each.start === start)
    const source = inMemory ?? (await this.#folder.read(level, start))
    if (!source) return
    try {
      for (const key of source.keys) {
        if (!wants(key)) continue
        const column = source.column(key)
        if (column) this.#addPoints(pointsOf(found, key), source.times, column, range)
      }
    } catch (error) {
      await this.#folder.setAside(level, start, error)
      if (!(error instanceof DamagedSegment)) throw error
    }
  }

  #addPoints(
    points: Point[],
    times: readonly number[],
    { width, values }: Column,
    [from, to]: readonly [from: number, to: number],
  ): void {
    let before: Latest | undefined = points.at(-1)
    for (const [i, time] of times.entries()) {
      const row = Array.from({ length: width }, (_, n) => values[i * width + n] ?? Number.NaN)
      const value = row.at(-1) ?? Number.NaN
      if (Number.isNaN(value)) continue
      if (time >= from && time <= to)
        points.push(width === 1 ? rawPoint(time, value, this.#since(before, time)) : gatheredPoint(time, row))
      before = { time, value }
    }
  }

  #since(before: Latest | undefined, time: number): { value: number; seconds: number } | undefined {
    if (!before || time - before.time > this.options.gap) return undefined
    return { value: before.value, seconds: time - before.time }
  }

  /** The slot that is not complete yet, as it is now. */
  #addGathered({ gathered }: Building, wants: (key: string) => boolean, to: number, found: Map<string, Point[]>): void {
    if (this.#latestAt > to) return
    for (const [key, each] of gathered)
      if (wants(key)) pointsOf(found, key).push(gatheredPoint(this.#latestAt, each.row()))
  }

  /** Collects the data of the newest segment again: its slots may have been incomplete when the console stopped. */
  #replay(): void {
    const [{ segment }] = this.#levels as [Building]
    if (!segment) return
    const columns = [...segment.keys].map((key) => [key, segment.column(key)] as const)
    for (const [i, time] of segment.times.entries())
      this.#gather(time, new Map(columns.flatMap(([key, column]) => cellOf(key, column, i))))
  }

  #gather(time: number, row: ReadonlyMap<string, readonly number[]>): void {
    for (const building of this.#levels) if (building.level.step > 0) this.#gatherInto(building, time, row)
    for (const [key, [value = Number.NaN]] of row) {
      const latest = this.#latest.get(key)
      if (latest) Object.assign(latest, { time, value })
      else {
        this.#latest.set(key, { key, time, value })
        this.#metrics.add(readKey(key).metric)
      }
    }
    this.#latestAt = time
  }

  #gatherInto(building: Building, time: number, row: ReadonlyMap<string, readonly number[]>): void {
    const { step } = building.level
    const slot = Math.floor(time / step)
    if (slot !== building.slot) {
      const end = (building.slot + 1) * step
      // While replaying, a complete slot already has its row.
      if (building.gathered.size > 0 && end > (building.segment?.times.at(-1) ?? 0))
        this.#addRow(building, end, new Map([...building.gathered].map(([key, each]) => [key, each.row()])))
      building.slot = slot
      building.gathered = new Map()
    }
    for (const [key, [value = Number.NaN]] of row) {
      let gathered = building.gathered.get(key)
      if (!gathered) {
        gathered = new Gathered(readKey(key).metric)
        building.gathered.set(key, gathered)
      }
      gathered.add(value, this.#since(this.#latest.get(key), time))
    }
  }

  #addRow(building: Building, time: number, row: ReadonlyMap<string, readonly number[]>): void {
    const start = startOf(building.level, time - building.level.step)
    if (building.segment?.start !== start) {
      if (building.segment && building.changed) building.complete.push(building.segment)
      // While writing fails, a day of segments stays in memory.
      if (building.complete.length > MAX_UNWRITTEN) building.complete.shift()
      building.segment = new Segment(start)
      // Series that have ended, such as those of deleted buckets.
      for (const [key, latest] of this.#latest) if (time - latest.time > this.options.gap) this.#latest.delete(key)
    }
    building.segment.append(time, row)
    building.changed = true
  }
}

const startOf = ({ span }: Level, time: number) => Math.floor(time / span) * span

function pointsOf(found: Map<string, Point[]>, key: string): Point[] {
  const points = found.get(key) ?? []
  found.set(key, points)
  return points
}

function cellOf(key: string, column: Column | undefined, row: number): [string, number[]][] {
  const value = column?.values[row] ?? Number.NaN
  return Number.isNaN(value) ? [] : [[key, [value]]]
}
