import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'

/* Calls for the lifecycle scanner. Only this store has them. */

export const adminLifecycleEndpoints: AdminEndpoint[] = [
  {
    name: 'LifecycleStatus',
    method: 'GET',
    path: 'lifecycle-status',
    handle(call) {
      const { clockJump, pass } = call.store.lifecycle.status
      call.json({
        waiting: clockJump ? { expected: isoTime(clockJump.expected), found: isoTime(clockJump.found) } : null,
        pass: pass
          ? {
              ...pass,
              startedAt: isoTime(pass.startedAt),
              endedAt: pass.endedAt === undefined ? null : isoTime(pass.endedAt),
            }
          : null,
      })
    },
  },
  {
    name: 'ConfirmLifecycleClock',
    method: 'POST',
    path: 'lifecycle-confirm-clock',
    async handle(call) {
      await call.store.lifecycle.confirmClock()
      call.empty(204)
    },
  },
]

function isoTime(time: number): string {
  return new Date(time).toISOString()
}
