import { reason } from '@stowage/contract'
import { type HealthReport, healthInfoCalls } from '@stowage/contract/health-info/health-info'
import { LostRecords } from '@stowage/madmin'
import { asObject } from '@stowage/madmin/json'
import { redactJson } from '@stowage/madmin/redact'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { serve } from '../../lib/http/serve.ts'

export function healthInfoRoutes(app: FastifyInstance): void {
  serve(app, healthInfoCalls.healthInfo, async ({ query: { deadline, anonymize } }, { madmin, live, signal }) => {
    const options = { deadlineMs: deadline / 1e6, anonymize: anonymize === 'strict', signal }
    const snapshots = await madmin.healthInfo(options)
    live.control({ kind: 'started' })
    let report: Record<string, unknown> = {}
    let done = 0
    for await (const snapshot of snapshots) {
      if (snapshot instanceof LostRecords) throw new HttpError(502, reason('report-unreadable'))
      // Servers of 2021 send separate parts, later ones a growing whole: in both cases the latest value of each member counts.
      const parts = asObject(snapshot)
      report = { ...report, ...parts, sys: { ...asObject(report.sys), ...asObject(parts.sys) } }
      live.control({ kind: 'progress', step: latestSection(report), done: ++done })
    }
    if (done === 0) throw new HttpError(502, reason('report-unreadable'))
    const { version, timestamp } = report
    await live.send({
      ...asObject(redactJson(report)),
      version: typeof version === 'string' ? version : '',
      // Servers of 2021 leave it out, as Go's zero time.
      timestamp: typeof timestamp === 'string' && !timestamp.startsWith('0001-') ? timestamp : new Date().toISOString(),
    } as HealthReport)
  })
}

/** Returns the name of the latest section, such as `sys.cpus`. */
function latestSection({ sys, minio }: Record<string, unknown>): string {
  const last = [
    ...Object.keys(asObject(sys)).map((name) => `sys.${name}`),
    ...Object.keys(asObject(minio)).map((name) => `minio.${name}`),
  ]
  return last.at(-1) ?? ''
}
