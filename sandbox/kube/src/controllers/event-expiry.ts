import type { ControllerContext } from './controller.ts'
import { deleteAsController } from './controller.ts'

const KEPT_MS = 3600_000
const EVERY_MS = 60_000

/** Deletes events older than an hour. @returns a function that stops it */
export function expireEvents(context: ControllerContext): () => void {
  const timer = setInterval(() => {
    const oldest = context.now().getTime() - KEPT_MS
    for (const event of context.store.list('events'))
      if (Date.parse(event.metadata.creationTimestamp) < oldest) deleteAsController(context, 'events', event)
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
