import { crc32 } from 'node:zlib'
import type { AuditRecord } from '../records/audit-record.ts'

/** What is read of a segment. */
export interface RecordReadOptions {
  matches?: (record: AuditRecord) => boolean
  /** A text that some member of every matching record contains: lines without it need not be parsed. */
  contains?: string
  /** The server's own records are not needed. */
  brief?: boolean
}

const NEWLINE = 10

/** The member with the server's own record: the last one, and most of the bytes. */
const RAW = ',"raw":'
const CHECKSUM = '00000000 '
const lineChecksum = (json: string | Buffer) => `${crc32(json).toString(16).padStart(8, '0')} `

/** Members that records written by the first release do not have, and the server's own record, which is not always read. */
const LATER_MEMBERS = { user: '', consoleRequest: '', raw: {} }

/** A line: a checksum, and JSON. */
export function encodeLine(json: string): string {
  return `${lineChecksum(json)}${json}\n`
}

export function encodeRecordLine({ raw, rawText = JSON.stringify(raw), ...record }: AuditRecord): string {
  return encodeLine(`${JSON.stringify(record).slice(0, -1)}${RAW}${rawText}}`)
}

/** Returns the JSON of a line without its end; undefined if the line is damaged. */
export function decodeLine(line: Buffer): Buffer | undefined {
  const json = line.subarray(CHECKSUM.length)
  return line.toString('latin1', 0, CHECKSUM.length) === lineChecksum(json) ? json : undefined
}

/** Yields the matching records among lines, and where their lines begin and end. Lines that are cut off or damaged are skipped. */
export function* readRecordLines(
  bytes: Buffer,
  wanted: RecordReadOptions = {},
): Generator<{ record: AuditRecord; end: number }> {
  const { matches = () => true, contains = '', brief = false } = wanted
  const text = JSON.stringify(contains).slice(1, -1)
  for (let start = findLineWith(bytes, text, 0); start >= 0; ) {
    const newline = bytes.indexOf(NEWLINE, start)
    if (newline < 0) return
    const record = parseRecordLine(bytes.subarray(start, newline), matches, brief)
    if (record) yield { record, end: newline + 1 }
    start = findLineWith(bytes, text, newline + 1)
  }
}

/** Returns the offset of the next line that contains the text, -1 if no line does. @param from the beginning of a line */
function findLineWith(bytes: Buffer, text: string, from: number): number {
  const found = bytes.indexOf(text, from)
  // Not before `from`: without a line end the search would go back to an earlier line.
  return found < 0 || from >= bytes.length ? -1 : Math.max(from, bytes.lastIndexOf(NEWLINE, found) + 1)
}

/**
 * The record in a line; undefined if the line is damaged, has no record, or the record does not match. What a search asks about
 * is in front of the server's own record, so that is parsed for matching records only.
 */
function parseRecordLine(
  line: Buffer,
  matches: (record: AuditRecord) => boolean,
  brief: boolean,
): AuditRecord | undefined {
  const json = decodeLine(line)
  if (!json) return undefined
  // A quote inside a text is escaped, so this cannot be a part of one.
  const raw = json.indexOf(RAW)
  const head = raw < 0 ? json.toString() : `${json.toString('utf8', 0, raw)}}`
  const record = { ...LATER_MEMBERS, ...(JSON.parse(head) as AuditRecord) }
  // The index of a segment has no time.
  if (typeof record.at !== 'number' || !matches(record)) return undefined
  return raw < 0 || brief ? record : { ...LATER_MEMBERS, ...(JSON.parse(json.toString()) as AuditRecord) }
}
