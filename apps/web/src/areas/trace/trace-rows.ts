import type { TraceMessage } from '@stowage/contract'
import type { LiveRow } from '../../lib/api/live-stream.ts'

/** A record of the trace, or a gap between records. */
export type TraceRow = LiveRow<TraceMessage>

/** Returns the text that the search looks in. */
export function traceRowText({ message }: TraceRow): string {
  if (!message) return ''
  const { api, path, query, statusCode, statusMsg, host, client, error, requestId, userAgent, node } = message
  return [api, path, query, statusCode, statusMsg, host, client, error, requestId, userAgent, node].join(' ')
}
