import { createHmac, randomBytes } from 'node:crypto'
import { readCompressed } from '../blobs/compression.ts'
import { S3Error } from '../errors.ts'
import { DecryptionError } from '../key-ring/key-ring.ts'
import { bodyKey, openBody, openRange, plainSize } from '../key-ring/sealed-body.ts'
import { OBJECT_KEY_BYTES, unwrapKey, wrapKey } from '../key-ring/wrapped-key.ts'
import type { Bucket } from './bucket-table.ts'
import type { Core } from './core.ts'
import { DEFAULT_KEY, ensureDefaultKey, requireKey } from './encryption-keys.ts'
import type { EncryptionRecord, Segment } from './records.ts'
import type { EncryptionRequest, ObjectEncryption } from './types.ts'

/** The key that encrypts the bodies of one object, and the key that wraps it. */
export interface ObjectKey extends ObjectEncryption {
  key: Buffer
  wrapping: Buffer
}

type Place = { bucket: string; key: string }

/** Body of an object that is small enough to be stored in the index. */
const INLINE = 'inline'

/**
 * Returns a new key for an object, by the encryption that the writer or the bucket asks for; undefined for no encryption.
 * @throws S3Error KMS.NotFoundException
 */
export async function newObjectKey(
  core: Core,
  bucket: Bucket,
  request: EncryptionRequest | undefined,
): Promise<ObjectKey | undefined> {
  const wanted: EncryptionRequest | undefined = request ?? bucket.setting('encryption')?.value
  if (!wanted) return undefined
  const key = randomBytes(OBJECT_KEY_BYTES)
  if (wanted.mode === 'SSE-C') return { mode: 'SSE-C', key, wrapping: wrappingOfCustomer(wanted.key) }
  const keyId = (wanted.mode === 'SSE-KMS' ? wanted.keyId : undefined) ?? DEFAULT_KEY
  if (keyId === DEFAULT_KEY) await ensureDefaultKey(core)
  return { mode: wanted.mode, keyId, key, wrapping: requireKey(core, keyId) }
}

/** Returns the stored form of an object's key. */
export function wrapObjectKey({ mode, keyId, key, wrapping }: ObjectKey, place: Place): EncryptionRecord {
  return { mode, ...(keyId !== undefined && { keyId }), wrapped: wrapKey(wrapping, key, contextOf(place)) }
}

/**
 * Decrypts the key of an object.
 * @param customerKey needed if the object was encrypted with one
 * @throws S3Error InvalidRequest (no key given), InvalidArgument (the wrong one), KMS.NotFoundException
 */
export function openObjectKey(
  core: Core,
  { mode, keyId, wrapped }: EncryptionRecord,
  place: Place,
  customerKey: Buffer | undefined,
): ObjectKey {
  if (mode === 'SSE-C' && !customerKey) throw new S3Error('InvalidRequest', KEY_MISSING)
  const wrapping =
    mode === 'SSE-C' && customerKey ? wrappingOfCustomer(customerKey) : requireKey(core, keyId ?? DEFAULT_KEY)
  try {
    return {
      mode,
      ...(keyId !== undefined && { keyId }),
      key: unwrapKey(wrapping, wrapped, contextOf(place)),
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
export function etagOf(key: ObjectKey | undefined, md5: string): string {
  if (!key || key.mode === 'SSE-S3') return md5
  return createHmac('sha256', key.key).update(`etag\0${md5}`).digest('hex').slice(0, 32)
}

export function inlineKey({ key }: ObjectKey): Buffer {
  return bodyKey(key, INLINE)
}

export function openInline({ key }: ObjectKey, sealed: Buffer): Buffer {
  return openBody(bodyKey(key, INLINE), sealed)
}

/** Decrypts `[start, end)` of an object. Each segment is one separately encrypted blob. */
export async function* openSegments(
  { key }: ObjectKey,
  segments: readonly Segment[],
  { start, end }: { start: number; end: number },
  read: (segment: Segment, start: number, end: number) => AsyncGenerator<Buffer, void, void>,
): AsyncGenerator<Buffer, void, void> {
  let at = 0
  for (const segment of segments) {
    const { blob, length, plain } = segment
    const size = plain ?? plainSize(length)
    const wanted = { start: Math.max(start - at, 0), end: Math.min(end - at, size) }
    const open = (range: { start: number; end: number }) =>
      openRange(bodyKey(key, blob), { ...range, size: length }, (from, to) => read(segment, from, to))
    at += size
    if (plain === undefined) yield* open(wanted)
    else
      yield* readCompressed({ ...wanted, plain, size: plainSize(length) }, (from, to) => open({ start: from, end: to }))
  }
}

function wrappingOfCustomer(key: Buffer): Buffer {
  return createHmac('sha256', key).update('customer key').digest()
}

function contextOf({ bucket, key }: Place): string {
  return `object\0${bucket}\0${key}`
}
