import { consoleLogCalls } from '@stowage/contract/logs/console-log'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'
import { forwardStream } from '../../lib/http/sockets/forward-stream.ts'
import { RecentRecords, wireLogMessage } from './log-message.ts'

/** Number of past lines sent first. */
const LIMIT = 100

export function consoleLogRoutes(app: FastifyInstance): void {
  serve(app, consoleLogCalls.consoleLog, async ({ query }, { madmin, live }) => {
    const node = query.node === 'all' ? '' : query.node.replace(/:\d+$/, '')
    const recent = new RecentRecords()
    await forwardStream(
      live,
      (signal) => madmin.consoleLog({ node, logType: query.logType, limit: LIMIT, signal }),
      async (record) => {
        if (recent.isNew(record)) await live.send(wireLogMessage(record))
      },
    )
  })
}
