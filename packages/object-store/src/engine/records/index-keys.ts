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

export type IndexTable =
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

function numberedKey(table: IndexTable, number: number, extra = 0): Buffer {
  const key = Buffer.allocUnsafe(1 + NUMBER_BYTES + extra)
  key.write(table, 0, 'latin1')
  key.writeUIntBE(number, 1, NUMBER_BYTES)
  return key
}

function bucketKey(table: IndexTable, bucket: number, ...rest: Uint8Array[]): Buffer {
  return Buffer.concat([numberedKey(table, bucket), ...rest])
}

/** Number of bytes before the object key in the tables of buckets. */
export const BUCKET_PREFIX_BYTES = 1 + NUMBER_BYTES

export const indexKeys = {
  bucket: (name: string) => Buffer.from(`b${name}`),
  usage: (bucket: number) => numberedKey('u', bucket),
  deletedBucket: (bucket: number) => numberedKey('x', bucket),
  latestObject: (bucket: number, key: Uint8Array) => bucketKey('o', bucket, key),
  latestMarker: (bucket: number, key: Uint8Array) => bucketKey('k', bucket, key),
  olderVersions: (bucket: number, key: Uint8Array) => bucketKey('v', bucket, key, ZERO),
  olderVersion: (bucket: number, key: Uint8Array, id: number) => {
    const inverted = Buffer.allocUnsafe(NUMBER_BYTES)
    inverted.writeUIntBE(MAX_NUMBER - id, 0, NUMBER_BYTES)
    return bucketKey('v', bucket, key, ZERO, inverted)
  },
  olderVersionById: (bucket: number, key: Uint8Array, versionId: string) =>
    bucketKey('w', bucket, key, ZERO, Buffer.from(versionId)),
  inlineData: (bucket: number, id: number) => bucketKeyWithNumber('d', bucket, id),
  segmentList: (bucket: number, id: number) => bucketKeyWithNumber('s', bucket, id),
  upload: (bucket: number, key: Uint8Array, uploadId: string) =>
    bucketKey('m', bucket, key, ZERO, Buffer.from(uploadId)),
  uploadParts: (bucket: number, uploadId: string) => bucketKey('p', bucket, Buffer.from(uploadId), ZERO),
  uploadPart: (bucket: number, uploadId: string, uploadPart: number) => {
    const number = Buffer.allocUnsafe(2)
    number.writeUInt16BE(uploadPart, 0)
    return bucketKey('p', bucket, Buffer.from(uploadId), ZERO, number)
  },
  replicationBacklog: (bucket: number, target: string, state: 'q' | 'f') =>
    bucketKey(state, bucket, Buffer.from(target, 'latin1'), ZERO),
  replicationTask: (bucket: number, target: string, state: 'q' | 'f', id: number) => {
    const number = Buffer.allocUnsafe(NUMBER_BYTES)
    number.writeUIntBE(id, 0, NUMBER_BYTES)
    return bucketKey(state, bucket, Buffer.from(target, 'latin1'), ZERO, number)
  },
  replicationCounts: (bucket: number, target: string) => bucketKey('c', bucket, Buffer.from(target, 'latin1')),
  blob: (blob: string) => Buffer.from(`B${blob}`),
  garbageBlob: (blob: string) => Buffer.from(`G${blob}`),
  incompleteBlob: (blob: string) => Buffer.from(`H${blob}`),
  tierObject: (object: string) => Buffer.from(`T${object}`),
  tierGarbageByTier: (tier: string) => Buffer.from(`Z${tier}\0`),
  tierGarbage: (tier: string, object: string) => Buffer.from(`Z${tier}\0${object}`),
  driveUsage: (slot: number) => Buffer.from(`U${slot}`),
  document: (collection: string, name: string) => Buffer.concat([documents(collection), Buffer.from(name)]),
  documents,
  /** Prefix of all entries of a bucket in one table. */
  bucketTable: (table: IndexTable, bucket: number) => numberedKey(table, bucket),
  table: (table: IndexTable) => Buffer.from(table, 'latin1'),
}

function bucketKeyWithNumber(table: IndexTable, bucket: number, id: number): Buffer {
  const key = numberedKey(table, bucket, NUMBER_BYTES)
  key.writeUIntBE(id, BUCKET_PREFIX_BYTES, NUMBER_BYTES)
  return key
}

function documents(collection: string): Buffer {
  return Buffer.from(`D${collection}\0`)
}
