import { useState } from 'react'
import type { LiveStream, LiveView } from '../../lib/api/live-stream.ts'

/** The value for all buckets; it is not a valid bucket name. */
export const ALL_BUCKETS = '*'

/** Reports whether a stream is active. */
export const isStreamActive = ({ status }: Pick<LiveView<unknown>, 'status'>) =>
  status === 'connecting' || status === 'running' || status === 'interrupted'

interface LiveCall<Message> {
  stream: LiveStream<Message>
  view: LiveView<Message>
}

/**
 * Combines the two live calls of a page, one for a single bucket and one for all buckets; uses the one that was started last.
 */
export function useBucketOrAllStream<Message>(one: LiveCall<Message>, all: LiveCall<Message>) {
  const [ofAll, setOfAll] = useState(false)
  const { stream, view } = ofAll ? all : one
  /** @param bucket a name or `ALL_BUCKETS` */
  const start = (bucket: string) => {
    const wanted = bucket === ALL_BUCKETS
    setOfAll(wanted)
    ;(wanted ? all : one).stream.start()
  }
  return { stream, view, ofAll, live: isStreamActive(view), start }
}
