import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { intact, intactEntry, sealOf, unseal } from './seal.ts'
import { addToSum, decodePosition, POSITION_KEY, type Position } from './types.ts'

/** A file of LMDB that must not be opened or not be believed. */
export class DamagedIndexFile extends Error {
  override readonly name = 'DamagedIndexFile'
}

/**
 * Checks a copy of the index without LMDB, which ends the process by a signal when it meets a damaged page: that both trees
 * are whole, that each entry matches its checksum, that as many entries are there as were counted and add up to the same
 * sum, and that no page is free and in use at once (LMDB would overwrite it).
 *
 * The layout is that of the LMDB inside lmdb 3.5 (`MDB_DATA_VERSION` 2, header of 24 bytes):
 * @see https://github.com/kriszyp/lmdb-js/blob/v3.5.6/dependencies/lmdb/libraries/liblmdb/mdb.c structs MDB_page_header,
 *   MDB_node, MDB_ovpage, MDB_db, MDB_meta
 *
 * A generator, so that a background check can let others run between pages: it yields after each page of entries.
 * @param folder of the environment
 * @returns the position that the file holds
 * @throws DamagedIndexFile
 */
export function* checkSteps(folder: string): Generator<void, Position> {
  const fd = openFile(folder)
  try {
    return yield* new FileCheck(fd).run()
  } finally {
    closeSync(fd)
  }
}

/** The check in one go. @throws DamagedIndexFile */
export function checkFile(folder: string): Position {
  const steps = checkSteps(folder)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function openFile(folder: string): number {
  try {
    return openSync(join(folder, 'data.mdb'), 'r')
  } catch (error) {
    throw new DamagedIndexFile('the file is missing', { cause: error })
  }
}

const PAGE = 4096
const HEADER = 24
const MAGIC = 0xbeefc0de
const DATA_VERSION = 2
const BRANCH = 1
const LEAF = 2
const OVERFLOW = 4
const META = 8
const INTEGER_KEYS = 8
const OVERLAPPING = 0x1000
const BIG_DATA = 1
const NODE_HEADER = 8
/** Bytes of address space, which LMDB takes as the file says. */
const LARGEST_MAP = 2n ** 44n
const NO_PAGE = 0xffffffffffffffffn

interface Tree {
  flags: number
  depth: number
  entries: number
  root: number | undefined
}

interface Meta {
  /** What is always the same is so. */
  sound: boolean
  /** Of the page; 0 when it does not look like one of LMDB. The note in the middle of a page has none. */
  flags: number
  /** Written before it was synced. */
  overlapping: boolean
  boot: number
  lastPage: number
  transaction: number
  free: Tree
  main: Tree
}

interface Page {
  number: number
  bytes: Buffer
  flags: number
  /** Offsets of the nodes in the page. */
  nodes: number[]
}

class FileCheck {
  readonly #meta: Meta
  readonly #pages: number
  /** One bit per page: met in a tree or in a list of free pages. */
  readonly #met: Uint8Array
  readonly #levels: Buffer[] = []
  #entries = 0
  #found = 0
  #sum = 0
  #position: Position | undefined

  constructor(private readonly fd: number) {
    this.#pages = Math.floor(fstatSync(fd).size / PAGE)
    this.#meta = this.#readMeta()
    this.#met = new Uint8Array(Math.ceil((this.#meta.lastPage + 1) / 8))
  }

  *run(): Generator<void, Position> {
    const { free, main } = this.#meta
    yield* this.#tree(main, (page, offset) => this.#entry(page, offset))
    yield* this.#tree(free, (page, offset) => this.#freePages(keyAt(page, offset), this.#valueAt(page, offset)))
    const position = this.#position
    if (!position) throw new DamagedIndexFile('the position is missing')
    if (position.count !== this.#found || position.sum !== this.#sum) {
      throw new DamagedIndexFile(`it holds ${this.#found} entries of ${position.count}, or others than were put`)
    }
    return position
  }

  #entry(page: Page, offset: number): void {
    const keyLength = page.bytes.readUInt16LE(offset + 6)
    if (page.bytes.readUInt16LE(offset + 4) === BIG_DATA) {
      const [key, value] = [keyAt(page, offset), this.#valueAt(page, offset)]
      this.#count(intact(key, value), value, key)
      return
    }
    const start = offset + NODE_HEADER
    const entry = page.bytes.subarray(start, start + keyLength + page.bytes.readUInt32LE(offset))
    if (keyLength === POSITION_KEY.length && entry[0] === POSITION_KEY[0]) {
      this.#position = decodePosition(unseal(POSITION_KEY, entry.subarray(keyLength)))
    } else this.#count(intactEntry(entry, keyLength), entry, entry.subarray(0, keyLength))
  }

  #count(sound: boolean, sealed: Buffer, key: Buffer): void {
    if (!sound) throw new DamagedIndexFile(`the entry ${key.toString('latin1')} is damaged`)
    this.#found++
    this.#sum = addToSum(this.#sum, sealOf(sealed), 1)
  }

  /** A list: its length, then page numbers; a negative number is the length of a run that begins with the next one. */
  #freePages(key: Buffer, value: Buffer): void {
    if (key.length !== 8 || value.length % 8 !== 0 || value.length === 0) {
      throw new DamagedIndexFile('a list of free pages is damaged')
    }
    const length = Number(value.readBigInt64LE(0))
    if (length < 0 || (length + 1) * 8 > value.length) throw new DamagedIndexFile('a list of free pages is cut')
    for (let i = 1; i <= length; i++) {
      const number = Number(value.readBigInt64LE(i * 8))
      if (number === 0) continue
      if (number > 0) this.#meet(number)
      else {
        i++
        const first = i <= length ? Number(value.readBigInt64LE(i * 8)) : 0
        for (let page = first; page < first - number; page++) this.#meet(page)
      }
    }
  }

  *#tree(tree: Tree, onEntry: (page: Page, offset: number) => void): Generator<void> {
    if (tree.root === undefined) {
      if (tree.entries !== 0) throw new DamagedIndexFile('a tree without root is said to hold entries')
      return
    }
    this.#entries = 0
    yield* this.#subtree(tree, tree.root, 1, { from: undefined, to: undefined }, onEntry)
    if (this.#entries !== tree.entries) throw new DamagedIndexFile('a tree holds more or fewer entries than it says')
  }

  *#subtree(
    tree: Tree,
    number: number,
    depth: number,
    bounds: { from: Buffer | undefined; to: Buffer | undefined },
    onEntry: (page: Page, offset: number) => void,
  ): Generator<void> {
    const page = this.#readPage(number, depth)
    if (page.flags !== (depth === tree.depth ? LEAF : BRANCH)) throw new DamagedIndexFile(`page ${number} is no node`)
    const order = tree.flags & INTEGER_KEYS ? compareIntegers : Buffer.compare
    if (page.flags === LEAF) {
      let last: Buffer | undefined
      for (const offset of page.nodes) {
        const key = keyAt(page, offset)
        const early = (last && order(key, last) <= 0) || (bounds.from && order(key, bounds.from) < 0)
        if (early || (bounds.to && order(key, bounds.to) >= 0)) {
          throw new DamagedIndexFile(`page ${number} holds keys in the wrong order`)
        }
        onEntry(page, offset)
        this.#entries++
        last = key
      }
      yield
      return
    }
    for (const [i, offset] of page.nodes.entries()) {
      const following = page.nodes[i + 1]
      const from = i === 0 ? bounds.from : keyAt(page, offset)
      const to = following === undefined ? bounds.to : keyAt(page, following)
      if (from && to && order(from, to) >= 0) throw new DamagedIndexFile(`page ${number} holds keys in the wrong order`)
      // Low and high half of the page number stand where leaves have the length, its top where they have flags.
      const child = page.bytes.readUInt32LE(offset) + page.bytes.readUInt16LE(offset + 4) * 2 ** 32
      yield* this.#subtree(tree, child, depth + 1, { from, to }, onEntry)
    }
  }

  #valueAt(page: Page, offset: number): Buffer {
    const length = page.bytes.readUInt32LE(offset)
    const at = offset + NODE_HEADER + page.bytes.readUInt16LE(offset + 6)
    if (page.bytes.readUInt16LE(offset + 4) === 0) return page.bytes.subarray(at, at + length)
    const first = Number(page.bytes.readBigUInt64LE(at))
    const pages = Math.floor((HEADER - 1 + length) / PAGE) + 1
    if (Number(page.bytes.readBigUInt64LE(at + 16)) !== pages)
      throw new DamagedIndexFile('a large value has a wrong length')
    const bytes = this.#read(first, pages)
    this.#checkHeader(first, bytes, OVERFLOW)
    if (bytes.readUInt32LE(20) !== pages) throw new DamagedIndexFile('a large value has a wrong length')
    for (let number = first; number < first + pages; number++) this.#meet(number)
    return bytes.subarray(HEADER, HEADER + length)
  }

  /** A page of nodes whose parts lie where they can lie and fill it as they say. */
  #readPage(number: number, depth: number): Page {
    // One buffer per level: a page is done with when the next one of its level is read.
    const bytes = this.#read(number, 1, this.#levels[depth])
    this.#levels[depth] = bytes
    this.#meet(number)
    const flags = bytes.readUInt16LE(18)
    this.#checkHeader(number, bytes, flags)
    const lower = bytes.readUInt16LE(20)
    const upper = bytes.readUInt16LE(22)
    if (lower % 2 !== 0 || lower > upper || upper > PAGE - HEADER || lower === 0) throw damagedPage(number)
    const nodes: number[] = []
    let used = 0
    for (let i = 0; i < lower / 2; i++) {
      const offset = HEADER + bytes.readUInt16LE(HEADER + 2 * i)
      if (offset < HEADER + upper || offset + NODE_HEADER > PAGE) throw damagedPage(number)
      const size = nodeSize(bytes, offset, flags)
      if (offset + size > PAGE) throw damagedPage(number)
      used += size + (size % 2)
      nodes.push(offset)
    }
    if (upper + used !== PAGE - HEADER) throw damagedPage(number)
    return { number, bytes, flags, nodes }
  }

  #checkHeader(number: number, bytes: Buffer, flags: number): void {
    // A page that claims to be newer than its transaction would be written to in place.
    const newer = bytes.readBigUInt64LE(8) > BigInt(this.#meta.transaction)
    if (Number(bytes.readBigUInt64LE(0)) !== number || newer || bytes.readUInt16LE(18) !== flags) {
      throw new DamagedIndexFile(`page ${number} has a damaged header`)
    }
  }

  #meet(number: number): void {
    const { lastPage } = this.#meta
    if (number < 2 || number > lastPage) throw new DamagedIndexFile(`page ${number} lies outside the file`)
    const bit = 1 << (number & 7)
    const byte = this.#met[number >> 3] ?? 0
    if (byte & bit) throw new DamagedIndexFile(`page ${number} is used twice`)
    this.#met[number >> 3] = byte | bit
  }

  #read(number: number, pages: number, into?: Buffer): Buffer {
    if (number < 0 || pages < 1 || number + pages > this.#pages)
      throw new DamagedIndexFile('a page lies behind the end')
    const bytes = into ?? Buffer.allocUnsafeSlow(pages * PAGE)
    readSync(this.fd, bytes, 0, bytes.length, number * PAGE)
    return bytes
  }

  /**
   * The state that LMDB will take: the newer of the first two pages, unless the machine has been started again since. Then
   * only what was synced counts, of which a note is kept in the middle of the first page.
   */
  #readMeta(): Meta {
    const [first, second] = [this.#read(0, 1), this.#read(1, 1)]
    const metas = [readMeta(first), readMeta(second)] as const
    const synced = readMeta(first.subarray(PAGE / 2))
    // LMDB takes sizes from whichever it reads first, so all must be right, not only the one chosen.
    const sound = metas.every((meta) => meta.sound && meta.flags === META) && (synced.transaction === 0 || synced.sound)
    if (!sound) throw new DamagedIndexFile('the first pages are damaged')
    const chosen = pick(pick(...metas), synced)
    if (chosen.lastPage >= this.#pages * 2 + 1024) throw new DamagedIndexFile('the last page lies behind the end')
    return chosen
  }
}

/** As `mdb_pick_meta` does at the opening. */
function pick(a: Meta, b: Meta): Meta {
  if (b.transaction === 0) return a
  const latest = a.transaction >= b.transaction ? a : b
  if ((latest.boot !== 0 && latest.boot === bootNow()) || !latest.overlapping) return latest
  return a.transaction > b.transaction ? b : a
}

/** What LMDB notes of the machine's start: the first part of Linux's boot ID; 0 where there is none. */
function bootNow(): number {
  try {
    return Number.parseInt(readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8), 16)
  } catch {
    return 0
  }
}

function readMeta(bytes: Buffer): Meta {
  const at = HEADER
  const sound =
    bytes.readBigUInt64LE(at + 8) === 0n &&
    bytes.readBigUInt64LE(at + 16) < LARGEST_MAP &&
    bytes.readUInt32LE(at + 24) === PAGE &&
    (bytes.readUInt16LE(at + 28) & ~OVERLAPPING) === INTEGER_KEYS &&
    bytes.readUInt32LE(at + 72) === 0 &&
    bytes.readUInt16LE(at + 76) === 0
  return {
    sound,
    flags: bytes.readUInt32LE(at) === MAGIC && bytes.readUInt32LE(at + 4) === DATA_VERSION ? bytes.readUInt16LE(18) : 0,
    overlapping: (bytes.readUInt16LE(at + 28) & OVERLAPPING) !== 0,
    free: readTree(bytes, at + 24),
    main: readTree(bytes, at + 72),
    lastPage: Number(bytes.readBigUInt64LE(at + 120)),
    transaction: Number(bytes.readBigUInt64LE(at + 128)),
    boot: Number(bytes.readBigInt64LE(at + 136)),
  }
}

function readTree(bytes: Buffer, at: number): Tree {
  const root = bytes.readBigUInt64LE(at + 40)
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    entries: Number(bytes.readBigUInt64LE(at + 32)),
    root: root === NO_PAGE ? undefined : Number(root),
  }
}

function damagedPage(number: number): DamagedIndexFile {
  return new DamagedIndexFile(`page ${number} is damaged`)
}

function keyAt(page: Page, offset: number): Buffer {
  return page.bytes.subarray(offset + NODE_HEADER, offset + NODE_HEADER + page.bytes.readUInt16LE(offset + 6))
}

/** Bytes of a node. A large value stands elsewhere, with three numbers in its place. */
function nodeSize(bytes: Buffer, offset: number, pageFlags: number): number {
  const key = bytes.readUInt16LE(offset + 6)
  if (pageFlags === BRANCH) return NODE_HEADER + key
  const flags = bytes.readUInt16LE(offset + 4)
  if (flags !== 0 && flags !== BIG_DATA) throw new DamagedIndexFile('a node of an unknown kind')
  return NODE_HEADER + key + (flags === BIG_DATA ? 24 : bytes.readUInt32LE(offset))
}

/** Transaction numbers as keys: eight bytes, little-endian. */
function compareIntegers(a: Buffer, b: Buffer): number {
  if (a.length !== 8 || b.length !== 8) throw new DamagedIndexFile('a list of free pages has a damaged key')
  const [left, right] = [a.readBigUInt64LE(0), b.readBigUInt64LE(0)]
  return left < right ? -1 : left > right ? 1 : 0
}
