import { setTimeout as sleep } from 'node:timers/promises'
import { NOTIFICATION_TARGET_KINDS } from '../../targets/target-kinds.ts'
import { serveTargets } from '../serve-targets.ts'

/* The program of the thread with an additional kind that fails like client libraries do. Its messages select the failure. */

serveTargets([
  ...NOTIFICATION_TARGET_KINDS,
  {
    subsystem: 'notify_faulty',
    service: 'faulty',
    load:
      async () =>
      ({ arn }) => ({
        arn,
        async send(message) {
          switch (message) {
            case 'throws in a callback':
              setImmediate(() => {
                throw new TypeError('Cannot read properties of undefined')
              })
              return await sleep(60_000, undefined, { ref: false })
            case 'rejects without a listener':
              setImmediate(() => void Promise.reject(new Error('nobody listens')))
              return await sleep(60_000, undefined, { ref: false })
            case 'never returns':
              for (;;);
            case 'takes long':
              return await sleep(60_000, undefined, { ref: false })
            case 'ends the process':
              process.exit(0)
          }
        },
        async close() {},
      }),
  },
])
