import { fileToBase64 } from '../../../lib/base64.ts'

/** The maximum size (bytes). Encoded in Base64, it must fit into a request body. */
export const MAX_IMPORT_BYTES = 700 * 1024

/** Reads a file. @returns its content in Base64; undefined if it is too large */
export async function readImportFile(file: File): Promise<string | undefined> {
  return file.size > MAX_IMPORT_BYTES ? undefined : await fileToBase64(file)
}

export function decodeBase64Text(value: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(value), (c) => c.charCodeAt(0)))
}
