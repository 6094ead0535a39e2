import { readFileSync } from 'node:fs'

// The layout of pages in the files of LMDB as it is inside lmdb 3.5: `MDB_DATA_VERSION` 2, header of 24 bytes.
// https://github.com/kriszyp/lmdb-js/blob/v3.5.6/dependencies/lmdb/libraries/liblmdb/mdb.c, structs MDB_page_header, MDB_node,
// MDB_ovpage, MDB_db, MDB_meta

/** An LMDB file that must not be opened, or whose content is not trusted. */
export class DamagedIndexFile extends Error {
  override readonly name = 'DamagedIndexFile'
}

export const PAGE_BYTES = 4096
export const PAGE_HEADER_BYTES = 24
const MAGIC = 0xbeefc0de
const DATA_VERSION = 2
export const BRANCH_PAGE = 1
export const LEAF_PAGE = 2
export const OVERFLOW_PAGE = 4
const META_PAGE = 8
const INTEGER_KEYS = 8
const OVERLAPPING_SYNC = 0x1000
export const BIG_DATA = 1
export const NODE_HEADER_BYTES = 8
/** Bytes of address space, which LMDB takes as the file says. */
const MAX_MAP_BYTES = 2n ** 44n
const NO_PAGE = 0xffffffffffffffffn

/** Facts about a tree in a meta page. */
export interface LmdbTree {
  flags: number
  depth: number
  entries: number
  root: number | undefined
}

/** A committed state. */
export interface LmdbMeta {
  /** The constant fields of the page have their expected values. */
  sound: boolean
  /** The page's flags; 0 if it does not look like an LMDB page. The copy in the middle of a page has none. */
  flags: number
  /** Written before it was synced. */
  overlapping: boolean
  boot: number
  lastPage: number
  transaction: number
  free: LmdbTree
  main: LmdbTree
}

/** A page of a tree. */
export interface LmdbPage {
  number: number
  bytes: Buffer
  flags: number
  /** Offsets of the nodes in the page. */
  nodes: number[]
}

/**
 * The state that LMDB will take of the first two pages: the newer one, unless the machine has been started again since. Then
 * only what was synced counts, of which a note is kept in the middle of the first page.
 * @throws DamagedIndexFile
 */
export function chooseMeta(first: Buffer, second: Buffer): LmdbMeta {
  const metas = [readMeta(first), readMeta(second)] as const
  const synced = readMeta(first.subarray(PAGE_BYTES / 2))
  // LMDB takes sizes from whichever it reads first, so all must be right, not only the one chosen.
  const sound =
    metas.every((meta) => meta.sound && meta.flags === META_PAGE) && (synced.transaction === 0 || synced.sound)
  if (!sound) throw new DamagedIndexFile('the first pages are damaged')
  return pickMeta(pickMeta(...metas), synced)
}

/** Same as `mdb_pick_meta` when opening. */
function pickMeta(a: LmdbMeta, b: LmdbMeta): LmdbMeta {
  if (b.transaction === 0) return a
  const latest = a.transaction >= b.transaction ? a : b
  if ((latest.boot !== 0 && latest.boot === currentBootId()) || !latest.overlapping) return latest
  return a.transaction > b.transaction ? b : a
}

/** Returns LMDB's ID of the machine's boot: the first part of Linux's boot ID; 0 on other systems. */
function currentBootId(): number {
  try {
    return Number.parseInt(readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8), 16)
  } catch {
    return 0
  }
}

function readMeta(bytes: Buffer): LmdbMeta {
  const at = PAGE_HEADER_BYTES
  const sound =
    bytes.readBigUInt64LE(at + 8) === 0n &&
    bytes.readBigUInt64LE(at + 16) < MAX_MAP_BYTES &&
    bytes.readUInt32LE(at + 24) === PAGE_BYTES &&
    (bytes.readUInt16LE(at + 28) & ~OVERLAPPING_SYNC) === INTEGER_KEYS &&
    bytes.readUInt32LE(at + 72) === 0 &&
    bytes.readUInt16LE(at + 76) === 0
  return {
    sound,
    flags: bytes.readUInt32LE(at) === MAGIC && bytes.readUInt32LE(at + 4) === DATA_VERSION ? bytes.readUInt16LE(18) : 0,
    overlapping: (bytes.readUInt16LE(at + 28) & OVERLAPPING_SYNC) !== 0,
    free: readTree(bytes, at + 24),
    main: readTree(bytes, at + 72),
    lastPage: Number(bytes.readBigUInt64LE(at + 120)),
    transaction: Number(bytes.readBigUInt64LE(at + 128)),
    boot: Number(bytes.readBigInt64LE(at + 136)),
  }
}

function readTree(bytes: Buffer, at: number): LmdbTree {
  const root = bytes.readBigUInt64LE(at + 40)
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    entries: Number(bytes.readBigUInt64LE(at + 32)),
    root: root === NO_PAGE ? undefined : Number(root),
  }
}

/**
 * A page of nodes whose parts lie where they can lie and fill it as they say.
 * @throws DamagedIndexFile
 */
export function parsePage(number: number, bytes: Buffer): LmdbPage {
  const flags = bytes.readUInt16LE(18)
  const lower = bytes.readUInt16LE(20)
  const upper = bytes.readUInt16LE(22)
  if (lower % 2 !== 0 || lower > upper || upper > PAGE_BYTES - PAGE_HEADER_BYTES || lower === 0)
    throw damagedPage(number)
  const nodes: number[] = []
  let used = 0
  for (let i = 0; i < lower / 2; i++) {
    const offset = PAGE_HEADER_BYTES + bytes.readUInt16LE(PAGE_HEADER_BYTES + 2 * i)
    if (offset < PAGE_HEADER_BYTES + upper || offset + NODE_HEADER_BYTES > PAGE_BYTES) throw damagedPage(number)
    const size = nodeSize(bytes, offset, flags)
    if (offset + size > PAGE_BYTES) throw damagedPage(number)
    used += size + (size % 2)
    nodes.push(offset)
  }
  if (upper + used !== PAGE_BYTES - PAGE_HEADER_BYTES) throw damagedPage(number)
  return { number, bytes, flags, nodes }
}

function damagedPage(number: number): DamagedIndexFile {
  return new DamagedIndexFile(`page ${number} is damaged`)
}

/** The key of a node (a view). */
export function nodeKey(page: LmdbPage, offset: number): Buffer {
  return page.bytes.subarray(
    offset + NODE_HEADER_BYTES,
    offset + NODE_HEADER_BYTES + page.bytes.readUInt16LE(offset + 6),
  )
}

/** Returns the size of a node in bytes. A large value is stored elsewhere, with three numbers in its place. */
function nodeSize(bytes: Buffer, offset: number, pageFlags: number): number {
  const key = bytes.readUInt16LE(offset + 6)
  if (pageFlags === BRANCH_PAGE) return NODE_HEADER_BYTES + key
  const flags = bytes.readUInt16LE(offset + 4)
  if (flags !== 0 && flags !== BIG_DATA) throw new DamagedIndexFile('a node of an unknown kind')
  return NODE_HEADER_BYTES + key + (flags === BIG_DATA ? 24 : bytes.readUInt32LE(offset))
}

/** The order of keys in a tree. */
export function keyComparator(tree: LmdbTree): (a: Buffer, b: Buffer) => number {
  return tree.flags & INTEGER_KEYS ? compareIntegers : Buffer.compare
}

/** Transaction numbers as keys: eight bytes, little-endian. */
function compareIntegers(a: Buffer, b: Buffer): number {
  if (a.length !== 8 || b.length !== 8) throw new DamagedIndexFile('a list of free pages has a damaged key')
  const [left, right] = [a.readBigUInt64LE(0), b.readBigUInt64LE(0)]
  return left < right ? -1 : left > right ? 1 : 0
}
