import { reason } from '@stowage/contract'
import { notificationTargetCalls } from '@stowage/contract/notification-targets/notification-targets'
import { configLine, configTargetName, MadminError, readConfigText } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/http/errors.ts'
import { serve } from '../../lib/http/serve.ts'
import { findBuckets } from '../../lib/storage/each-bucket.ts'
import { arnsOf, readEvents } from '../buckets/events.ts'
import { changeConfig, refusalOf } from '../configs/change.ts'
import { readTargets, requireSubsystem, unsupported } from '../configs/subsystems.ts'
import {
  type ConfigClients,
  deleteTarget,
  isEnabled,
  type ListedTarget,
  withWaitingTargets,
} from '../configs/waiting-targets.ts'

/** Number of buckets that are named. */
const MAX_NAMES = 20

export function notificationTargetRoutes(app: FastifyInstance): void {
  serve(app, notificationTargetCalls.listNotificationEndpoints, async (_input, clients) => ({
    notification_endpoints: await listTargets(clients),
  }))

  serve(app, notificationTargetCalls.addNotificationEndpoint, async ({ body }, clients) => {
    const { service, account_id, properties } = body
    const values = Object.entries(properties).map(([key, value]) => ({ key, value }))
    const { restart } = await changeConfig(clients, { name: subsystemOf(service), target: account_id, values })
    return { service, account_id, properties: {}, restart }
  })

  serve(app, notificationTargetCalls.testNotificationEndpoint, async ({ params }, clients) => {
    const { madmin } = clients
    const subsystem = await requireSubsystem(madmin, subsystemOf(params.service))
    const target = (await readTargets(clients, subsystem)).find((each) => each.target === params.account_id)
    if (!target) throw unsupported(configTargetName(subsystem.name, params.account_id))
    const test = await madmin.testNotificationTarget(configTargetName(subsystem.serverName, params.account_id))
    if (test?.sent === false) throw new HttpError(400, reason('target-refused'), { detail: test.reason ?? '' })
    if (test) return { duration: test.duration, sent: true }
    // Other servers contact a target when its configuration is set, so set its comment to its present value.
    const comment = target.values.get('comment') ?? ''
    const begun = performance.now()
    try {
      await madmin.setConfig(configLine(subsystem.serverName, params.account_id, [['comment', comment]]))
    } catch (error) {
      throw refusalOf(error, [])
    }
    return { duration: Math.round(performance.now() - begun), sent: false }
  })

  serve(app, notificationTargetCalls.listTargetBuckets, async ({ params }, { madmin, s3 }) => {
    // Needs the right to see the targets.
    await madmin.serverInfo()
    const end = `:${params.account_id}:${serviceOf(subsystemOf(params.service))}`
    const { buckets, complete } = await findBuckets(s3, async (bucket) =>
      arnsOf(await readEvents(s3, bucket)).some((arn) => arn.endsWith(end)),
    )
    return { buckets: buckets.slice(0, MAX_NAMES), total: buckets.length, complete }
  })

  serve(app, notificationTargetCalls.listRefusedEvents, async ({ params }, { madmin }) => {
    const refused = await madmin.listRefusedEvents(targetOf(params))
    if (!refused) throw new HttpError(501, reason('storage-unsupported'))
    return { total: refused.total, events: [...refused.events] }
  })

  serve(app, notificationTargetCalls.resendRefusedEvents, async ({ params }, { madmin }) => ({
    count: await madmin.resendRefusedEvents(targetOf(params)),
  }))

  serve(app, notificationTargetCalls.dropRefusedEvents, async ({ params }, { madmin }) => {
    await madmin.dropRefusedEvents(targetOf(params))
  })

  serve(app, notificationTargetCalls.deleteNotificationEndpoint, async ({ params }, clients) => {
    const { serverName } = await requireSubsystem(clients.madmin, subsystemOf(params.service))
    return await deleteTarget(clients, serverName, params.account_id)
  })
}

function targetOf({ service, account_id }: { service: string; account_id: string }): string {
  return configTargetName(subsystemOf(service), account_id)
}

/** Returns the subsystem of a service: the ARN and `info` name it `postgresql`, the configuration `notify_postgres`. */
function subsystemOf(service: string): string {
  return `notify_${service === 'postgresql' ? 'postgres' : service}`
}

function serviceOf(subsystem: string): string {
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
      service: serviceOf(target.subsystem),
      account_id: target.target,
      status: isEnabled(target) ? 'not started' : 'off',
      arn: '',
      ...(target.waiting && { waiting: true }),
    }))
    .filter(({ service, account_id }) => !known.has(`${service}:${account_id}`))
  return [...started, ...others]
}

/** Returns an empty list without the right to read the configuration; the state of the targets needs fewer rights. */
async function configuredTargets(clients: ConfigClients): Promise<ListedTarget[]> {
  try {
    const targets = readConfigText(await clients.madmin.getFullConfig())
    return (await withWaitingTargets(clients, targets, 'notify_')).filter(
      (target) => target.subsystem.startsWith('notify_') && (target.target !== '_' || isEnabled(target)),
    )
  } catch (error) {
    if (!(error instanceof MadminError) || error.code !== 'AccessDenied') throw error
    return []
  }
}
