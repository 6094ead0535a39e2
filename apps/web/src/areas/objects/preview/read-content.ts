import { callAddress } from '../../../lib/api/call-address.ts'
import { responseFailure } from '../../../lib/api/send-request.ts'

/** The number of bytes that are loaded at a time. */
export const PIECE_BYTES = 1024 * 1024

/** Returns the address of a version's content, for a preview. */
export function contentAddress(bucket: string, key: string, versionId: string | undefined): string {
  const query = { prefix: key, preview: 'true', ...(versionId === undefined ? {} : { version_id: versionId }) }
  return callAddress('downloadObject', { params: { bucket }, query })
}

/** Some bytes of an object. */
export interface ContentPiece {
  bytes: Uint8Array
  /** The size of the whole object. */
  total: number
  etag: string | undefined
}

/**
 * Reads up to `PIECE_BYTES` bytes from an offset. Never from the browser's cache, which may have an earlier content.
 * @param etag that the object must still have, so that pieces of different contents are never mixed
 * @throws ApiFailure 412 if the object was replaced
 */
export async function readContentPiece(
  src: string,
  from: number,
  signal: AbortSignal,
  etag?: string,
): Promise<ContentPiece> {
  const range = `bytes=${from}-${from + PIECE_BYTES - 1}`
  const response = await fetch(src, {
    headers: { range, ...(etag !== undefined && { 'if-match': `"${etag}"` }) },
    cache: 'no-store',
    signal,
    credentials: 'same-origin',
  })
  // An empty object has no first byte.
  if (response.status === 416) return { bytes: new Uint8Array(), total: from, etag }
  if (!response.ok) throw await responseFailure(response)
  const content = new Uint8Array(await response.arrayBuffer())
  return {
    bytes: content.subarray(0, PIECE_BYTES),
    total: Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? from + content.length),
    etag: response.headers.get('etag')?.replaceAll('"', '') ?? etag,
  }
}

/** Reports whether the content is binary: text contains no zero bytes. */
export const isBinaryContent = (bytes: Uint8Array): boolean => bytes.subarray(0, 8192).includes(0)
