import type { Input, Operation, Output } from '@stowage/contract'
import { useEffect, useRef, useState } from 'react'
import { createLiveStream, type LiveStream, type LiveView, type StreamOptions } from '../../lib/api/live-stream.ts'
import { useStore } from '../../lib/store.ts'

/**
 * Opens a live call for a page; leaving the page closes it.
 * @param input called at each start
 */
export function useLiveStream<O extends Operation>(
  operation: O,
  input: () => Omit<Input<O>, 'body'>,
  options?: StreamOptions,
): { stream: LiveStream<Output<O>>; view: LiveView<Output<O>> } {
  const latest = useRef(input)
  latest.current = input
  const [stream] = useState(() => createLiveStream(operation, () => latest.current(), options))
  useEffect(() => () => stream.stop(), [stream])
  return { stream, view: useStore(stream) }
}
