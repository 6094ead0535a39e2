import { parseConfigTarget } from '../../../config/config-lines.ts'
import type { RefusedMessage } from '../../../events/delivery/refused-messages.ts'
import { parseEventMessage } from '../../../events/targets/open-target.ts'
import { S3Error } from '../../../lib/errors.ts'
import type { StoreCall } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter } from '../endpoint/payload.ts'

/** Sends a test event to a target such as `notify_kafka:primary`. Only this store has this call. */
export const testNotificationTargetEndpoint: AdminEndpoint = {
  name: 'TestNotificationTarget',
  method: 'POST',
  path: 'test-notification-target',
  query: ['target'],
  async handle(call) {
    const { events } = call.store
    const { subsystem, target } = requireNotificationTarget(call)
    const begun = performance.now()
    const reason = await events.sendTest(subsystem, target).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    const duration = Math.round(performance.now() - begun)
    call.json({ sent: reason === undefined, duration, ...(reason === undefined ? {} : { reason }) })
  },
}

/** Maximum number of events in an answer. The status call returns the total count. */
const MAX_LISTED = 100

/** Calls for permanently refused events. Only this store has them. */
export const adminRefusedEventEndpoints: AdminEndpoint[] = [
  {
    name: 'ListRefusedEvents',
    method: 'GET',
    path: 'refused-events',
    query: ['target'],
    // Unlike the configuration, events contain names of objects.
    async handle(call) {
      const { subsystem, target } = requireNotificationTarget(call)
      const events = await call.store.events.listRefused(subsystem, target)
      call.json({ total: events.length, events: events.slice(0, MAX_LISTED).map(refusedEventSummary) })
    },
  },
  {
    name: 'ResendRefusedEvents',
    method: 'POST',
    path: 'refused-events',
    query: ['target'],
    async handle(call) {
      const { subsystem, target } = requireNotificationTarget(call)
      call.json({ count: await call.store.events.resendRefused(subsystem, target) })
    },
  },
  {
    name: 'DropRefusedEvents',
    method: 'DELETE',
    path: 'refused-events',
    query: ['target'],
    async handle(call) {
      const { subsystem, target } = requireNotificationTarget(call)
      await call.store.events.dropRefused(subsystem, target)
      call.empty(204)
    },
  },
]

/** @throws S3Error XMinioConfigError */
function requireNotificationTarget(call: StoreCall): { subsystem: string; target: string } {
  const { subsystem, target } = parseConfigTarget(queryParameter(call, 'target'))
  if (!subsystem.startsWith('notify_') || !call.store.config.targets(subsystem).includes(target)) {
    throw new S3Error('XMinioConfigError', 'There is no such notification target.')
  }
  return { subsystem, target }
}

function refusedEventSummary({ time, reason, body }: RefusedMessage) {
  const { eventName, key } = parseEventMessage(body)
  return { time, reason, eventName, key }
}
