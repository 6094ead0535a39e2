import type { StoreLogLine } from '../../../process/console-log.ts'
import { openEventStream } from '../../call/event-stream.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { logLevelName, logRecord } from './log-record.ts'

const KEEP_ALIVE_MS = 500
const DEFAULT_LIMIT = 10
const MAX_LIMIT = 10_000

/** Sends the latest lines of the store's log, then new ones. */
export const consoleLogEndpoint: AdminEndpoint = {
  name: 'ConsoleLog',
  method: 'GET',
  path: 'log',
  handle(call) {
    const { query, store } = call
    const node = call.header('host') ?? ''
    const wanted = query.get('node') ?? ''
    const isHere = wanted === '' || wanted === node || wanted === node.split(':')[0]
    const level = (query.get('logType') ?? '').toUpperCase()
    const passes = ({ level: of }: StoreLogLine) => isHere && (!LEVELS.has(level) || logLevelName(of) === level)
    const stream = openEventStream(call, KEEP_ALIVE_MS, () => {
      const message = `${stream.takeDropped()} lines of the log were skipped: the client reads too slowly.`
      stream.write(
        logRecord(call.engine.deploymentId, node, { level: 40, time: new Date().toISOString(), msg: message }),
      )
    })
    for (const line of store.consoleLog.latest(readLimit(query)).filter(passes))
      stream.write(logRecord(call.engine.deploymentId, node, line))
    stream.onEnd(
      store.consoleLog.subscribe((line) => {
        if (passes(line)) stream.write(logRecord(call.engine.deploymentId, node, line))
      }),
    )
  },
}

const LEVELS = new Set(['FATAL', 'ERROR', 'WARNING', 'INFO'])

/** Reads the limit. As on MinIO, a missing or too large number means all. */
function readLimit(query: URLSearchParams): number {
  const text = query.get('limit') ?? ''
  const limit = text === '' ? DEFAULT_LIMIT : Number(text)
  return Number.isInteger(limit) && limit > 0 && limit <= MAX_LIMIT ? limit : MAX_LIMIT
}
