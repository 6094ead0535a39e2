import type { JsonStream } from './json-stream.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface ConsoleLogOptions extends CallOptions {
  /** A host; empty for all. */
  readonly node?: string
  /** How many lines of the past come first. Default 100. */
  readonly limit?: number
  /** Default `all`. */
  readonly logType?: string
}

/**
 * The server's log as raw records: its latest lines, then each as it is written. A record comes several times when several
 * clients listen. Needs `admin:ConsoleLog`.
 * @throws MadminError AccessDenied
 */
export async function consoleLog(t: Transport, options: ConsoleLogOptions = {}): Promise<JsonStream> {
  const { node = '', limit = 100, logType = 'all', ...call } = options
  return await t.stream({ method: 'GET', path: 'log', query: { node, limit: String(limit), logType }, ...call })
}
