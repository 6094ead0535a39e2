import { setTimeout as delay } from 'node:timers/promises'
import { auditCalls } from '@stowage/contract/logs/audit'
import type { FastifyInstance } from 'fastify'
import { createSourceToken } from '../../lib/audit/records/source-token.ts'
import { serve } from '../../lib/http/serve.ts'
import { changeConfig } from '../configs/change-config.ts'
import { requireRight } from './audit-receiver.ts'

/** Name of our webhook target on the server. Other targets are not changed. */
const TARGET = 'stowage'
/** Interval of checks for a first record (ms). */
const LOOK_MS = 300

/** Serves "Record here": makes the connected server send its audit records to this console. */
export function auditRecordingRoutes(app: FastifyInstance, secrets: readonly [string, ...string[]]): void {
  serve(app, auditCalls.recordAudit, async ({ body: { address, source, wait } }, context) => {
    await requireRight(app, context, auditCalls.recordAudit.endpoint.actions)
    const { madmin, signal } = context
    const begun = Date.now()
    const { restart } = await changeConfig(context, {
      name: 'audit_webhook',
      target: TARGET,
      values: [
        { key: 'enable', value: 'on' },
        { key: 'endpoint', value: `${address.replace(/\/+$/, '')}${auditCalls.ingestAudit.endpoint.path}` },
        { key: 'auth_token', value: createSourceToken(secrets, source) },
      ],
    })
    return { restart, arrived: !restart && (await arrival()) }

    async function arrival(): Promise<boolean> {
      while (Date.now() - begun < wait * 1000) {
        // This request must cause a record. It is repeated, because the server may start recording a moment later.
        await madmin.accountInfo({ buckets: false })
        await delay(LOOK_MS, undefined, { signal })
        const latest = await app.audit.latestArrival(source)
        if ((latest?.at ?? 0) >= begun) return true
      }
      return false
    }
  })
}
