import type { AdminEndpoint } from './endpoint.ts'

/* Calls for the lifecycle scanner. Only this store has them. */

export const lifecycleEndpoints: AdminEndpoint[] = [
  {
    name: 'LifecycleStatus',
    method: 'GET',
    path: 'lifecycle-status',
    actions: ['ServerInfo'],
    handle(call) {
      const { waiting, pass } = call.store.lifecycle.status
      call.json({
        waiting: waiting ? { expected: isoOf(waiting.expected), found: isoOf(waiting.found) } : null,
        pass: pass
          ? {
              ...pass,
              startedAt: isoOf(pass.startedAt),
              endedAt: pass.endedAt === undefined ? null : isoOf(pass.endedAt),
            }
          : null,
      })
    },
  },
  {
    name: 'ConfirmLifecycleClock',
    method: 'POST',
    path: 'lifecycle-confirm-clock',
    actions: ['ConfigUpdate'],
    async handle(call) {
      await call.store.lifecycle.confirmClock()
      call.empty(204)
    },
  },
]

function isoOf(time: number): string {
  return new Date(time).toISOString()
}
