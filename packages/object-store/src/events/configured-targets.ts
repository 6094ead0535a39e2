import path from 'node:path'
import type { Egress } from '@stowage/egress'
import type { Config, Guard, Values } from '../config/config.ts'
import { permittedPath } from '../config/permitted-path.ts'
import { switchOf } from '../config/values.ts'
import { lazyTarget } from './deliveries.ts'
import type { EventTarget } from './sender.ts'
import { certificateFiles } from './targets/certificates.ts'
import { TARGET_KINDS, type TargetKind } from './targets/kinds.ts'

/** A target that is switched on. */
export interface ConfiguredTarget {
  readonly arn: string
  readonly id: string
  readonly kind: TargetKind
  readonly values: Values
}

/** Where files may be that the configuration names. */
export interface DeliveryFolders {
  /** Of the queues of targets that name no folder. */
  readonly folder: string
  /** `queue_dir` must be below one of them; a name alone is below the first. */
  readonly queueFolders: readonly string[]
  /** The same for certificates and keys. */
  readonly certificateFolders: readonly string[]
}

export interface Delivery extends DeliveryFolders {
  /** Loads the way out, when there is something to send. */
  readonly loadEgress: () => Promise<Egress>
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

/** The folder of a target's queue. A `queue_dir` that is not permitted gives way to the default. */
export function queueFolder({ kind, id, values }: ConfiguredTarget, folders: DeliveryFolders): string {
  const wanted = values.queue_dir ? permittedPath(values.queue_dir, folders.queueFolders) : undefined
  return path.join(wanted ?? folders.folder, `${kind.service}-${encodeURIComponent(id)}`)
}

/** A target whose code is loaded with its first event. */
export function openTarget({ arn, kind, values }: ConfiguredTarget, delivery: Delivery): EventTarget {
  const certificates = certificateFiles(delivery.certificateFolders)
  return lazyTarget(arn, async () =>
    (await kind.load())({ arn, values, egress: await delivery.loadEgress(), certificates }),
  )
}

/** Refuses paths outside of the permitted folders, and strings that no driver could read. */
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
