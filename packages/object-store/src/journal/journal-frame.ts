import { crc32 } from 'node:zlib'
import { pack, unpack } from 'msgpackr'
import type { IndexOp, IndexPosition } from '../index-db/ordered-index.ts'
import type { StoreChange } from './store-change.ts'

/**
 * One record of the journal: a batch of index operations with the changes that they stand for, and the position of an
 * index that has applied it. Little-endian:
 *
 *     magic u32 · payload length u32 · crc32 of all that follows u32 · position (frame, seq, id, count, sum) 5 × f64
 *     payload: number of ops u32, ops, changes (msgpack)
 *     op: key length u16 · value length u32 (all ones: remove) · key · value with checksum
 */
export interface JournalFrame {
  position: IndexPosition
  ops: IndexOp[]
  changes: StoreChange[]
}

const MAGIC = 0x314a5453
/** The bytes that a frame begins with. */
export const FRAME_MAGIC = Buffer.from('STJ1')
const FRAME_HEADER_BYTES = 12 + 5 * 8
const REMOVED = 0xffffffff

export function encodeFrame(frame: JournalFrame): Buffer {
  const changes = pack(frame.changes)
  let size = FRAME_HEADER_BYTES + 4 + changes.length
  for (const { key, value } of frame.ops) size += 6 + key.length + (value?.length ?? 0)
  const out = Buffer.allocUnsafe(size)
  out.writeUInt32LE(MAGIC, 0)
  out.writeUInt32LE(size - FRAME_HEADER_BYTES, 4)
  const { position } = frame
  const numbers = [position.frame, position.seq, position.id, position.count, position.sum]
  numbers.forEach((number, i) => {
    out.writeDoubleLE(number, 12 + 8 * i)
  })
  out.writeUInt32LE(frame.ops.length, FRAME_HEADER_BYTES)
  let at = FRAME_HEADER_BYTES + 4
  for (const { key, value } of frame.ops) {
    out.writeUInt16LE(key.length, at)
    out.writeUInt32LE(value ? value.length : REMOVED, at + 2)
    out.set(key, at + 6)
    at += 6 + key.length
    if (!value) continue
    out.set(value, at)
    at += value.length
  }
  out.set(changes, at)
  out.writeUInt32LE(crc32(out.subarray(12)), 8)
  return out
}

/** Returns the frame at an offset and the offset of the next one; undefined at the end, or if it is damaged. */
export function decodeFrame(bytes: Buffer, offset: number): { frame: JournalFrame; next: number } | undefined {
  if (offset + FRAME_HEADER_BYTES > bytes.length || bytes.readUInt32LE(offset) !== MAGIC) return undefined
  const next = offset + FRAME_HEADER_BYTES + bytes.readUInt32LE(offset + 4)
  if (next > bytes.length || crc32(bytes.subarray(offset + 12, next)) !== bytes.readUInt32LE(offset + 8))
    return undefined
  const number = (i: number) => bytes.readDoubleLE(offset + 12 + 8 * i)
  const position = { frame: number(0), seq: number(1), id: number(2), count: number(3), sum: number(4) }
  const ops: IndexOp[] = []
  let at = offset + FRAME_HEADER_BYTES + 4
  for (let left = bytes.readUInt32LE(offset + FRAME_HEADER_BYTES); left > 0; left--) {
    const keyEnd = at + 6 + bytes.readUInt16LE(at)
    const length = bytes.readUInt32LE(at + 2)
    const key = bytes.subarray(at + 6, keyEnd)
    at = length === REMOVED ? keyEnd : keyEnd + length
    ops.push({ key, value: length === REMOVED ? undefined : bytes.subarray(keyEnd, at) })
  }
  return { frame: { position, ops, changes: unpack(bytes.subarray(at, next)) as StoreChange[] }, next }
}
