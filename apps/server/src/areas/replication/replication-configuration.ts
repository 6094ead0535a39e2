import type { ReplicationRule } from '@stowage/contract'
import { toStorageError } from '../../lib/errors/storage-errors.ts'
import type { S3Stream } from '../../lib/storage/s3-stream.ts'
import { childOf, childrenOf, escapeXml, parseStorageXml, type XmlNode, xmlText } from '../../lib/xml/storage-xml.ts'

/*
 * The replication configuration of a bucket. The SDK drops the elements that MinIO adds, so the XML is read and written here,
 * and unknown elements are kept.
 */

type Elements = { [name: string]: XmlNode | XmlNode[] }
export type ReplicationRuleXml = Elements

export interface ReplicationConfiguration {
  role: string
  rules: ReplicationRuleXml[]
}

const query = { replication: '' }

/** Returns no rules if the bucket has no configuration. @throws UpstreamError NoSuchBucket, AccessDenied */
export async function readReplicationConfiguration(
  s3Stream: S3Stream,
  bucket: string,
): Promise<ReplicationConfiguration> {
  try {
    const { node } = parseStorageXml(await s3Stream.text({ method: 'GET', bucket, query }))
    const rules = childrenOf(node, 'Rule').filter((rule): rule is ReplicationRuleXml => typeof rule !== 'string')
    return { role: xmlText(node, 'Role'), rules }
  } catch (error) {
    if (toStorageError(error)?.code === 'ReplicationConfigurationNotFoundError') return { role: '', rules: [] }
    throw error
  }
}

/** Replaces the configuration. Without rules, it is deleted. */
export async function writeReplicationConfiguration(
  s3Stream: S3Stream,
  bucket: string,
  { role, rules }: ReplicationConfiguration,
): Promise<void> {
  if (rules.length === 0) {
    await s3Stream.text({ method: 'DELETE', bucket, query })
    return
  }
  const content = elementXml('Role', role) + rules.map((rule) => elementXml('Rule', rule)).join('')
  const body = `<ReplicationConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</ReplicationConfiguration>`
  await s3Stream.text({ method: 'PUT', bucket, query, headers: { 'content-type': 'application/xml' }, body })
}

function elementXml(name: string, node: XmlNode): string {
  if (typeof node === 'string') return `<${name}>${escapeXml(node)}</${name}>`
  const content = Object.entries(node).flatMap(([child, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => elementXml(child, one)),
  )
  return `<${name}>${content.join('')}</${name}>`
}

export interface ReplicationRuleSettings {
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

const statusElement = (on: boolean) => ({ Status: on ? 'Enabled' : 'Disabled' })

/** Returns a rule with these settings; other settings of `rule` are kept. */
export function withRuleSettings(rule: ReplicationRuleXml, settings: ReplicationRuleSettings): ReplicationRuleXml {
  const destination = childOf(rule, 'Destination')
  const place: Elements = typeof destination === 'object' ? { ...destination } : {}
  if (settings.storageClass !== undefined) place.StorageClass = settings.storageClass
  if (place.StorageClass === '') delete place.StorageClass
  const { Prefix: _, ...rest } = rule
  return {
    ...rest,
    Status: settings.enabled ? 'Enabled' : 'Disabled',
    Priority: String(settings.priority),
    DeleteMarkerReplication: statusElement(settings.deleteMarkers),
    DeleteReplication: statusElement(settings.deletes),
    Destination: place,
    SourceSelectionCriteria: { ReplicaModifications: statusElement(settings.metadata) },
    Filter: filterElement(settings),
    ExistingObjectReplication: statusElement(settings.existingObjects),
  }
}

function filterElement({ prefix, tags }: ReplicationRuleSettings): Elements {
  const entries = parseRuleTags(tags).map(([Key, Value]) => ({ Key, Value }))
  const [only] = entries
  if (!only) return { Prefix: prefix }
  if (entries.length === 1 && prefix === '') return { Tag: only }
  return { And: { Prefix: prefix, Tag: entries } }
}

/** Pairs without a key or a value are dropped. */
export function parseRuleTags(text: string): [key: string, value: string][] {
  return [...new URLSearchParams(text)].filter(([key, value]) => key !== '' && value !== '')
}

export const replicationRuleId = (rule: ReplicationRuleXml): string => xmlText(rule, 'ID')
export const replicationRulePriority = (rule: ReplicationRuleXml): number => Number(xmlText(rule, 'Priority')) || 0

/** Returns the target of a rule; in configurations of old servers it is the role. */
export function replicationRuleTarget({ role }: ReplicationConfiguration, rule: ReplicationRuleXml): string {
  const bucket = xmlText(childOf(rule, 'Destination'), 'Bucket')
  return bucket.startsWith('arn:minio:') || role === '' ? bucket : role
}

/** Returns a rule in the form of the contract. */
export function wireReplicationRule(
  configuration: ReplicationConfiguration,
  rule: ReplicationRuleXml,
): ReplicationRule {
  const filter = childOf(rule, 'Filter')
  const and = childOf(filter, 'And')
  const tags = childrenOf(and ?? filter, 'Tag').map((tag): [string, string] => [
    xmlText(tag, 'Key'),
    xmlText(tag, 'Value'),
  ])
  const isOn = (node: XmlNode | undefined, name: string) => xmlText(childOf(node, name), 'Status') === 'Enabled'
  const target = replicationRuleTarget(configuration, rule)
  return {
    id: replicationRuleId(rule),
    status: xmlText(rule, 'Status'),
    priority: replicationRulePriority(rule),
    prefix: xmlText(and, 'Prefix') || xmlText(filter, 'Prefix') || xmlText(rule, 'Prefix'),
    tags: new URLSearchParams(tags).toString(),
    destination: { bucket: `arn:aws:s3:::${target.slice(target.lastIndexOf(':') + 1)}` },
    target_arn: target,
    storage_class: xmlText(childOf(rule, 'Destination'), 'StorageClass'),
    delete_marker_replication: isOn(rule, 'DeleteMarkerReplication'),
    deletes_replication: isOn(rule, 'DeleteReplication'),
    metadata_replication: isOn(childOf(rule, 'SourceSelectionCriteria'), 'ReplicaModifications'),
    existing_objects_replication: isOn(rule, 'ExistingObjectReplication'),
  }
}
