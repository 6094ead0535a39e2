import type { ObjectItem } from '@stowage/contract'

const COLUMNS = ['key', 'size', 'last_modified', 'etag', 'storage_class', 'tags'] as const

/** Yields the lines of a file with search results. CSV has a header line and quotes as in RFC 4180. */
export async function* searchExportLines(
  pages: AsyncIterable<readonly ObjectItem[]>,
  format: 'csv' | 'ndjson',
): AsyncGenerator<string> {
  if (format === 'csv') yield `${COLUMNS.join(',')}\r\n`
  for await (const items of pages) {
    const lines = items.map(format === 'csv' ? csvLine : jsonLine)
    if (lines.length > 0) yield lines.join('')
  }
}

function jsonLine({ name, size, last_modified, etag, storage_class, user_tags }: ObjectItem): string {
  return `${JSON.stringify({ key: name, size, last_modified, etag, storage_class, tags: user_tags })}\n`
}

function csvLine({ name, size, last_modified, etag = '', storage_class = '', user_tags = {} }: ObjectItem): string {
  const tags = new URLSearchParams(user_tags).toString()
  return `${[csvText(name), size, last_modified, csvText(etag), csvText(storage_class), csvText(tags)].join(',')}\r\n`
}

/**
 * Quotes a text. Spreadsheets run text that begins with = + - @ as a formula, even after spaces and control characters, so an
 * apostrophe is put in front.
 */
export function csvText(text: string): string {
  const safe = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
