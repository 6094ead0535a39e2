import type { TraceMessage } from '@stowage/contract'
import { MAX_LIVE_ROWS } from '../../lib/api/live-stream.ts'
import { t } from '../../lib/text/i18n.ts'
import type { TraceRow } from './trace-rows.ts'

/** The maximum length of a line (characters). */
const MAX_LINE = 8 << 20

/**
 * Returns the last records of a saved trace. The file is read in pieces and only its last rows are kept, so it may be larger
 * than memory.
 * @throws Error with a message for the user
 */
export async function openTraceFile(file: Blob): Promise<TraceRow[]> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader()
  let rows: TraceRow[] = []
  let rest = ''
  let id = 0
  let wrong = 0
  const take = (line: string) => {
    if (line.trim() === '') return
    const message = parseTraceMessage(line)
    if (!message) wrong++
    else rows.push({ id: id++, message })
    if (rows.length > 2 * MAX_LIVE_ROWS) rows = rows.slice(-MAX_LIVE_ROWS)
    // Reject files of another kind early.
    if (wrong > 100 && rows.length === 0) throw new Error(t('This file is not a saved trace.'))
  }
  try {
    for (;;) {
      const { done, value } = await reader.read()
      const lines = (rest + (value ?? '')).split('\n')
      rest = done ? '' : (lines.pop() ?? '')
      for (const line of lines) take(line)
      if (rest.length > MAX_LINE) throw new Error(t('This file is not a saved trace.'))
      if (done) break
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  if (rows.length === 0) throw new Error(t('This file is not a saved trace.'))
  return rows.slice(-MAX_LIVE_ROWS)
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

/** Parses a line. Its origin is unknown, so every member is checked. */
function parseTraceMessage(line: string): TraceMessage | undefined {
  let value: Record<string, unknown>
  try {
    value = JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || typeof value.api !== 'string') return undefined
  const stats = (typeof value.callStats === 'object' && value.callStats !== null ? value.callStats : {}) as Record<
    string,
    unknown
  >
  return {
    host: text(value.host),
    time: text(value.time),
    client: text(value.client),
    callStats: {
      rx: number(stats.rx),
      tx: number(stats.tx),
      duration: text(stats.duration),
      timeToFirstByte: text(stats.timeToFirstByte),
    },
    api: value.api,
    path: text(value.path),
    query: text(value.query),
    statusCode: number(value.statusCode),
    statusMsg: text(value.statusMsg),
    // Safe: it is only displayed and compared with known words.
    kind: (text(value.kind) || (value.api.startsWith('s3.') ? 's3' : 'other')) as TraceMessage['kind'],
    method: text(value.method),
    node: text(value.node),
    durationNs: number(value.durationNs),
    timeToFirstByteNs: number(value.timeToFirstByteNs),
    error: text(value.error),
    requestId: text(value.requestId),
    userAgent: text(value.userAgent),
    requestHeaders: headers(value.requestHeaders),
    responseHeaders: headers(value.responseHeaders),
  }
}

function headers(value: unknown): Record<string, string[]> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).map(([name, values]) => [
      name,
      Array.isArray(values) ? values.filter((each) => typeof each === 'string') : [],
    ]),
  )
}
