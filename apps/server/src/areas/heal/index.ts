import { setTimeout as wait } from 'node:timers/promises'
import { type HealedItem, type HealMessage, reason } from '@stowage/contract'
import { healCalls, MAX_UNHEALTHY } from '@stowage/contract/heal/heal'
import { type HealPath, MadminError, tokenOfRunningHeal } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { errorAnswer, HttpError } from '../../lib/http/errors.ts'
import type { SocketContext } from '../../lib/http/handler.ts'
import { serve } from '../../lib/http/serve.ts'
import { isHealthy } from './message.ts'
import { HealRuns, take } from './runs.ts'

/** Pause between two status requests of a heal (ms): short at first, longer later. */
const FIRST_LOOK_MS = 50
const LOOK_MS = 1000
/** How long the storage server may be unreachable before the call fails (ms). */
const AWAY_MS = 120_000

type Context = SocketContext<HealMessage>
type Wanted = z.output<(typeof healCalls.heal)['query']>

export function healRoutes(app: FastifyInstance): void {
  const runs = new HealRuns()
  serve(app, healCalls.heal, async ({ params, query }, context) => await heal(runs, params.bucket, query, context))
  // Same path as the list of buckets: heals everything.
  serve(app, healCalls.healAll, async ({ query }, context) => await heal(runs, '', query, context))
}

async function heal(runs: HealRuns, bucket: string, wanted: Wanted, context: Context): Promise<void> {
  const { madmin, live } = context
  const path = { bucket, prefix: bucket === '' ? '' : wanted.prefix }
  if (wanted['force-stop']) {
    await madmin.stopHeal(path)
    live.control({ kind: 'started' })
    return
  }
  const token = await start(path, wanted, context)
  live.control({ kind: 'started' })
  const run = runs.join(token)
  let news: HealedItem[] = []
  let listed = 0
  const follower = (items: readonly HealedItem[]) => {
    const chosen =
      wanted.items === 'all' ? items : items.filter((item) => !isHealthy(item)).slice(0, MAX_UNHEALTHY - listed)
    listed += wanted.items === 'all' ? 0 : chosen.length
    news.push(...chosen)
  }
  run.followers.add(follower)
  try {
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(LOOK_MS, pause * 2)) {
      const status = await look(path, token, context)
      if (status.startTime === undefined) throw new HttpError(502, reason('heal-forgotten'))
      take(run, status)
      const items = news
      news = []
      const seconds = Math.round((Date.now() - Date.parse(run.startTime)) / 1000)
      await live.send({ healDuration: Math.max(0, seconds), ...run.totals, itemsHealthStatus: items })
      if (status.summary === 'finished') return
      if (status.summary === 'stopped') throw new HttpError(502, reason('heal-stopped'), { detail: status.detail })
      // After a page with items there may be more, so ask again without a pause.
      if (status.items.length === 0) await wait(pause, undefined, { signal: live.signal })
    }
  } finally {
    run.followers.delete(follower)
  }
}

/** Starts a heal, or joins the one running on the same path. @returns its token */
async function start(path: HealPath, wanted: Wanted, { madmin }: Context): Promise<string> {
  const { recursive, remove, scan } = wanted
  const options = { recursive, remove, dryRun: wanted['dry-run'], deep: scan === 'deep', force: wanted['force-start'] }
  try {
    return await madmin.startHeal(path, options)
  } catch (error) {
    const isRunning = error instanceof MadminError && error.code === 'XMinioHealAlreadyRunning'
    const token = isRunning ? tokenOfRunningHeal(error.message) : undefined
    if (token === undefined) throw error
    return token
  }
}

/** Returns the state of a heal. A server that is unreachable for a while may be restarting. */
async function look(path: HealPath, token: string, { madmin, live }: Context) {
  const begun = performance.now()
  for (let interrupted = false; ; interrupted = true) {
    try {
      const status = await madmin.healStatus(path, token)
      if (interrupted) live.control({ kind: 'resumed' })
      return status
    } catch (error) {
      const { status, body } = errorAnswer(error, '')
      if (live.signal.aborted || status < 502 || performance.now() - begun > AWAY_MS) throw error
      if (!interrupted) live.control({ kind: 'interrupted', message: body.message, retryMs: LOOK_MS })
      await wait(LOOK_MS, undefined, { signal: live.signal })
    }
  }
}
