import { randomUUID } from 'node:crypto'
import { reason } from '@stowage/contract'
import type { replicationCalls } from '@stowage/contract/replication/replication'
import type { KeyedQueue } from '@stowage/contract/values/keyed-queue'
import type { NewRemoteTarget } from '@stowage/madmin'
import pMap from 'p-map'
import type { z } from 'zod'
import { errorAnswer, HttpError } from '../../lib/errors/http-errors.ts'
import type { SessionContext } from '../../lib/http/serve.ts'
import {
  parseRuleTags,
  type ReplicationRuleSettings,
  readReplicationConfiguration,
  replicationRulePriority,
  wireReplicationRule,
  withRuleSettings,
  writeReplicationConfiguration,
} from './replication-configuration.ts'

type Body = z.infer<typeof replicationCalls.setReplication.body>
type Relation = Body['bucketsRelation'][number]
type Clients = Pick<SessionContext, 'madmin' | 's3Stream'> & { queue: KeyedQueue }

interface BucketReplicationState {
  originBucket: string
  targetBucket: string
  errorString?: string
}

/** Buckets that are set up at the same time. */
const CONCURRENCY = 4

/** Replicates each bucket to its target bucket; if one fails, the others continue. */
export async function setReplication(
  body: Body,
  clients: Clients,
  requestId: string,
): Promise<BucketReplicationState[]> {
  const { host, secure } = parseTargetUrl(body.targetURL)
  const hasTags = parseRuleTags(body.tags).length > 0
  const settings: Omit<ReplicationRuleSettings, 'priority'> = {
    enabled: true,
    prefix: body.prefix,
    tags: body.tags,
    // Servers refuse a rule with both.
    deleteMarkers: body.replicateDeleteMarkers && !hasTags,
    deletes: body.replicateDeletes,
    metadata: body.replicateMetadata,
    existingObjects: true,
  }
  const target: Omit<NewRemoteTarget, 'targetBucket'> = {
    endpoint: host,
    secure,
    accessKey: body.accessKey,
    secretKey: body.secretKey,
    region: body.region,
    sync: body.syncMode === 'sync',
    bandwidth: body.syncMode === 'sync' ? 0 : body.bandwidth,
    healthCheckSeconds: body.healthCheckPeriod,
  }
  const states = new Map<Relation, BucketReplicationState>()
  // The rules of one bucket are written in sequence.
  const byOrigin = new Map<string, Relation[]>()
  for (const relation of body.bucketsRelation) {
    byOrigin.set(relation.originBucket, [...(byOrigin.get(relation.originBucket) ?? []), relation])
  }
  await pMap(
    byOrigin.values(),
    async (relations) => {
      for (const relation of relations) {
        const { originBucket, destinationBucket: targetBucket } = relation
        try {
          await clients.queue.run(originBucket, async () => {
            if (body.create_only) await requireNewRule(originBucket, { ...target, targetBucket }, settings, clients)
            await replicate(originBucket, { ...target, targetBucket }, settings, clients)
          })
          states.set(relation, { originBucket, targetBucket })
        } catch (error) {
          const { message, detailedMessage } = errorAnswer(error, requestId).body
          states.set(relation, { originBucket, targetBucket, errorString: detailedMessage || message })
        }
      }
    },
    { concurrency: CONCURRENCY },
  )
  return body.bucketsRelation.flatMap((relation) => states.get(relation) ?? [])
}

/** @throws HttpError 409 if a rule replicates the same objects to the same bucket of the same server */
async function requireNewRule(
  bucket: string,
  target: NewRemoteTarget,
  { prefix, tags }: Omit<ReplicationRuleSettings, 'priority'>,
  { madmin, s3Stream }: Clients,
): Promise<void> {
  const configuration = await readReplicationConfiguration(s3Stream, bucket)
  if (configuration.rules.length === 0) return
  const known = await madmin.listRemoteTargets(bucket)
  const arns = known
    .filter(({ endpoint, targetBucket }) => endpoint === target.endpoint && targetBucket === target.targetBucket)
    .map(({ arn }) => arn)
  const wantedTags = new URLSearchParams(parseRuleTags(tags)).toString()
  const same = configuration.rules
    .map((rule) => wireReplicationRule(configuration, rule))
    .find((rule) => arns.includes(rule.target_arn) && rule.prefix === prefix && rule.tags === wantedTags)
  if (same) throw new HttpError(409, reason('replication-rule-exists', { id: same.id }))
}

/** Adds a rule. If the server refuses it, a target that was created for it is deleted again. */
async function replicate(
  bucket: string,
  target: NewRemoteTarget,
  settings: Omit<ReplicationRuleSettings, 'priority'>,
  { madmin, s3Stream }: Clients,
): Promise<void> {
  const configuration = await readReplicationConfiguration(s3Stream, bucket)
  const known = await madmin.listRemoteTargets(bucket)
  const arn = await madmin.setRemoteTarget(bucket, target)
  try {
    const priority = 1 + Math.max(0, ...configuration.rules.map(replicationRulePriority))
    const rule = withRuleSettings({ ID: randomUUID(), Destination: { Bucket: arn } }, { ...settings, priority })
    await writeReplicationConfiguration(s3Stream, bucket, { ...configuration, rules: [...configuration.rules, rule] })
  } catch (error) {
    // Report why the rule was refused, even if this fails.
    if (!known.some((one) => one.arn === arn)) await madmin.removeRemoteTarget(bucket, arn).catch(() => undefined)
    throw error
  }
}

/** Only host and port are used. @throws HttpError 400 */
export function parseTargetUrl(text: string): { host: string; secure: boolean } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (!url || !isWeb || url.username !== '' || url.password !== '') {
    throw new HttpError(400, reason('remote-address'), { field: 'targetURL' })
  }
  return { host: url.host, secure: url.protocol === 'https:' }
}
