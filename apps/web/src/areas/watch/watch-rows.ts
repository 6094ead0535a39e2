import type { WatchMessage } from '@stowage/contract'
import type { LiveRow } from '../../lib/api/live-stream.ts'

/** An event, or a gap between events. */
export type WatchRow = LiveRow<WatchMessage>

/** Returns the text that the search looks in. */
export function watchRowText({ message }: WatchRow): string {
  if (!message) return ''
  const { Type, Path, user, Host, UserAgent, requestId } = message
  return [Type, Path, user, Host, UserAgent, requestId].join(' ')
}
