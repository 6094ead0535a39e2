import { createHmac, randomBytes } from 'node:crypto'
import { readCompressed } from '../../blobs/compressed-body.ts'
import { decryptBody, decryptedSize, decryptRange, deriveBodyKey } from '../../key-ring/encrypted-body.ts'
import { DecryptionError } from '../../key-ring/key-ring.ts'
import { OBJECT_KEY_BYTES, unwrapKey, wrapKey } from '../../key-ring/wrapped-key.ts'
import { S3Error } from '../../lib/errors.ts'
import type { StoredBucket } from '../core/bucket-table.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type { EncryptionRequest, ObjectEncryption } from '../interface/types.ts'
import type { BlobSegment, EncryptionRecord } from '../records/index-records.ts'
import { DEFAULT_ENCRYPTION_KEY, ensureDefaultEncryptionKey, requireEncryptionKey } from './encryption-keys.ts'

/** The key that encrypts the bodies of one object, and the key that wraps it. */
export interface ObjectEncryptionKey extends ObjectEncryption {
  key: Buffer
  wrapping: Buffer
}

type BucketAndKey = { bucket: string; key: string }

/** Body of an object that is small enough to be stored in the index. */
const INLINE_BODY = 'inline'

/**
 * Returns a new key for an object, by the encryption that the writer or the bucket asks for; undefined for no encryption.
 * @throws S3Error KMS.NotFoundException
 */
export async function createObjectKey(
  core: EngineCore,
  bucket: StoredBucket,
  request: EncryptionRequest | undefined,
): Promise<ObjectEncryptionKey | undefined> {
  const wanted: EncryptionRequest | undefined = request ?? bucket.setting('encryption')?.value
  if (!wanted) return undefined
  const key = randomBytes(OBJECT_KEY_BYTES)
  if (wanted.mode === 'SSE-C') return { mode: 'SSE-C', key, wrapping: customerWrappingKey(wanted.key) }
  const keyId = (wanted.mode === 'SSE-KMS' ? wanted.keyId : undefined) ?? DEFAULT_ENCRYPTION_KEY
  if (keyId === DEFAULT_ENCRYPTION_KEY) await ensureDefaultEncryptionKey(core)
  return { mode: wanted.mode, keyId, key, wrapping: requireEncryptionKey(core, keyId) }
}

/** Returns the stored form of an object's key. */
export function wrapObjectKey(
  { mode, keyId, key, wrapping }: ObjectEncryptionKey,
  place: BucketAndKey,
): EncryptionRecord {
  return { mode, ...(keyId !== undefined && { keyId }), wrapped: wrapKey(wrapping, key, objectKeyContext(place)) }
}

/**
 * Decrypts the key of an object.
 * @param customerKey needed if the object was encrypted with one
 * @throws S3Error InvalidRequest (no key given), InvalidArgument (the wrong one), KMS.NotFoundException
 */
export function unwrapObjectKey(
  core: EngineCore,
  { mode, keyId, wrapped }: EncryptionRecord,
  place: BucketAndKey,
  customerKey: Buffer | undefined,
): ObjectEncryptionKey {
  if (mode === 'SSE-C' && !customerKey) throw new S3Error('InvalidRequest', KEY_MISSING)
  const wrapping =
    mode === 'SSE-C' && customerKey
      ? customerWrappingKey(customerKey)
      : requireEncryptionKey(core, keyId ?? DEFAULT_ENCRYPTION_KEY)
  try {
    return {
      mode,
      ...(keyId !== undefined && { keyId }),
      key: unwrapKey(wrapping, wrapped, objectKeyContext(place)),
      wrapping,
    }
  } catch (cause) {
    if (!(cause instanceof DecryptionError)) throw cause
    if (mode === 'SSE-C') throw new S3Error('InvalidArgument', KEY_WRONG, { cause })
    // A key with the same name was created after the first was lost with the key file.
    throw new S3Error('KMS.NotFoundException', 'The key that this object was encrypted with is lost.', { cause })
  }
}

const KEY_MISSING =
  'The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object.'
const KEY_WRONG = 'The provided encryption parameters did not match the ones used originally.'

/** Returns the ETag: the MD5 of the body, or for SSE-C and SSE-KMS a keyed hash that does not reveal it. */
export function objectEtag(key: ObjectEncryptionKey | undefined, md5: string): string {
  if (!key || key.mode === 'SSE-S3') return md5
  return createHmac('sha256', key.key).update(`etag\0${md5}`).digest('hex').slice(0, 32)
}

export function deriveInlineKey({ key }: ObjectEncryptionKey): Buffer {
  return deriveBodyKey(key, INLINE_BODY)
}

export function decryptInline({ key }: ObjectEncryptionKey, sealed: Buffer): Buffer {
  return decryptBody(deriveBodyKey(key, INLINE_BODY), sealed)
}

/** Decrypts `[start, end)` of an object. Each segment is one separately encrypted blob. */
export async function* decryptSegments(
  { key }: ObjectEncryptionKey,
  segments: readonly BlobSegment[],
  { start, end }: { start: number; end: number },
  read: (segment: BlobSegment, start: number, end: number) => AsyncGenerator<Buffer, void, void>,
): AsyncGenerator<Buffer, void, void> {
  let at = 0
  for (const segment of segments) {
    const { blob, length, plain } = segment
    const size = plain ?? decryptedSize(length)
    const wanted = { start: Math.max(start - at, 0), end: Math.min(end - at, size) }
    const open = (range: { start: number; end: number }) =>
      decryptRange(deriveBodyKey(key, blob), { ...range, size: length }, (from, to) => read(segment, from, to))
    at += size
    if (plain === undefined) yield* open(wanted)
    else
      yield* readCompressed({ ...wanted, plain, size: decryptedSize(length) }, (from, to) =>
        open({ start: from, end: to }),
      )
  }
}

function customerWrappingKey(key: Buffer): Buffer {
  return createHmac('sha256', key).update('customer key').digest()
}

function objectKeyContext({ bucket, key }: BucketAndKey): string {
  return `object\0${bucket}\0${key}`
}
