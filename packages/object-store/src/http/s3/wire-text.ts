/** Text as a header carries it: its UTF-8 bytes, one character each, which is how `node:http` takes and gives them. */
export function wireText(text: string): string {
  return /[^\x00-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text
}

/** Decodes a header value that contains UTF-8; Latin-1 that is not UTF-8 is unchanged. */
export function textOfWire(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value
  const text = Buffer.from(value, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? value : text
}

/** Whether `node:http` would send a header of this name, in lower case. */
export function isHeaderName(name: string): boolean {
  return /^[!#-'*+.0-9a-z^-z|~-]+$/.test(name)
}

/** … with this value, as a header carries it. */
export function isHeaderValue(value: string): boolean {
  return !/[^\t\x20-\x7e\x80-\xff]/.test(value)
}
