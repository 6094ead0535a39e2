import { base64Of } from '../../lib/base64.ts'

/** The maximum size (bytes). Encoded in Base64, it must fit into a request body. */
export const MAX_IMPORT = 700 * 1024

/** Reads a file. @returns its content in Base64; undefined if it is too large */
export async function readImport(file: File): Promise<string | undefined> {
  return file.size > MAX_IMPORT ? undefined : await base64Of(file)
}

export function textOfBase64(value: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(value), (c) => c.charCodeAt(0)))
}
