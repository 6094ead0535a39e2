import { hash } from 'node:crypto'
import { asObject, asText, type JsonAnswer, numberOrNull } from '@stowage/madmin/json'
import { mapMembers, redactJson } from '@stowage/madmin/redact'

/** Maximum depth of nesting, and maximum length of a text in a record (characters). */
const MAX_TEXT = 4096
/** Maximum length of a record (characters); a longer one is kept without its headers. */
const MAX_RECORD = 1 << 20

/** An audit record as it is stored and searched. Times are ms since 1970, with fractions. */
export interface AuditRecord {
  /** Identifies a record, because a server may post the same one twice. */
  id: string
  /** The server that posted it, as named in its token. */
  source: string
  at: number
  time: string
  api: string
  bucket: string
  object: string
  /** `OK` */
  status: string
  statusCode: number
  remoteHost: string
  requestId: string
  userAgent: string
  accessKey: string
  /** The user of the access key, if the server reports it; otherwise the access key. */
  user: string
  /** ID of the console request that caused this one; empty for others. */
  consoleRequest: string
  /** ns */
  duration: number
  bytesIn: number | null
  bytesOut: number | null
  /** The server's record, without secrets. */
  raw: object
  /** The same as JSON on one line, if it is at hand. */
  rawText?: string
}

/** Source of records of the embedded store and of the console itself. */
export const EMBEDDED_SOURCE = 'embedded'
export const CONSOLE_SOURCE = 'console'

/** User agent prefix of calls that the console makes by itself, such as sampling metrics. */
export const TOOL_AGENT = 'stowage-tool'

/** Parses one record, or one record per line. @throws SyntaxError if the text is not JSON */
export function parseAuditRecords(text: string, source: string, now = Date.now()): AuditRecord[] {
  return parseJsonValues(text).flatMap((value) => readAuditRecord(value, source, now) ?? [])
}

/** Parses the lines of the embedded store. They are stored as they are, because it has redacted and limited them itself. */
export function parseStoreRecords(lines: string, now = Date.now()): AuditRecord[] {
  return lines.split('\n').flatMap((line) => {
    if (line === '') return []
    return { ...toAuditRecord(JSON.parse(line) as JsonAnswer, EMBEDDED_SOURCE, now), rawText: line }
  })
}

function parseJsonValues(text: string): unknown[] {
  try {
    // A single record may span several lines.
    return [JSON.parse(text)]
  } catch {
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as unknown]))
  }
}

/**
 * Reads an audit record of any release; every member may be missing.
 * @param now time of a record without one
 * @returns undefined if it is not a record, such as the `{}` that servers send to test a receiver
 */
export function readAuditRecord(value: unknown, source: string, now: number): AuditRecord | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0)
    return undefined
  const raw = limitSizes(redactJson(value)) as JsonAnswer
  const rawText = JSON.stringify(raw)
  const record = toAuditRecord(raw, source, now)
  return rawText.length > MAX_RECORD ? { ...record, raw: { cut: true, api: raw.api } } : { ...record, rawText }
}

function toAuditRecord(raw: JsonAnswer, source: string, now: number): AuditRecord {
  const api = asObject(raw.api)
  const time = asText(raw.time)
  const parsed = Date.parse(time)
  const at = Number.isNaN(parsed) ? now : parsed + subMillisecondPart(time)
  const name = asText(api.name) || asText(raw.event) || asText(raw.trigger)
  const requestId = asText(raw.requestID)
  const [first] = Array.isArray(api.objects) ? api.objects : []
  const claims = asObject(raw.requestClaims)
  const accessKey = asText(raw.accessKey) || asText(claims.accessKey)
  return {
    id: createRecordId([source, asText(raw.deploymentid), requestId, time || String(now), name, asText(api.object)]),
    source,
    at,
    time: Number.isNaN(parsed) ? new Date(now).toISOString() : time,
    api: name,
    bucket: asText(api.bucket),
    object: asText(api.object) || asText(asObject(first).objectName),
    status: asText(api.status),
    statusCode: numberOrNull(api.statusCode) ?? 0,
    remoteHost: asText(raw.remotehost),
    requestId,
    userAgent: asText(raw.userAgent),
    accessKey,
    user: asText(raw.parentUser) || asText(claims.parent) || accessKey,
    consoleRequest: findHeader(raw.requestHeader, 'x-request-id'),
    duration: parseNanoseconds(api.timeToResponseInNS) ?? parseNanoseconds(api.timeToResponse) ?? 0,
    bytesIn: readContentLength(raw.requestHeader) ?? numberOrNull(api.rx),
    bytesOut: readContentLength(raw.responseHeader) ?? numberOrNull(api.tx),
    raw,
  }
}

function createRecordId(parts: readonly string[]): string {
  return hash('sha1', parts.join('\0'), 'base64url').slice(0, 20)
}

/** Limits texts and nesting, because requests can contain values of any size. */
function limitSizes(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.slice(0, 1000).map(limitSizes)
  return mapMembers(value, limitSizes)
}

/** Returns the digits below a millisecond, which `Date` drops, so that records of the same millisecond keep their order. */
function subMillisecondPart(time: string): number {
  const [, digits = ''] = /\.\d{3}(\d{1,6})/.exec(time) ?? []
  return digits === '' ? 0 : Number(`0.${digits}`)
}

/** Parses `123456ns`, as written by servers of 2021, or plain digits. */
function parseNanoseconds(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const [, digits] = /^(\d+)(?:ns)?$/.exec(asText(value)) ?? []
  return digits === undefined ? undefined : Number(digits)
}

function findHeader(headers: unknown, wanted: string): string {
  const values = asObject(headers)
  const found = Object.keys(values).find((name) => name.length === wanted.length && name.toLowerCase() === wanted)
  return found === undefined ? '' : asText(values[found])
}

function readContentLength(headers: unknown): number | undefined {
  const text = findHeader(headers, 'content-length')
  const length = text === '' ? Number.NaN : Number(text)
  return Number.isInteger(length) && length >= 0 ? length : undefined
}
