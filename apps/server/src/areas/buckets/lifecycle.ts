import { createHash, randomBytes } from 'node:crypto'
import { reason } from '@stowage/contract'
import { lifecycleCalls } from '@stowage/contract/buckets/lifecycle'
import { type Madmin, MadminError } from '@stowage/madmin'
import { LifecycleError, readLifecycle, type S3LifecycleRule, writeLifecycle } from '@stowage/madmin/lifecycle'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { toStorageError } from '../../lib/errors/storage-errors.ts'
import { serve } from '../../lib/http/serve.ts'
import type { S3Stream } from '../../lib/storage/s3-stream.ts'
import { requireSameSetting, settingQueue } from '../../lib/storage/setting-conflicts.ts'
import { forecastLifecycle, simulateLifecycle } from './lifecycle-preview.ts'
import { changedLifecycleRule, isSameLifecycleRule, newLifecycleRule, wireLifecycleRule } from './lifecycle-rule.ts'
import { readLockConfiguration } from './retention.ts'

/** The rules are read and written as XML, because the SDK drops the elements that MinIO adds. */
const query = { lifecycle: '' }

export function lifecycleRoutes(app: FastifyInstance): void {
  serve(app, lifecycleCalls.listLifecycleRules, async ({ params: { bucket } }, { s3Stream }) => {
    const rules = await readLifecycleRules(s3Stream, bucket)
    if (rules) return { lifecycle: rules.map(wireLifecycleRule) }
    const detail = 'error bucket life cycle configuration not found'
    throw new HttpError(404, reason('lifecycle-not-found'), { detail })
  })

  const changeRules = async (
    s3Stream: S3Stream,
    bucket: string,
    change: (rules: S3LifecycleRule[]) => S3LifecycleRule[],
  ) =>
    await settingQueue.run(bucket, async () => {
      const rules = (await readLifecycleRules(s3Stream, bucket)) ?? []
      await writeLifecycleRules(s3Stream, bucket, change(rules))
    })

  serve(app, lifecycleCalls.addLifecycleRule, async ({ params: { bucket }, body }, { s3Stream }) => {
    const rule = newLifecycleRule(randomBytes(10).toString('hex'), body, Date.now())
    await changeRules(s3Stream, bucket, (rules) => {
      const same = body.create_only ? rules.find((each) => isSameLifecycleRule(each, rule)) : undefined
      if (same) throw new HttpError(409, reason('lifecycle-rule-exists', { id: same.id }))
      return [...rules, rule]
    })
  })

  serve(app, lifecycleCalls.setLifecycleRule, async ({ params: { bucket, id }, body }, { s3Stream }) => {
    await changeRules(s3Stream, bucket, (rules) => {
      const rule = findRule(rules, id)
      requireSameSetting(body.before, wireLifecycleRule(rule))
      const changed = changedLifecycleRule(rule, body, Date.now())
      return rules.map((each) => (each === rule ? changed : each))
    })
  })

  serve(app, lifecycleCalls.deleteLifecycleRule, async ({ params: { bucket, id } }, { s3Stream }) => {
    await changeRules(s3Stream, bucket, (rules) => {
      const rule = findRule(rules, id)
      return rules.filter((each) => each !== rule)
    })
  })

  serve(app, lifecycleCalls.simulateLifecycleRule, async ({ params: { bucket }, body }, { s3, s3Stream }) => {
    const { id, ...change } = body
    const rule =
      id === undefined
        ? newLifecycleRule('simulation', change, Date.now())
        : changedLifecycleRule(findRule((await readLifecycleRules(s3Stream, bucket)) ?? [], id), change, Date.now())
    // Without the right to read the object lock settings, the simulation has no warning about locks.
    const lock = await readLockConfiguration(s3, bucket).catch(() => undefined)
    return await simulateLifecycle(
      s3Stream,
      bucket,
      { ...rule, enabled: true },
      { now: Date.now(), isLocking: lock !== undefined },
    )
  })

  serve(app, lifecycleCalls.getLifecycleForecast, async ({ params: { bucket } }, { s3Stream, madmin }) => {
    const rules = (await readLifecycleRules(s3Stream, bucket)) ?? []
    const [found, waiting] = await Promise.all([
      forecastLifecycle(s3Stream, bucket, rules, Date.now()),
      rules.length > 0 ? readLifecycleBacklog(madmin) : null,
    ])
    return { ...found, waiting }
  })

  serve(app, lifecycleCalls.confirmLifecycleClock, async (_input, { madmin }) => {
    await madmin.confirmLifecycleClock()
  })
}

/** Null also if the server does not have this call, or does not allow it to this caller. */
async function readLifecycleBacklog(madmin: Madmin) {
  try {
    return (await madmin.lifecycleStatus()).waiting
  } catch (error) {
    if (error instanceof MadminError && (error.unsupported || error.status === 403)) return null
    throw error
  }
}

/** Returns undefined if there is no configuration. */
export async function readLifecycleRules(s3Stream: S3Stream, bucket: string): Promise<S3LifecycleRule[] | undefined> {
  try {
    return readLifecycle(await s3Stream.text({ method: 'GET', bucket, query }))
  } catch (error) {
    if (error instanceof LifecycleError) {
      throw new HttpError(502, reason('lifecycle-unreadable'), { detail: error.message, cause: error })
    }
    if (toStorageError(error)?.code === 'NoSuchLifecycleConfiguration') return undefined
    throw error
  }
}

/** @throws HttpError 404 */
function findRule(rules: readonly S3LifecycleRule[], id: string): S3LifecycleRule {
  const rule = rules.find((each) => each.id === id)
  if (!rule) throw new HttpError(404, reason('lifecycle-rule-not-found'))
  return rule
}

/** Replaces the rules. Without rules, the configuration is deleted. */
export async function writeLifecycleRules(s3Stream: S3Stream, bucket: string, rules: S3LifecycleRule[]): Promise<void> {
  if (rules.length === 0) return void (await s3Stream.text({ method: 'DELETE', bucket, query }))
  const body = Buffer.from(writeLifecycle(rules))
  const headers = {
    'content-type': 'application/xml',
    'content-length': String(body.length),
    'content-md5': createHash('md5').update(body).digest('base64'),
  }
  await s3Stream.text({ method: 'PUT', bucket, query, headers, body })
}
