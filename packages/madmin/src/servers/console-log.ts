import type { JsonStream } from '../transport/json-stream.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

export interface ConsoleLogOptions extends AdminCallOptions {
  /** A host; empty for all. */
  readonly node?: string
  /** Number of past lines sent first. Default 100. */
  readonly limit?: number
  /** Default `all`. */
  readonly logType?: string
}

/**
 * Streams the server's log as raw records: its latest lines, then new ones. Records are repeated if several clients listen.
 * Needs `admin:ConsoleLog`.
 * @throws MadminError AccessDenied
 */
export async function consoleLog(t: Transport, options: ConsoleLogOptions = {}): Promise<JsonStream> {
  const { node = '', limit = 100, logType = 'all', ...call } = options
  return await t.stream({ method: 'GET', path: 'log', query: { node, limit: String(limit), logType }, ...call })
}
