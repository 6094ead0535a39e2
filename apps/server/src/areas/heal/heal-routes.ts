import { setTimeout as wait } from 'node:timers/promises'
import { type HealedItem, type HealMessage, reason } from '@stowage/contract'
import { healCalls, MAX_UNHEALTHY } from '@stowage/contract/heal/heal'
import { findRunningHealToken, type HealScope, type Madmin, MadminError } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { errorAnswer, HttpError } from '../../lib/errors/http-errors.ts'
import type { SocketContext } from '../../lib/http/handler.ts'
import { serve } from '../../lib/http/serve.ts'
import { addHealStatus, afterEarlierRequests, HealRuns } from './heal-runs.ts'
import { isHealthyItem } from './healed-items.ts'

/** Pause between two status requests of a heal (ms): short at first, longer later. */
const FIRST_LOOK_MS = 50
const LOOK_MS = 1000
/** How long the storage server may be unreachable before the call fails (ms). */
const AWAY_MS = 120_000

type HealContext = SocketContext<HealMessage>
type HealQuery = z.output<(typeof healCalls.heal)['query']>

export function healRoutes(app: FastifyInstance): void {
  const runs = new HealRuns()
  serve(app, healCalls.heal, async ({ params, query }, context) => await heal(runs, params.bucket, query, context))
  // Same path as the list of buckets: heals everything.
  serve(app, healCalls.healAll, async ({ query }, context) => await heal(runs, '', query, context))
}

async function heal(runs: HealRuns, bucket: string, wanted: HealQuery, context: HealContext): Promise<void> {
  const { live } = context
  // Detached: a page that is left during a request must not lose the token or the items of its answer.
  const { madmin } = context.detached()
  const path = { bucket, prefix: bucket === '' ? '' : wanted.prefix }
  if (wanted['force-stop']) {
    await madmin.stopHeal(path)
    runs.forget(path)
    live.control({ kind: 'started' })
    return
  }
  const token = wanted.follow ? runs.latestToken(path) : await startOrJoinHeal(path, wanted, madmin)
  live.control({ kind: 'started' })
  if (token === undefined) return
  const run = runs.join(path, token)
  let news: HealedItem[] = wanted.items === 'all' ? [] : [...run.unhealthy]
  let listed = news.length
  let shown = false
  const follower = (items: readonly HealedItem[]) => {
    const chosen =
      wanted.items === 'all' ? items : items.filter((item) => !isHealthyItem(item)).slice(0, MAX_UNHEALTHY - listed)
    listed += wanted.items === 'all' ? 0 : chosen.length
    news.push(...chosen)
  }
  run.followers.add(follower)
  try {
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(LOOK_MS, pause * 2)) {
      const status = await afterEarlierRequests(run, async () => {
        const answer = await readHealStatus(path, token, madmin, live)
        if (answer) addHealStatus(run, answer)
        return answer
      })
      if (!status) {
        if (wanted.follow && !shown) return
        throw new HttpError(502, reason('heal-forgotten'))
      }
      const items = news
      news = []
      await live.send({ healDuration: run.seconds, ...run.totals, itemsHealthStatus: items })
      shown = true
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
async function startOrJoinHeal(path: HealScope, wanted: HealQuery, madmin: Madmin): Promise<string> {
  const { recursive, remove, scan } = wanted
  const options = { recursive, remove, dryRun: wanted['dry-run'], deep: scan === 'deep', force: wanted['force-start'] }
  try {
    return await madmin.startHeal(path, options)
  } catch (error) {
    const isRunning = error instanceof MadminError && error.code === 'XMinioHealAlreadyRunning'
    const token = isRunning ? findRunningHealToken(error.message) : undefined
    if (token === undefined) throw error
    return token
  }
}

/** Returns the state of a heal; undefined if the server has forgotten it. A server that is away for a while may be restarting. */
async function readHealStatus(path: HealScope, token: string, madmin: Madmin, live: HealContext['live']) {
  const begun = performance.now()
  for (let interrupted = false; ; interrupted = true) {
    try {
      const status = await madmin.healStatus(path, token)
      if (interrupted) live.control({ kind: 'resumed' })
      return status.startTime === undefined ? undefined : status
    } catch (error) {
      // Another heal of the same path was started since.
      if (error instanceof MadminError && error.code === 'XMinioHealInvalidClientToken') return undefined
      const { status, body } = errorAnswer(error, '')
      if (live.signal.aborted || status < 502 || performance.now() - begun > AWAY_MS) throw error
      if (!interrupted) live.control({ kind: 'interrupted', message: body.message, retryMs: LOOK_MS })
      await wait(LOOK_MS, undefined, { signal: live.signal })
    }
  }
}
