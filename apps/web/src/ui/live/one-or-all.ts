import { useState } from 'react'
import type { LiveStream, LiveView } from '../../lib/stream.ts'

/** The value for all buckets; it is not a valid bucket name. */
export const ALL_BUCKETS = '*'

/** Reports whether a stream is active. */
export const isLive = ({ status }: Pick<LiveView<unknown>, 'status'>) =>
  status === 'connecting' || status === 'running' || status === 'interrupted'

interface Live<Message> {
  stream: LiveStream<Message>
  view: LiveView<Message>
}

/**
 * Combines the two live calls of a page, one for a single bucket and one for all buckets; uses the one that was started last.
 */
export function useOneOrAll<Message>(one: Live<Message>, all: Live<Message>) {
  const [ofAll, setOfAll] = useState(false)
  const { stream, view } = ofAll ? all : one
  /** @param bucket a name or `ALL_BUCKETS` */
  const start = (bucket: string) => {
    const wanted = bucket === ALL_BUCKETS
    setOfAll(wanted)
    ;(wanted ? all : one).stream.start()
  }
  return { stream, view, ofAll, live: isLive(view), start }
}
