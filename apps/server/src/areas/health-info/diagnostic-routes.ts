import { reason } from '@stowage/contract'
import { diagnosticCalls, type HeldLock, type SpeedtestResult } from '@stowage/contract/health-info/diagnostics'
import { LostRecords } from '@stowage/madmin'
import { asObject, asText, numberOrNull } from '@stowage/madmin/json'
import { SealingError } from '@stowage/madmin/sealing'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { contentDisposition } from '../../lib/http/downloads/content-disposition.ts'
import { serve } from '../../lib/http/serve.ts'

export function diagnosticRoutes(app: FastifyInstance): void {
  serve(app, diagnosticCalls.listLocks, async ({ query: { count, stale } }, { madmin }) => {
    const locks = await madmin.topLocks({ count, stale })
    return {
      locks: locks.map(({ since, elapsedNs, ...lock }): HeldLock => {
        const age = elapsedNs !== undefined ? elapsedNs / 1e9 : since && (Date.now() - Date.parse(since)) / 1000
        return { ...lock, servers: [...lock.servers], ...(typeof age === 'number' ? { age: Math.max(0, age) } : {}) }
      }),
    }
  })

  serve(app, diagnosticCalls.profile, async ({ query: { kinds, seconds } }, { madmin, reply, signal }) => {
    const archive = await madmin.profile({ kinds: kinds.split(','), durationMs: Math.round(seconds * 1000), signal })
    return await reply
      .type('application/zip')
      .header('content-disposition', contentDisposition('attachment', 'profile.zip'))
      .send(archive)
  })

  serve(app, diagnosticCalls.inspectData, async ({ body }, { madmin, signal }) => {
    try {
      return { value: (await madmin.inspectData({ ...body, signal })).toString('base64') }
    } catch (error) {
      if (error instanceof SealingError) throw new HttpError(502, reason('report-unreadable'))
      throw error
    }
  })

  serve(app, diagnosticCalls.speedtest, async ({ query }, { madmin, live, signal }) => {
    const { test, bytes, concurrent, seconds } = query
    const values =
      test === 'drive'
        ? await madmin.driveSpeedtest({ fileBytes: bytes, blockBytes: BLOCK, serial: false, signal })
        : await madmin.objectSpeedtest({
            objectBytes: bytes,
            concurrent,
            durationMs: Math.round(seconds * 1000),
            signal,
          })
    live.control({ kind: 'started' })
    let result: SpeedtestResult = { servers: [] }
    let measured = false
    for await (const value of values) {
      if (value instanceof LostRecords) throw new HttpError(502, reason('report-unreadable'))
      const next = nextSpeedtestResult(value, result)
      if (!next) continue
      measured = true
      result = next
      await live.send(result)
    }
    if (!measured) throw new HttpError(502, reason('report-unreadable'))
  })
}

/** Bytes that are written and read at once. */
const BLOCK = 4 << 20

/** What a value adds to the result; undefined for one that only keeps the connection open. */
function nextSpeedtestResult(value: unknown, before: SpeedtestResult): SpeedtestResult | undefined {
  const { version, endpoint, drivePerf, PUTStats, GETStats, error } = asObject(value)
  if (asText(version) === '' && asText(error) === '') return undefined
  if (PUTStats !== undefined || GETStats !== undefined)
    return { ...before, ...throughput('put', PUTStats), ...throughput('get', GETStats) }
  const drives = (Array.isArray(drivePerf) ? drivePerf : []).map((drive: unknown) => {
    const { path, readThroughput, writeThroughput, error: failure } = asObject(drive)
    return {
      path: asText(path),
      read: numberOrNull(readThroughput) ?? 0,
      write: numberOrNull(writeThroughput) ?? 0,
      error: asText(failure),
    }
  })
  return { ...before, servers: [...before.servers, { endpoint: asText(endpoint), error: asText(error), drives }] }
}

function throughput(name: 'put' | 'get', stats: unknown): Partial<SpeedtestResult> {
  const { throughputPerSec, objectsPerSec } = asObject(stats)
  const bytes = numberOrNull(throughputPerSec) ?? 0
  return bytes > 0 ? { [name]: { bytes, objects: numberOrNull(objectsPerSec) ?? 0 } } : {}
}
