import { base64Of } from '../../lib/base64.ts'

/** Bytes. With Base64 around it, it must fit into the body of a call. */
export const MAX_IMPORT = 700 * 1024

/** @returns Base64; undefined for a file that is too large */
export async function readImport(file: File): Promise<string | undefined> {
  return file.size > MAX_IMPORT ? undefined : await base64Of(file)
}

export function textOfBase64(value: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(value), (c) => c.charCodeAt(0)))
}
