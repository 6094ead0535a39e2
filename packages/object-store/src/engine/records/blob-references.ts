import { DamagedEntry } from '../../index-db/entry-checksum.ts'
import type { Transaction } from '../commit/transaction.ts'
import { indexKeys } from './index-keys.ts'
import { type BlobRecord, type BlobSegment, decodeBlob, encodeBlob } from './index-records.ts'

const NOTHING = Buffer.alloc(0)

/** A blob whose files are written and synced, but which no object references yet. */
export interface WrittenBlob {
  blob: string
  size: number
  slots: number[]
  /** Another copy is missing. */
  incomplete: boolean
}

/** Enters a fresh blob, with one reference. */
export function addBlob(tx: Transaction, written: WrittenBlob): void {
  const { blob, size, slots } = written
  tx.put(indexKeys.blob(blob), encodeBlob({ references: 1, size, slots }))
  if (written.incomplete) tx.put(indexKeys.incompleteBlob(blob), NOTHING)
  for (const slot of slots) countDriveBytes(tx, slot, size)
}

/** Adds a reference to each segment's blob; false, without changes, if one of them was deleted. */
export function addSegmentReferences(tx: Transaction, segments: BlobSegment[]): boolean {
  const found: { key: Buffer; record: BlobRecord }[] = []
  for (const { blob } of segments) {
    const key = indexKeys.blob(blob)
    const value = tx.get(key)
    if (!value) return false
    found.push({ key, record: decodeBlob(value) })
  }
  // A blob may be linked twice, so increase the count in the transaction, not the one read above.
  for (const { key } of found) {
    const value = tx.get(key)
    const record = value && decodeBlob(value)
    if (record) tx.put(key, encodeBlob({ ...record, references: record.references + 1 }))
  }
  return true
}

/** Removes a reference from each segment's blob; a blob without references becomes garbage. */
export function removeSegmentReferences(tx: Transaction, segments: BlobSegment[]): void {
  for (const { blob } of segments) {
    const key = indexKeys.blob(blob)
    const value = tx.get(key)
    if (!value) throw new DamagedEntry(key)
    const record = decodeBlob(value)
    if (record.references > 1) {
      tx.put(key, encodeBlob({ ...record, references: record.references - 1 }))
      continue
    }
    tx.remove(key)
    tx.remove(indexKeys.incompleteBlob(blob))
    tx.put(indexKeys.garbageBlob(blob), encodeBlob({ ...record, references: 0 }))
    tx.garbage = true
    for (const slot of record.slots) countDriveBytes(tx, slot, -record.size)
  }
}

/** Records the new drives of a blob after a copy was healed or given up. */
export function setBlobSlots(tx: Transaction, blob: string, slots: number[], incomplete: boolean): void {
  const key = indexKeys.blob(blob)
  const value = tx.get(key)
  if (!value) return
  const record = decodeBlob(value)
  for (const slot of record.slots) countDriveBytes(tx, slot, -record.size)
  for (const slot of slots) countDriveBytes(tx, slot, record.size)
  tx.put(key, encodeBlob({ ...record, slots }))
  if (incomplete) tx.put(indexKeys.incompleteBlob(blob), NOTHING)
  else tx.remove(indexKeys.incompleteBlob(blob))
}

function countDriveBytes(tx: Transaction, slot: number, bytes: number): void {
  const key = indexKeys.driveUsage(slot)
  const value = tx.get(key)
  const used = value ? Number(value.toString('latin1')) : 0
  tx.put(key, Buffer.from(String(used + bytes), 'latin1'))
}
