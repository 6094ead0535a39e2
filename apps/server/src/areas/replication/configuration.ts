import type { ReplicationRule } from '@stowage/contract'
import type { S3Stream } from '../../lib/storage/s3-stream.ts'
import { storageErrorOf } from '../../lib/storage/storage-errors.ts'
import { childOf, childrenOf, escapeXml, parseAnswer, textOf, type XmlNode } from '../../lib/storage/xml.ts'

/*
 * The replication configuration of a bucket. The SDK drops the elements that MinIO adds, so the XML is read and written here,
 * and unknown elements are kept.
 */

type Elements = { [name: string]: XmlNode | XmlNode[] }
export type Rule = Elements

export interface Configuration {
  role: string
  rules: Rule[]
}

const query = { replication: '' }

/** Returns no rules if the bucket has no configuration. @throws UpstreamError NoSuchBucket, AccessDenied */
export async function readConfiguration(s3Stream: S3Stream, bucket: string): Promise<Configuration> {
  try {
    const { node } = parseAnswer(await s3Stream.text({ method: 'GET', bucket, query }))
    const rules = childrenOf(node, 'Rule').filter((rule): rule is Rule => typeof rule !== 'string')
    return { role: textOf(node, 'Role'), rules }
  } catch (error) {
    if (storageErrorOf(error)?.code === 'ReplicationConfigurationNotFoundError') return { role: '', rules: [] }
    throw error
  }
}

/** Replaces the configuration. Without rules, it is deleted. */
export async function writeConfiguration(
  s3Stream: S3Stream,
  bucket: string,
  { role, rules }: Configuration,
): Promise<void> {
  if (rules.length === 0) {
    await s3Stream.text({ method: 'DELETE', bucket, query })
    return
  }
  const content = write('Role', role) + rules.map((rule) => write('Rule', rule)).join('')
  const body = `<ReplicationConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</ReplicationConfiguration>`
  await s3Stream.text({ method: 'PUT', bucket, query, headers: { 'content-type': 'application/xml' }, body })
}

function write(name: string, node: XmlNode): string {
  if (typeof node === 'string') return `<${name}>${escapeXml(node)}</${name}>`
  const content = Object.entries(node).flatMap(([child, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => write(child, one)),
  )
  return `<${name}>${content.join('')}</${name}>`
}

export interface RuleSettings {
  enabled: boolean
  prefix: string
  /** `key=value&key2=value2` */
  tags: string
  deleteMarkers: boolean
  deletes: boolean
  metadata: boolean
  existingObjects: boolean
  priority: number
  storageClass?: string | undefined
}

const statusOf = (on: boolean) => ({ Status: on ? 'Enabled' : 'Disabled' })

/** Returns a rule with these settings; other settings of `rule` are kept. */
export function withSettings(rule: Rule, settings: RuleSettings): Rule {
  const destination = childOf(rule, 'Destination')
  const place: Elements = typeof destination === 'object' ? { ...destination } : {}
  if (settings.storageClass !== undefined) place.StorageClass = settings.storageClass
  if (place.StorageClass === '') delete place.StorageClass
  const { Prefix: _, ...rest } = rule
  return {
    ...rest,
    Status: settings.enabled ? 'Enabled' : 'Disabled',
    Priority: String(settings.priority),
    DeleteMarkerReplication: statusOf(settings.deleteMarkers),
    DeleteReplication: statusOf(settings.deletes),
    Destination: place,
    SourceSelectionCriteria: { ReplicaModifications: statusOf(settings.metadata) },
    Filter: filterOf(settings),
    ExistingObjectReplication: statusOf(settings.existingObjects),
  }
}

function filterOf({ prefix, tags }: RuleSettings): Elements {
  const entries = tagsOf(tags).map(([Key, Value]) => ({ Key, Value }))
  const [only] = entries
  if (!only) return { Prefix: prefix }
  if (entries.length === 1 && prefix === '') return { Tag: only }
  return { And: { Prefix: prefix, Tag: entries } }
}

/** Pairs without a key or a value are dropped. */
export function tagsOf(text: string): [key: string, value: string][] {
  return [...new URLSearchParams(text)].filter(([key, value]) => key !== '' && value !== '')
}

export const idOf = (rule: Rule): string => textOf(rule, 'ID')
export const priorityOf = (rule: Rule): number => Number(textOf(rule, 'Priority')) || 0

/** Returns the target of a rule; in configurations of old servers it is the role. */
export function targetOf({ role }: Configuration, rule: Rule): string {
  const bucket = textOf(childOf(rule, 'Destination'), 'Bucket')
  return bucket.startsWith('arn:minio:') || role === '' ? bucket : role
}

/** Returns a rule in the form of the contract. */
export function wireRule(configuration: Configuration, rule: Rule): ReplicationRule {
  const filter = childOf(rule, 'Filter')
  const and = childOf(filter, 'And')
  const tags = childrenOf(and ?? filter, 'Tag').map((tag): [string, string] => [
    textOf(tag, 'Key'),
    textOf(tag, 'Value'),
  ])
  const isOn = (node: XmlNode | undefined, name: string) => textOf(childOf(node, name), 'Status') === 'Enabled'
  const target = targetOf(configuration, rule)
  return {
    id: idOf(rule),
    status: textOf(rule, 'Status'),
    priority: priorityOf(rule),
    prefix: textOf(and, 'Prefix') || textOf(filter, 'Prefix') || textOf(rule, 'Prefix'),
    tags: new URLSearchParams(tags).toString(),
    destination: { bucket: `arn:aws:s3:::${target.slice(target.lastIndexOf(':') + 1)}` },
    target_arn: target,
    storage_class: textOf(childOf(rule, 'Destination'), 'StorageClass'),
    delete_marker_replication: isOn(rule, 'DeleteMarkerReplication'),
    deletes_replication: isOn(rule, 'DeleteReplication'),
    metadata_replication: isOn(childOf(rule, 'SourceSelectionCriteria'), 'ReplicaModifications'),
    existing_objects_replication: isOn(rule, 'ExistingObjectReplication'),
  }
}
