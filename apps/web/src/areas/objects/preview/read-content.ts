import { callAddress } from '../../../lib/api/call-address.ts'
import { responseFailure } from '../../../lib/api/send-request.ts'

/** The number of bytes that are loaded at a time. */
export const PIECE_BYTES = 1024 * 1024

/** Returns the address of a version's content, for a preview. */
export function contentAddress(bucket: string, key: string, versionId: string | undefined): string {
  const query = { prefix: key, preview: 'true', ...(versionId === undefined ? {} : { version_id: versionId }) }
  return callAddress('downloadObject', { params: { bucket }, query })
}

/**
 * Reads up to `PIECE_BYTES` bytes from an offset.
 * @param etag that the object must still have, so that pieces of different contents are never mixed
 * @throws ApiFailure 412 if the object was replaced
 */
export async function readContentPiece(
  src: string,
  from: number,
  signal: AbortSignal,
  etag?: string,
): Promise<Uint8Array> {
  const range = `bytes=${from}-${from + PIECE_BYTES - 1}`
  const response = await fetch(src, {
    headers: { range, ...(etag !== undefined && { 'if-match': `"${etag}"` }) },
    signal,
    credentials: 'same-origin',
  })
  // An empty object has no first byte.
  if (response.status === 416) return new Uint8Array()
  if (!response.ok) throw await responseFailure(response)
  return new Uint8Array(await response.arrayBuffer()).subarray(0, PIECE_BYTES)
}

/** Reports whether the content is binary: text contains no zero bytes. */
export const isBinaryContent = (bytes: Uint8Array): boolean => bytes.subarray(0, 8192).includes(0)
