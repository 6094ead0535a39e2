import type { Input, Operation, Output } from '@stowage/contract'
import { useEffect, useRef, useState } from 'react'
import { useStore } from '../../lib/store.ts'
import { createLiveStream, type LiveStream, type LiveView, type StreamOptions } from '../../lib/stream.ts'

/**
 * A live call of a page. It ends when the page is left.
 * @param input asked at each start
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
