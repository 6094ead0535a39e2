import { reason } from '@stowage/contract'
import { notificationTargetCalls } from '@stowage/contract/notification-targets/notification-targets'
import { formatConfigLine, formatConfigTarget, MadminError, readConfigText } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { serve } from '../../lib/http/serve.ts'
import { findBuckets } from '../../lib/storage/find-buckets.ts'
import { readEventConfiguration, targetArns } from '../buckets/bucket-events.ts'
import { changeConfig, configRefusal } from '../configs/change-config.ts'
import { readTargets, requireSubsystem, unsupportedSubsystem } from '../configs/config-subsystems.ts'
import {
  type ConfigClients,
  deleteConfigTarget,
  isTargetEnabled,
  type ListedConfigTarget,
  withPendingTargets,
} from '../configs/pending-targets.ts'

/** Number of buckets that are named. */
const MAX_NAMES = 20

export function notificationTargetRoutes(app: FastifyInstance): void {
  serve(app, notificationTargetCalls.listNotificationEndpoints, async (_input, clients) => ({
    notification_endpoints: await listTargets(clients),
  }))

  serve(app, notificationTargetCalls.addNotificationEndpoint, async ({ body }, clients) => {
    const { service, account_id, properties, create_only: createOnly } = body
    const values = Object.entries(properties).map(([key, value]) => ({ key, value }))
    const { restart } = await changeConfig(clients, {
      name: serviceSubsystem(service),
      target: account_id,
      values,
      createOnly,
    })
    return { service, account_id, properties: {}, restart }
  })

  serve(app, notificationTargetCalls.testNotificationEndpoint, async ({ params }, clients) => {
    const { madmin } = clients
    const subsystem = await requireSubsystem(madmin, serviceSubsystem(params.service))
    const target = (await readTargets(clients, subsystem)).find((each) => each.target === params.account_id)
    if (!target) throw unsupportedSubsystem(formatConfigTarget(subsystem.name, params.account_id))
    const test = await madmin.testNotificationTarget(formatConfigTarget(subsystem.serverName, params.account_id))
    if (test?.sent === false) throw new HttpError(400, reason('target-refused'), { detail: test.reason ?? '' })
    if (test) return { duration: test.duration, sent: true }
    // Other servers contact a target when its configuration is set, so set its comment to its present value.
    const comment = target.values.get('comment') ?? ''
    const begun = performance.now()
    try {
      await madmin.setConfig(formatConfigLine(subsystem.serverName, params.account_id, [['comment', comment]]))
    } catch (error) {
      throw configRefusal(error, [])
    }
    return { duration: Math.round(performance.now() - begun), sent: false }
  })

  serve(app, notificationTargetCalls.listTargetBuckets, async ({ params }, { madmin, s3 }) => {
    // Needs the right to see the targets.
    await madmin.serverInfo()
    const end = `:${params.account_id}:${subsystemService(serviceSubsystem(params.service))}`
    const { buckets, complete } = await findBuckets(s3, async (bucket) =>
      targetArns(await readEventConfiguration(s3, bucket)).some((arn) => arn.endsWith(end)),
    )
    return { buckets: buckets.slice(0, MAX_NAMES), total: buckets.length, complete }
  })

  serve(app, notificationTargetCalls.listRefusedEvents, async ({ params }, { madmin }) => {
    const refused = await madmin.listRefusedEvents(targetConfigName(params))
    if (!refused) throw new HttpError(501, reason('storage-unsupported'))
    return { total: refused.total, events: [...refused.events] }
  })

  serve(app, notificationTargetCalls.resendRefusedEvents, async ({ params }, { madmin }) => ({
    count: await madmin.resendRefusedEvents(targetConfigName(params)),
  }))

  serve(app, notificationTargetCalls.dropRefusedEvents, async ({ params }, { madmin }) => {
    await madmin.dropRefusedEvents(targetConfigName(params))
  })

  serve(app, notificationTargetCalls.deleteNotificationEndpoint, async ({ params }, clients) => {
    const { serverName } = await requireSubsystem(clients.madmin, serviceSubsystem(params.service))
    return await deleteConfigTarget(clients, serverName, params.account_id)
  })
}

function targetConfigName({ service, account_id }: { service: string; account_id: string }): string {
  return formatConfigTarget(serviceSubsystem(service), account_id)
}

/** Returns the subsystem of a service: the ARN and `info` name it `postgresql`, the configuration `notify_postgres`. */
function serviceSubsystem(service: string): string {
  return `notify_${service === 'postgresql' ? 'postgres' : service}`
}

function subsystemService(subsystem: string): string {
  const kind = subsystem.slice('notify_'.length)
  return kind === 'postgres' ? 'postgresql' : kind
}

/** Returns the targets that the server lists, and those that are configured but did not start. */
async function listTargets(clients: ConfigClients) {
  const [info, configured] = await Promise.all([clients.madmin.serverInfo(), configuredTargets(clients)])
  const started = info.notifications.map(({ service, target, status, queued, refused, dropped, lastError }) => ({
    service,
    account_id: target,
    status,
    arn: info.sqsARN.find((arn) => arn.endsWith(`:${target}:${service}`)) ?? '',
    ...(queued === undefined ? {} : { queued }),
    ...(refused === undefined ? {} : { refused }),
    ...(dropped === undefined ? {} : { dropped }),
    ...(lastError === undefined ? {} : { lastError }),
  }))
  const known = new Set(started.map(({ service, account_id }) => `${service}:${account_id}`))
  const others = configured
    .map((target) => ({
      service: subsystemService(target.subsystem),
      account_id: target.target,
      status: isTargetEnabled(target) ? 'not started' : 'off',
      arn: '',
      ...(target.waiting && { waiting: true }),
    }))
    .filter(({ service, account_id }) => !known.has(`${service}:${account_id}`))
  return [...started, ...others]
}

/** Returns an empty list without the right to read the configuration; the state of the targets needs fewer rights. */
async function configuredTargets(clients: ConfigClients): Promise<ListedConfigTarget[]> {
  try {
    const targets = readConfigText(await clients.madmin.getFullConfig())
    return (await withPendingTargets(clients, targets, 'notify_')).filter(
      (target) => target.subsystem.startsWith('notify_') && (target.target !== '_' || isTargetEnabled(target)),
    )
  } catch (error) {
    if (!(error instanceof MadminError) || error.code !== 'AccessDenied') throw error
    return []
  }
}
