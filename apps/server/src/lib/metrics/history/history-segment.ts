import { setImmediate } from 'node:timers/promises'
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'

const MAGIC = 'STWMETR2'
/** Of files in which all columns are compressed. */
const FIRST_MAGIC = 'STWMETR1'
const PREFIX = MAGIC.length + 8
/** Columns are short: the compressor needs little memory, whose setting up takes longer than the work. */
const DEFLATE = { level: 6, memLevel: 4, windowBits: 11, chunkSize: 1024 }
/** Shorter columns are stored as they are (bytes): compressing thousands of them would take more than it saves. */
const MIN_COMPRESSED = 256
/** Columns that are compressed before other work gets its turn; the usage of buckets has three for each. */
const COLUMNS_A_TURN = 100

/** How a column is stored: compressed, as it is, or one row that stands for all, because they are the same. */
const COMPRESSED = 0
const PLAIN = 1
const CONSTANT = 2

/** Position of a column: its key, numbers per row, offset, length and checksum of its bytes, and how they are stored. */
type Entry = [key: string, width: number, offset: number, length: number, checksum: number, how?: number]

interface Header {
  times: number[]
  columns: Entry[]
}

/** A part of a segment is damaged. */
export class DamagedSegmentError extends Error {
  override readonly name = 'DamagedSegmentError'
}

/** A column: rows of `width` numbers; NaN if a row has no value. */
export interface SegmentColumn {
  width: number
  values: ArrayLike<number>
}

/** A column to which rows can be added. While all rows are the same, one stands for all: most buckets rarely change. */
class GrowingColumn {
  #rows = 0
  /** One row if all are the same, otherwise all rows. */
  #values: number[] = []
  #isConstant = true

  constructor(readonly width: number) {}

  get rows(): number {
    return this.#rows
  }

  /** Only the first row if all are the same. */
  get stored(): { values: readonly number[]; isConstant: boolean } {
    return { values: this.#values, isConstant: this.#isConstant }
  }

  get values(): ArrayLike<number> {
    return this.#isConstant ? repeatRow(this.#values, this.#rows) : this.#values
  }

  add(row: ArrayLike<number>, times = 1): void {
    if (times === 0) return
    if (this.#rows === 0) this.#values = Array.from(row)
    else if (this.#isConstant && !this.#values.every((value, i) => Object.is(value, row[i]))) {
      this.#values = Array.from(repeatRow(this.#values, this.#rows))
      this.#isConstant = false
    }
    this.#rows += times
    if (this.#isConstant) return
    for (let n = 0; n < times; n++) for (let i = 0; i < this.width; i++) this.#values.push(row[i] ?? Number.NaN)
  }
}

/** Rows of many series over one time span; more rows can be added. */
export class HistorySegment {
  readonly times: number[] = []
  readonly #columns = new Map<string, GrowingColumn>()

  constructor(readonly start: number) {}

  get keys(): Iterable<string> {
    return this.#columns.keys()
  }

  column(key: string): SegmentColumn | undefined {
    return this.#columns.get(key)
  }

  /** Adds a row. Series without numbers in it get NaN. */
  append(time: number, row: ReadonlyMap<string, readonly number[]>): void {
    for (const [key, numbers] of row) {
      let column = this.#columns.get(key)
      if (!column) {
        column = new GrowingColumn(numbers.length)
        column.add(emptyRow(numbers.length), this.times.length)
        this.#columns.set(key, column)
      }
      column.add(numbers)
    }
    this.times.push(time)
    for (const column of this.#columns.values()) {
      const missing = this.times.length - column.rows
      if (missing > 0) column.add(emptyRow(column.width), missing)
    }
  }

  /** Rows that are added meanwhile are not among it. */
  async encode(): Promise<Buffer> {
    const times = this.times.slice()
    const columns: Entry[] = []
    const all = new ByteBuilder()
    for (const [i, [key, { width, stored }]] of [...this.#columns].entries()) {
      if (i % COLUMNS_A_TURN === COLUMNS_A_TURN - 1) await setImmediate()
      const offset = all.length
      const how = addColumn(all, stored, width, times.length)
      const body = all.from(offset)
      columns.push([key, width, offset, body.length, crc32(body), how])
    }
    const header = Buffer.from(JSON.stringify({ times, columns } satisfies Header))
    const prefix = Buffer.alloc(PREFIX)
    prefix.write(MAGIC)
    prefix.writeUInt32LE(header.length, MAGIC.length)
    prefix.writeUInt32LE(crc32(header), MAGIC.length + 4)
    return Buffer.concat([prefix, header, all.from(0)])
  }

  /** Continues a stored segment. @throws DamagedSegmentError */
  static from(start: number, stored: StoredHistorySegment): HistorySegment {
    const segment = new HistorySegment(start)
    for (const time of stored.times) segment.times.push(time)
    for (const key of stored.keys) {
      const { width = 0, values = [] } = stored.column(key) ?? {}
      const column = new GrowingColumn(width)
      for (let i = 0; i < values.length; i += width)
        column.add(Array.from({ length: width }, (_, n) => values[i + n] ?? Number.NaN))
      segment.#columns.set(key, column)
    }
    return segment
  }
}

/** An encoded segment; columns are decoded on demand. */
export class StoredHistorySegment {
  readonly times: readonly number[]
  readonly #columns: ReadonlyMap<string, Entry>
  readonly #body: Buffer

  /** @throws DamagedSegmentError */
  constructor(bytes: Buffer) {
    if (bytes.length < PREFIX || ![MAGIC, FIRST_MAGIC].includes(bytes.toString('latin1', 0, MAGIC.length)))
      throw new DamagedSegmentError('This is not a segment')
    const end = PREFIX + bytes.readUInt32LE(MAGIC.length)
    const header = bytes.subarray(PREFIX, end)
    if (bytes.length < end || crc32(header) !== bytes.readUInt32LE(MAGIC.length + 4))
      throw new DamagedSegmentError('The header is damaged')
    const { times, columns } = JSON.parse(header.toString()) as Header
    this.times = times
    this.#columns = new Map(columns.map((entry) => [entry[0], entry]))
    this.#body = bytes.subarray(end)
  }

  get keys(): Iterable<string> {
    return this.#columns.keys()
  }

  /** @throws DamagedSegmentError */
  column(key: string): SegmentColumn | undefined {
    const [, width = 0, offset = 0, length = 0, checksum, how = COMPRESSED] = this.#columns.get(key) ?? []
    if (checksum === undefined) return undefined
    const body = this.#body.subarray(offset, offset + length)
    if (body.length < length || crc32(body) !== checksum) throw new DamagedSegmentError('A column is damaged')
    const bytes = how === COMPRESSED ? inflateRawSync(body) : body
    // A Float64Array needs an offset that is a multiple of 8, which a slice of a pooled buffer may not have.
    const values = new Float64Array(bytes.length / 8)
    Buffer.from(values.buffer).set(bytes)
    return { width, values: how === CONSTANT ? repeatRow(values, this.times.length) : values }
  }
}

/** Adds the bytes of the first rows of a column. @returns how they are stored */
function addColumn(
  all: ByteBuilder,
  { values, isConstant }: GrowingColumn['stored'],
  width: number,
  rows: number,
): number {
  const end = isConstant ? width : width * rows
  let same = rows > 1
  for (let i = width; same && i < end; i++) same = Object.is(values[i], values[i - width])
  const plain = all.scratch(same ? width : end, values)
  const compress = !same && plain.length >= MIN_COMPRESSED
  all.add(compress ? deflateRawSync(plain, DEFLATE) : plain)
  return same ? CONSTANT : compress ? COMPRESSED : PLAIN
}

/** Bytes that are joined. Thousands of small buffers would take many times their size. */
class ByteBuilder {
  #bytes = Buffer.allocUnsafe(1 << 16)
  #numbers = new Float64Array(64)
  length = 0

  /** Returns the bytes of the first numbers, valid until the next call. */
  scratch(count: number, values: readonly number[]): Buffer {
    if (count > this.#numbers.length) this.#numbers = new Float64Array(count * 2)
    for (let i = 0; i < count; i++) this.#numbers[i] = values[i] ?? Number.NaN
    return Buffer.from(this.#numbers.buffer, 0, count * 8)
  }

  add(bytes: Buffer): void {
    while (this.length + bytes.length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(this.#bytes.length * 2)
      this.#bytes.copy(larger, 0, 0, this.length)
      this.#bytes = larger
    }
    bytes.copy(this.#bytes, this.length)
    this.length += bytes.length
  }

  from(offset: number): Buffer {
    return this.#bytes.subarray(offset, this.length)
  }
}

const NO_VALUES: readonly number[] = [Number.NaN, Number.NaN, Number.NaN, Number.NaN]
const emptyRow = (width: number) => NO_VALUES.slice(0, width)

function repeatRow(row: ArrayLike<number>, times: number): Float64Array {
  const all = new Float64Array(row.length * times)
  for (let i = 0; i < times; i++) all.set(row, i * row.length)
  return all
}
