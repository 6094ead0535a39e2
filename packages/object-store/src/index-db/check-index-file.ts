import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { isIntactPageEntry, isIntactValue, storedChecksum, stripChecksum } from './entry-checksum.ts'
import {
  BIG_DATA,
  BRANCH_PAGE,
  chooseMeta,
  DamagedIndexFile,
  keyComparator,
  LEAF_PAGE,
  type LmdbMeta,
  type LmdbPage,
  type LmdbTree,
  NODE_HEADER_BYTES,
  nodeKey,
  OVERFLOW_PAGE,
  PAGE_BYTES,
  PAGE_HEADER_BYTES,
  parsePage,
} from './lmdb-page.ts'
import { addToSum, decodePosition, type IndexPosition, POSITION_KEY } from './ordered-index.ts'

/** The file of lmdb in an index's folder. */
export const LMDB_DATA_FILE = 'data.mdb'

/**
 * Checks a copy of the index without LMDB, which ends the process by a signal when it meets a damaged page: that both trees
 * are whole, that each entry matches its checksum, that as many entries are there as were counted and add up to the same
 * sum, and that no page is free and in use at once (LMDB would overwrite it).
 *
 * A generator, so that a background check can let others run between pages: it yields after each page of entries.
 * @param folder of the environment
 * @returns the position that the file holds
 * @throws DamagedIndexFile
 */
export function* checkIndexFileInSteps(folder: string): Generator<void, IndexPosition> {
  const fd = openFile(folder)
  try {
    return yield* new IndexFileCheck(fd).run()
  } finally {
    closeSync(fd)
  }
}

/** Runs the whole check. @throws DamagedIndexFile */
export function checkIndexFile(folder: string): IndexPosition {
  const steps = checkIndexFileInSteps(folder)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function openFile(folder: string): number {
  try {
    return openSync(join(folder, LMDB_DATA_FILE), 'r')
  } catch (error) {
    throw new DamagedIndexFile('the file is missing', { cause: error })
  }
}

class IndexFileCheck {
  readonly #meta: LmdbMeta
  readonly #pages: number
  /** One bit per page: seen in a tree or in a list of free pages. */
  readonly #met: Uint8Array
  readonly #levels: Buffer[] = []
  #entries = 0
  #found = 0
  #sum = 0
  #position: IndexPosition | undefined

  constructor(private readonly fd: number) {
    this.#pages = Math.floor(fstatSync(fd).size / PAGE_BYTES)
    this.#meta = chooseMeta(this.#read(0, 1), this.#read(1, 1))
    if (this.#meta.lastPage >= this.#pages * 2 + 1024) throw new DamagedIndexFile('the last page lies behind the end')
    this.#met = new Uint8Array(Math.ceil((this.#meta.lastPage + 1) / 8))
  }

  *run(): Generator<void, IndexPosition> {
    const { free, main } = this.#meta
    yield* this.#tree(main, (page, offset) => this.#entry(page, offset))
    yield* this.#tree(free, (page, offset) => this.#freePages(nodeKey(page, offset), this.#valueAt(page, offset)))
    const position = this.#position
    if (!position) throw new DamagedIndexFile('the position is missing')
    if (position.count !== this.#found || position.sum !== this.#sum) {
      throw new DamagedIndexFile(`it holds ${this.#found} entries of ${position.count}, or others than were put`)
    }
    return position
  }

  #entry(page: LmdbPage, offset: number): void {
    const keyLength = page.bytes.readUInt16LE(offset + 6)
    if (page.bytes.readUInt16LE(offset + 4) === BIG_DATA) {
      const [key, value] = [nodeKey(page, offset), this.#valueAt(page, offset)]
      this.#count(isIntactValue(key, value), value, key)
      return
    }
    const start = offset + NODE_HEADER_BYTES
    const entry = page.bytes.subarray(start, start + keyLength + page.bytes.readUInt32LE(offset))
    if (keyLength === POSITION_KEY.length && entry[0] === POSITION_KEY[0]) {
      this.#position = decodePosition(stripChecksum(POSITION_KEY, entry.subarray(keyLength)))
    } else this.#count(isIntactPageEntry(entry, keyLength), entry, entry.subarray(0, keyLength))
  }

  #count(sound: boolean, sealed: Buffer, key: Buffer): void {
    if (!sound) throw new DamagedIndexFile(`the entry ${key.toString('latin1')} is damaged`)
    this.#found++
    this.#sum = addToSum(this.#sum, storedChecksum(sealed), 1)
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

  *#tree(tree: LmdbTree, onEntry: (page: LmdbPage, offset: number) => void): Generator<void> {
    if (tree.root === undefined) {
      if (tree.entries !== 0) throw new DamagedIndexFile('a tree without root is said to hold entries')
      return
    }
    this.#entries = 0
    yield* this.#subtree(tree, tree.root, 1, { from: undefined, to: undefined }, onEntry)
    if (this.#entries !== tree.entries) throw new DamagedIndexFile('a tree holds more or fewer entries than it says')
  }

  *#subtree(
    tree: LmdbTree,
    number: number,
    depth: number,
    bounds: { from: Buffer | undefined; to: Buffer | undefined },
    onEntry: (page: LmdbPage, offset: number) => void,
  ): Generator<void> {
    const page = this.#readPage(number, depth)
    if (page.flags !== (depth === tree.depth ? LEAF_PAGE : BRANCH_PAGE))
      throw new DamagedIndexFile(`page ${number} is no node`)
    const order = keyComparator(tree)
    if (page.flags === LEAF_PAGE) {
      let last: Buffer | undefined
      for (const offset of page.nodes) {
        const key = nodeKey(page, offset)
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
      const from = i === 0 ? bounds.from : nodeKey(page, offset)
      const to = following === undefined ? bounds.to : nodeKey(page, following)
      if (from && to && order(from, to) >= 0) throw new DamagedIndexFile(`page ${number} holds keys in the wrong order`)
      // Low and high half of the page number are in the length field of leaves, its top in their flags.
      const child = page.bytes.readUInt32LE(offset) + page.bytes.readUInt16LE(offset + 4) * 2 ** 32
      yield* this.#subtree(tree, child, depth + 1, { from, to }, onEntry)
    }
  }

  #valueAt(page: LmdbPage, offset: number): Buffer {
    const length = page.bytes.readUInt32LE(offset)
    const at = offset + NODE_HEADER_BYTES + page.bytes.readUInt16LE(offset + 6)
    if (page.bytes.readUInt16LE(offset + 4) === 0) return page.bytes.subarray(at, at + length)
    const first = Number(page.bytes.readBigUInt64LE(at))
    const pages = Math.floor((PAGE_HEADER_BYTES - 1 + length) / PAGE_BYTES) + 1
    if (Number(page.bytes.readBigUInt64LE(at + 16)) !== pages)
      throw new DamagedIndexFile('a large value has a wrong length')
    const bytes = this.#read(first, pages)
    this.#checkHeader(first, bytes, OVERFLOW_PAGE)
    if (bytes.readUInt32LE(20) !== pages) throw new DamagedIndexFile('a large value has a wrong length')
    for (let number = first; number < first + pages; number++) this.#meet(number)
    return bytes.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + length)
  }

  #readPage(number: number, depth: number): LmdbPage {
    // One buffer per level: a page is no longer needed when the next one of its level is read.
    const bytes = this.#read(number, 1, this.#levels[depth])
    this.#levels[depth] = bytes
    this.#meet(number)
    const page = parsePage(number, bytes)
    this.#checkHeader(number, bytes, page.flags)
    return page
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
    if (number < 0 || pages < 1 || number + pages > this.#pages) {
      throw new DamagedIndexFile('a page lies behind the end')
    }
    const bytes = into ?? Buffer.allocUnsafeSlow(pages * PAGE_BYTES)
    readSync(this.fd, bytes, 0, bytes.length, number * PAGE_BYTES)
    return bytes
  }
}
