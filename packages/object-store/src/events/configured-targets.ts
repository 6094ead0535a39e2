import path from 'node:path'
import type { Egress } from '@stowage/egress'
import type { ConfigGuard, ConfigValues, StoreConfig } from '../config/config.ts'
import { parseSwitch } from '../config/value-types.ts'
import { permittedPath } from './targets/permitted-path.ts'
import { NOTIFICATION_TARGET_KINDS, type NotificationTargetKind } from './targets/target-kinds.ts'

/** An enabled target. */
export interface ConfiguredNotificationTarget {
  readonly arn: string
  readonly id: string
  readonly kind: NotificationTargetKind
  readonly values: ConfigValues
}

/** Permitted locations of files named in the configuration. */
export interface DeliveryFolders {
  /** Default folder of queues. */
  readonly folder: string
  /** `queue_dir` must be below one of these; a relative path is below the first. */
  readonly queueFolders: readonly string[]
  /** The same for certificates and keys. */
  readonly certificateFolders: readonly string[]
}

export interface DeliveryOptions extends DeliveryFolders {
  /** Loads the guard for outgoing connections when there is something to send. */
  readonly loadEgress: () => Promise<Egress>
  /** Settings of that guard as text, and the ports that it refuses. Passed to the worker thread of the targets. */
  readonly egress: Readonly<Record<string, string>>
  readonly ownPorts: () => readonly number[]
}

const CERTIFICATE_KEYS = ['client_cert', 'client_key', 'client_tls_cert', 'client_tls_key', 'cert_authority']

export function listConfiguredTargets(config: StoreConfig, region: string): ConfiguredNotificationTarget[] {
  return NOTIFICATION_TARGET_KINDS.flatMap((kind) =>
    config.targets(kind.subsystem).flatMap((id): ConfiguredNotificationTarget[] => {
      const values = config.values(kind.subsystem, id)
      const isComplete = config.subsystem(kind.subsystem).keys.every(({ name, required }) => !required || values[name])
      if (parseSwitch(values.enable ?? '') !== true || !isComplete) return []
      return [{ arn: notificationArn(region, id, kind), id, kind, values }]
    }),
  )
}

export function notificationArn(region: string, id: string, { service }: NotificationTargetKind): string {
  return `arn:minio:sqs:${region}:${id}:${service}`
}

/** Returns the folder of a target's queue. If `queue_dir` is not permitted, the default is used. */
export function targetQueueFolder(
  { kind, id, values }: ConfiguredNotificationTarget,
  folders: DeliveryFolders,
): string {
  const wanted = values.queue_dir ? permittedPath(values.queue_dir, folders.queueFolders) : undefined
  return path.join(wanted ?? folders.folder, `${kind.service}-${encodeURIComponent(id)}`)
}

/** Returns a check that refuses paths outside the permitted folders, and connection strings that cannot be parsed. */
export function notificationTargetGuard(
  { check }: NotificationTargetKind,
  { queueFolders, certificateFolders }: DeliveryFolders,
): ConfigGuard {
  return (values) => {
    const outside = (key: string, folders: readonly string[]) =>
      values[key] && permittedPath(values[key], folders) === undefined
        ? `${key} must be below ${folders.join(' or ')}`
        : undefined
    const problems = [
      outside('queue_dir', queueFolders),
      ...CERTIFICATE_KEYS.map((key) => outside(key, certificateFolders)),
    ]
    return problems.find((problem) => problem !== undefined) ?? check?.(values)
  }
}
