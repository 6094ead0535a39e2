import { WATCH_EVENTS, type WatchEvent, type WatchMessage, watchCalls } from '@stowage/contract/watch/watch'
import { readBucketEvents, readJsonStream } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import type { SocketContext } from '../../lib/http/handler.ts'
import { serve } from '../../lib/http/serve.ts'
import { forwardStream } from '../../lib/http/sockets/forward-stream.ts'
import { wireWatchMessage } from './watch-message.ts'

interface WatchQuery {
  prefix: string
  suffix: string
  events: readonly WatchEvent[]
}

/** Interval of keep-alive messages requested from the storage server (s). MinIO answers with the first of them, or with an event. */
const PING_S = '1'

export function watchRoutes(app: FastifyInstance): void {
  serve(app, watchCalls.watch, async ({ params, query }, context) => await watch(params.bucket, query, context))
  // Same path as the list of buckets: MinIO and the embedded store then listen to all of them.
  serve(app, watchCalls.watchAll, async ({ query }, context) => await watch('', query, context))

  async function watch(
    bucket: string,
    { prefix, suffix, events: words }: WatchQuery,
    { s3Stream, live }: SocketContext<WatchMessage>,
  ): Promise<void> {
    const events = words.flatMap((word) => WATCH_EVENTS[word])
    await forwardStream(
      live,
      async () => {
        const { body } = await s3Stream.listen({ bucket, query: { prefix, suffix, events, ping: PING_S } })
        return readJsonStream(body)
      },
      async (record) => {
        for (const event of readBucketEvents(record)) await live.send(wireWatchMessage(event, app.storeUrl.origin))
      },
    )
  }
}
