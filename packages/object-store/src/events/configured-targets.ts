import path from 'node:path'
import type { Egress } from '@stowage/egress'
import type { Config, Guard, Values } from '../config/config.ts'
import { permittedPath } from '../config/permitted-path.ts'
import { switchOf } from '../config/values.ts'
import { TARGET_KINDS, type TargetKind } from './targets/kinds.ts'

/** An enabled target. */
export interface ConfiguredTarget {
  readonly arn: string
  readonly id: string
  readonly kind: TargetKind
  readonly values: Values
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

export interface Delivery extends DeliveryFolders {
  /** Loads the guard for outgoing connections when there is something to send. */
  readonly loadEgress: () => Promise<Egress>
  /** Settings of that guard as text, and the ports that it refuses. Passed to the worker thread of the targets. */
  readonly egress: Readonly<Record<string, string>>
  readonly ownPorts: () => readonly number[]
}

const CERTIFICATE_KEYS = ['client_cert', 'client_key', 'client_tls_cert', 'client_tls_key', 'cert_authority']

export function configuredTargets(config: Config, region: string): ConfiguredTarget[] {
  return TARGET_KINDS.flatMap((kind) =>
    config.targets(kind.subsystem).flatMap((id): ConfiguredTarget[] => {
      const values = config.values(kind.subsystem, id)
      const isComplete = config.subsystem(kind.subsystem).keys.every(({ name, required }) => !required || values[name])
      if (switchOf(values.enable ?? '') !== true || !isComplete) return []
      return [{ arn: arnOf(region, id, kind), id, kind, values }]
    }),
  )
}

export function arnOf(region: string, id: string, { service }: TargetKind): string {
  return `arn:minio:sqs:${region}:${id}:${service}`
}

/** Returns the folder of a target's queue. If `queue_dir` is not permitted, the default is used. */
export function queueFolder({ kind, id, values }: ConfiguredTarget, folders: DeliveryFolders): string {
  const wanted = values.queue_dir ? permittedPath(values.queue_dir, folders.queueFolders) : undefined
  return path.join(wanted ?? folders.folder, `${kind.service}-${encodeURIComponent(id)}`)
}

/** Returns a check that refuses paths outside the permitted folders, and connection strings that cannot be parsed. */
export function targetGuard({ check }: TargetKind, { queueFolders, certificateFolders }: DeliveryFolders): Guard {
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
