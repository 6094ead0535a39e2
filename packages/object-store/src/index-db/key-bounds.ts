/** Longest key that an index takes, in bytes: lmdb's limit with pages of 4 KiB. */
export const MAX_KEY_BYTES = 1978

/** Whether an index takes this key. */
export function isIndexKey(key: Uint8Array): boolean {
  return key.length > 0 && key.length <= MAX_KEY_BYTES
}

/** The least bytes that are greater than everything beginning with `prefix`. */
export function successor(prefix: Uint8Array): Buffer {
  const next = Buffer.from(prefix)
  for (let i = next.length - 1; i >= 0; i--) {
    const byte = next[i] ?? 0
    if (byte === 0xff) continue
    next[i] = byte + 1
    return next.subarray(0, i + 1)
  }
  // Only a prefix of all 0xff bytes has no successor; tables start with a letter.
  throw new RangeError('no successor')
}

/**
 * A bound of a range that is no longer than a key and separates the same keys. No key stands between a bound that is too
 * long and the successor of its beginning, because such a key would have to be too long itself.
 */
export function shortenBound(bound: Uint8Array): Uint8Array {
  return bound.length <= MAX_KEY_BYTES ? bound : successor(bound.subarray(0, MAX_KEY_BYTES))
}
