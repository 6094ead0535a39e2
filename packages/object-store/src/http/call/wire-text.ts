/** Encodes text for a header of `node:http`: one character for each byte of its UTF-8. */
export function encodeWireText(text: string): string {
  return /[^\x00-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text
}

/** Decodes a header value that contains UTF-8; Latin-1 that is not UTF-8 is unchanged. */
export function decodeWireText(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value
  const text = Buffer.from(value, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? value : text
}

/** Whether `node:http` accepts a header with this name, in lower case. */
export function isHeaderName(name: string): boolean {
  return /^[!#-'*+.0-9a-z^-z|~-]+$/.test(name)
}

/** Whether `node:http` accepts this header value. */
export function isHeaderValue(value: string): boolean {
  return !/[^\t\x20-\x7e\x80-\xff]/.test(value)
}
