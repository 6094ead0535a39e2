import { reason } from '@stowage/contract'
import { replicationCalls } from '@stowage/contract/replication/replication'
import { KeyedQueue } from '@stowage/contract/values/keyed-queue'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { toStorageError } from '../../lib/errors/storage-errors.ts'
import { type SessionContext, serve } from '../../lib/http/serve.ts'
import { requireSameFields } from '../../lib/storage/setting-conflicts.ts'
import { listExternalBuckets } from './external-buckets.ts'
import {
  parseRuleTags,
  type ReplicationRuleXml,
  readReplicationConfiguration,
  replicationRuleId,
  replicationRuleTarget,
  wireReplicationRule,
  withRuleSettings,
  writeReplicationConfiguration,
} from './replication-configuration.ts'
import { listReplicationFailures, listReplicationTargets } from './replication-targets.ts'
import { setReplication } from './set-replication.ts'

export function replicationRoutes(app: FastifyInstance): void {
  /** By bucket: its rules are read, changed and written. */
  /** By bucket: of two changes that read, edit and write one document at the same time, one would be lost. */
  const queue = new KeyedQueue()

  /** For calls that the storage server does not decide as a whole. @throws HttpError 403 */
  const requireRight = async (context: SessionContext, actions: readonly string[]) => {
    if ((await app.lostRight(context, actions)) !== undefined) throw new HttpError(403, reason('access-denied'))
  }

  serve(app, replicationCalls.listReplicationRules, async ({ params: { bucket } }, { s3Stream }) => {
    const configuration = await readReplicationConfiguration(s3Stream, bucket)
    return { rules: configuration.rules.map((rule) => wireReplicationRule(configuration, rule)) }
  })

  serve(app, replicationCalls.updateReplicationRule, async ({ params, body }, { s3Stream, madmin }) => {
    const { bucket, ruleId } = params
    await queue.run(bucket, async () => {
      const configuration = await readReplicationConfiguration(s3Stream, bucket)
      const rule = configuration.rules.find((one) => replicationRuleId(one) === ruleId)
      if (!rule) throw new HttpError(404, reason('replication-rule-not-found'))
      const present = wireReplicationRule(configuration, rule)
      requireSameFields(body.before, present)
      const wanted = {
        enabled: body.ruleState ?? present.status === 'Enabled',
        prefix: body.prefix ?? present.prefix,
        tags: body.tags ?? present.tags,
        deleteMarkers: body.replicateDeleteMarkers ?? present.delete_marker_replication,
        deletes: body.replicateDeletes ?? present.deletes_replication,
        metadata: body.replicateMetadata ?? present.metadata_replication,
        existingObjects: body.replicateExistingObjects ?? present.existing_objects_replication,
        priority: body.priority ?? present.priority,
        storageClass: body.storageClass,
      }
      if (wanted.deleteMarkers && parseRuleTags(wanted.tags).length > 0) {
        throw new HttpError(400, reason('replication-tags-and-markers'), { field: 'replicateDeleteMarkers' })
      }
      await updateTarget(replicationRuleTarget(configuration, rule), bucket, body, madmin)
      const changed = withRuleSettings(rule, wanted)
      const rules = configuration.rules.map((one) => (one === rule ? changed : one))
      await writeReplicationConfiguration(s3Stream, bucket, { ...configuration, rules })
    })
  })

  serve(app, replicationCalls.deleteReplicationRule, async ({ params: { bucket, ruleId } }, context) => {
    await queue.run(bucket, async () => await deleteRules(bucket, [ruleId], context))
  })

  serve(app, replicationCalls.deleteReplicationRules, async ({ params, body }, context) => {
    await queue.run(params.bucket, async () => await deleteRules(params.bucket, body.rules, context))
  })

  serve(app, replicationCalls.setReplication, async ({ body }, context) => {
    await requireRight(context, replicationCalls.setReplication.endpoint.actions)
    return { replicationState: await setReplication(body, { ...context, queue }, context.request.id) }
  })

  serve(app, replicationCalls.listExternalBuckets, async ({ body }, context) => {
    await requireRight(context, replicationCalls.listExternalBuckets.endpoint.actions)
    const names = await listExternalBuckets(app.egress, body, context.signal)
    return { buckets: names.map((name) => ({ name })), total: names.length }
  })

  serve(app, replicationCalls.listReplicationTargets, async ({ params }, context) => {
    return { targets: await listReplicationTargets(params.bucket, context) }
  })

  serve(app, replicationCalls.listReplicationFailures, async ({ params, query }, context) => {
    return await listReplicationFailures(params.bucket, query.arn, context)
  })

  serve(app, replicationCalls.resyncReplication, async ({ params: { bucket }, body: { arn } }, { s3Stream }) => {
    await s3Stream.text({ method: 'PUT', bucket, query: { 'replication-reset': '', arn } })
  })

  serve(app, replicationCalls.retryReplication, async ({ params: { bucket }, body: { arn } }, { madmin }) => {
    return { retried: await madmin.retryReplication(bucket, arn) }
  })

  serve(app, replicationCalls.listRemoteBuckets, async (_input, { madmin }) => {
    const buckets = (await madmin.listRemoteTargets('')).map((target) => ({
      accessKey: target.accessKey,
      sourceBucket: target.sourceBucket,
      targetBucket: target.targetBucket,
      targetURL: target.endpoint,
      remoteARN: target.arn,
      service: 'replication',
      syncMode: target.sync ? ('sync' as const) : ('async' as const),
      bandwidth: target.bandwidth,
      healthCheckPeriod: target.healthCheckSeconds,
    }))
    return { buckets, total: buckets.length }
  })
}

interface TargetSettings {
  syncMode?: 'sync' | 'async' | undefined
  bandwidth?: number | undefined
  healthCheckPeriod?: number | undefined
}

async function updateTarget(
  arn: string,
  bucket: string,
  { syncMode, bandwidth, healthCheckPeriod }: TargetSettings,
  madmin: SessionContext['madmin'],
): Promise<void> {
  if (syncMode === undefined && bandwidth === undefined && healthCheckPeriod === undefined) return
  const target = (await madmin.listRemoteTargets(bucket)).find((one) => one.arn === arn)
  if (!target) throw new HttpError(404, reason('replication-target-not-found'))
  const sync = syncMode === undefined ? target.sync : syncMode === 'sync'
  const wanted = {
    sync,
    bandwidth: sync ? 0 : (bandwidth ?? target.bandwidth),
    healthCheckSeconds: healthCheckPeriod ?? target.healthCheckSeconds,
  }
  const isSame =
    wanted.sync === target.sync &&
    wanted.bandwidth === target.bandwidth &&
    wanted.healthCheckSeconds === target.healthCheckSeconds
  if (!isSame) await madmin.updateRemoteTarget(bucket, target, wanted)
}

/** Deletes rules. A target without rules is deleted too, if the caller has the right to do so. */
async function deleteRules(
  bucket: string,
  ids: readonly string[],
  { s3Stream, madmin }: Pick<SessionContext, 's3Stream' | 'madmin'>,
): Promise<void> {
  const configuration = await readReplicationConfiguration(s3Stream, bucket)
  const isNamed = (rule: ReplicationRuleXml) => ids.includes(replicationRuleId(rule))
  const removed = configuration.rules.filter(isNamed)
  if (removed.length === 0) throw new HttpError(404, reason('replication-rule-not-found'))
  const left = configuration.rules.filter((rule) => !isNamed(rule))
  await writeReplicationConfiguration(s3Stream, bucket, { ...configuration, rules: left })
  const used = new Set(left.map((rule) => replicationRuleTarget(configuration, rule)))
  const unused = new Set(
    removed.map((rule) => replicationRuleTarget(configuration, rule)).filter((arn) => !used.has(arn)),
  )
  for (const arn of unused) {
    try {
      await madmin.removeRemoteTarget(bucket, arn)
    } catch (error) {
      const code = toStorageError(error)?.code
      if (code !== 'AccessDenied' && code !== 'XMinioAdminRemoteTargetNotFoundError') throw error
    }
  }
}
