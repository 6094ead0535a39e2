/**
 * The keys of the index. Each table has a letter; numbers are big-endian, so that their order is the order of the bytes.
 * Object keys contain no zero byte, so a zero byte behind one sorts before every longer key.
 *
 *     b name                            bucket
 *     u bucket                          usage of a bucket
 *     x bucket                          a deleted bucket whose contents are being removed
 *     o bucket key                      latest version of a key, if it is an object
 *     k bucket key                      latest version of a key, if it is a delete marker
 *     v bucket key 0 ~id                older versions and markers, newest first
 *     w bucket key 0 version ID         id of an older version
 *     d bucket id                       bytes of a small object
 *     s bucket id                       segments and parts of an object with many of them
 *     m bucket key 0 upload ID          multipart upload
 *     p bucket upload ID 0 part         part of an upload
 *     q bucket target 0 id             change that waits to be replicated to a target
 *     f bucket target 0 id             change that a target refused
 *     c bucket target                  counts of a target's changes
 *     B blob                            blob: number of references, size, drives
 *     G blob                            blob without references, whose files are being removed
 *     H blob                            blob that lacks a copy
 *     T object                          object on a tier: tier, size, its former segments
 *     Z tier 0 object                   object on a tier that no version references, or that is being written
 *     U slot                            bytes of blobs on a drive
 *     D collection 0 name               document
 *
 * `bucket` is the number of the bucket. Each new bucket gets a new number, so a later bucket of the same name starts empty.
 */
const NUMBER_BYTES = 6
const MAX_NUMBER = 2 ** 48 - 1
const ZERO = Buffer.from([0])

export type Table =
  | 'b'
  | 'u'
  | 'x'
  | 'o'
  | 'k'
  | 'v'
  | 'w'
  | 'd'
  | 's'
  | 'm'
  | 'p'
  | 'q'
  | 'f'
  | 'c'
  | 'B'
  | 'G'
  | 'H'
  | 'U'
  | 'D'
  | 'T'
  | 'Z'

function numbered(table: Table, number: number, extra = 0): Buffer {
  const key = Buffer.allocUnsafe(1 + NUMBER_BYTES + extra)
  key.write(table, 0, 'latin1')
  key.writeUIntBE(number, 1, NUMBER_BYTES)
  return key
}

function inBucket(table: Table, bucket: number, ...rest: Uint8Array[]): Buffer {
  return Buffer.concat([numbered(table, bucket), ...rest])
}

/** Number of bytes before the object key in the tables of buckets. */
export const BUCKET_PREFIX = 1 + NUMBER_BYTES

export const keys = {
  bucket: (name: string) => Buffer.from(`b${name}`),
  usage: (bucket: number) => numbered('u', bucket),
  dropped: (bucket: number) => numbered('x', bucket),
  latest: (bucket: number, key: Uint8Array) => inBucket('o', bucket, key),
  marker: (bucket: number, key: Uint8Array) => inBucket('k', bucket, key),
  olderOf: (bucket: number, key: Uint8Array) => inBucket('v', bucket, key, ZERO),
  older: (bucket: number, key: Uint8Array, id: number) => {
    const inverted = Buffer.allocUnsafe(NUMBER_BYTES)
    inverted.writeUIntBE(MAX_NUMBER - id, 0, NUMBER_BYTES)
    return inBucket('v', bucket, key, ZERO, inverted)
  },
  olderByVersion: (bucket: number, key: Uint8Array, versionId: string) =>
    inBucket('w', bucket, key, ZERO, Buffer.from(versionId)),
  data: (bucket: number, id: number) => withNumber('d', bucket, id),
  segments: (bucket: number, id: number) => withNumber('s', bucket, id),
  upload: (bucket: number, key: Uint8Array, uploadId: string) =>
    inBucket('m', bucket, key, ZERO, Buffer.from(uploadId)),
  partsOf: (bucket: number, uploadId: string) => inBucket('p', bucket, Buffer.from(uploadId), ZERO),
  part: (bucket: number, uploadId: string, part: number) => {
    const number = Buffer.allocUnsafe(2)
    number.writeUInt16BE(part, 0)
    return inBucket('p', bucket, Buffer.from(uploadId), ZERO, number)
  },
  waitingOf: (bucket: number, target: string, state: 'q' | 'f') =>
    inBucket(state, bucket, Buffer.from(target, 'latin1'), ZERO),
  waiting: (bucket: number, target: string, state: 'q' | 'f', id: number) => {
    const number = Buffer.allocUnsafe(NUMBER_BYTES)
    number.writeUIntBE(id, 0, NUMBER_BYTES)
    return inBucket(state, bucket, Buffer.from(target, 'latin1'), ZERO, number)
  },
  replicationCounts: (bucket: number, target: string) => inBucket('c', bucket, Buffer.from(target, 'latin1')),
  blob: (blob: string) => Buffer.from(`B${blob}`),
  garbage: (blob: string) => Buffer.from(`G${blob}`),
  incomplete: (blob: string) => Buffer.from(`H${blob}`),
  tierObject: (object: string) => Buffer.from(`T${object}`),
  tierGarbageOf: (tier: string) => Buffer.from(`Z${tier}\0`),
  tierGarbage: (tier: string, object: string) => Buffer.from(`Z${tier}\0${object}`),
  driveUse: (slot: number) => Buffer.from(`U${slot}`),
  document: (collection: string, name: string) => Buffer.concat([documents(collection), Buffer.from(name)]),
  documents,
  /** Prefix of all entries of a bucket in one table. */
  bucketTable: (table: Table, bucket: number) => numbered(table, bucket),
  table: (table: Table) => Buffer.from(table, 'latin1'),
}

function withNumber(table: Table, bucket: number, id: number): Buffer {
  const key = numbered(table, bucket, NUMBER_BYTES)
  key.writeUIntBE(id, BUCKET_PREFIX, NUMBER_BYTES)
  return key
}

function documents(collection: string): Buffer {
  return Buffer.from(`D${collection}\0`)
}
