import type { ObjectDetails } from '@stowage/contract'

/** How an object is previewed; `none` if it can only be downloaded. */
export type PreviewKind = 'image' | 'document' | 'text' | 'json' | 'markdown' | 'table' | 'audio' | 'video' | 'none'

const BY_EXTENSION: ReadonlyMap<string, PreviewKind> = new Map(
  Object.entries({
    image: 'jpg jpeg gif png jpe jfif apng avif webp bmp ico svg',
    document: 'pdf',
    table: 'csv tsv',
    markdown: 'md markdown',
    json: 'json geojson webmanifest har',
    text: 'txt log jsonl ndjson yaml yml toml ini conf cfg properties xml html htm css js mjs ts tsx jsx sql sh py go rs java c h cpp rb php env srt vtt',
    audio: 'wav mp3 aac ogg oga flac m4a opus',
    video: 'mp4 m4v webm mov ogv',
  } satisfies Record<string, string>).flatMap(([kind, words]) =>
    words.split(' ').map((extension) => [extension, kind as PreviewKind] as const),
  ),
)

/** Returns the kind by file extension or, if that is unknown, by content type. */
export function previewKind(name: string, contentType = ''): PreviewKind {
  const [, extension = ''] = /\.([^./]+)$/.exec(name) ?? []
  const known = BY_EXTENSION.get(extension.toLowerCase())
  if (known) return known
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
  if (type === 'application/pdf') return 'document'
  if (type === 'text/csv') return 'table'
  if (type === 'text/markdown') return 'markdown'
  if (/^application\/([\w.-]+\+)?json$/.test(type)) return 'json'
  if (type.startsWith('text/') || /^application\/(xml|yaml|x-yaml|toml|sql)$/.test(type)) return 'text'
  const [family] = type.split('/')
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'none'
}

/** The maximum size of a text that can be edited (bytes). */
const MAX_EDITED = 1024 * 1024

/** Reports whether the content can be edited as text, judged by its kind, size and headers. */
export function isEditableText(kind: PreviewKind, { size, headers }: Pick<ObjectDetails, 'size' | 'headers'>): boolean {
  const encoding = headers['content-encoding'] ?? ''
  return (
    (kind === 'text' || kind === 'json' || kind === 'markdown' || kind === 'table') &&
    size <= MAX_EDITED &&
    (encoding === '' || encoding === 'identity')
  )
}

/** The maximum number of table rows that are shown. */
const MAX_ROWS = 500

/** Parses the loaded part of a CSV file: quoted fields, separated by commas, semicolons or tabs. */
export function parseCsvRows(text: string): string[][] {
  const head = text.slice(0, text.indexOf('\n') + 1 || text.length)
  const separator = [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0] ?? ','
  const rows: string[][] = [[]]
  let field = ''
  let quoted = false
  for (let i = 0; i < text.length && rows.length <= MAX_ROWS; i++) {
    const char = text[i]
    if (quoted) {
      if (char !== '"') field += char
      else if (text[i + 1] === '"') field += text[++i]
      else quoted = false
    } else if (char === '"' && field === '') quoted = true
    else if (char === separator) {
      rows.at(-1)?.push(field)
      field = ''
    } else if (char === '\n') {
      rows.at(-1)?.push(field.replace(/\r$/, ''))
      rows.push([])
      field = ''
    } else field += char
  }
  if (field !== '' || (rows.at(-1)?.length ?? 0) > 0) rows.at(-1)?.push(field)
  return rows.filter((row) => row.length > 0)
}
