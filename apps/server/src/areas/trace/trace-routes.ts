import { traceCalls } from '@stowage/contract/trace/trace'
import { readTraceRecord } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'
import { forwardStream } from '../../lib/http/sockets/forward-stream.ts'
import { passesTraceFilter } from './trace-filter.ts'
import { wireTraceMessage } from './trace-message.ts'

export function traceRoutes(app: FastifyInstance): void {
  serve(app, traceCalls.trace, async ({ query }, { madmin, live }) => {
    const options = {
      kinds: query.calls,
      thresholdNs: query.threshold,
      onlyErrors: query.onlyErrors === 'yes',
    }
    await forwardStream(
      live,
      (signal) => madmin.trace({ ...options, signal }),
      async (value) => {
        const record = readTraceRecord(value)
        if (record.dropped > 0) live.lost(record.dropped)
        else if (passesTraceFilter(record, query)) await live.send(wireTraceMessage(record))
      },
    )
  })
}
