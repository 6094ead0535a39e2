import { S3Error } from '../lib/errors.ts'
import {
  children,
  optionalXmlTag,
  parseXml,
  s3Document,
  type XmlNode,
  type XmlRootContent,
  xmlChild,
  xmlChildText,
  xmlTag,
} from '../lib/xml.ts'
import type { SettingCodec } from './setting-codec.ts'

/** A rule that replicates objects and their changes to a remote target. */
export interface BucketReplicationRule {
  id: string
  enabled: boolean
  /** Of several matching rules for a target, the one with the highest number applies. */
  priority: number
  prefix: string
  tags: Readonly<Record<string, string>>
  /** `arn:minio:replication:<region>:<id>:<bucket>`: a remote target of the bucket. */
  target: string
  storageClass: string
  deleteMarkers: boolean
  /** Deletions of versions. */
  deletes: boolean
  /** Includes objects from before the rule, when the bucket is resynced. */
  existingObjects: boolean
  /** Changes of tags, retention and legal hold that are made here to objects that came from elsewhere. */
  replicaModifications: boolean
}
export interface ReplicationSetting {
  role: string
  rules: readonly BucketReplicationRule[]
}

const MAX_RULES = 1000
const MAX_ID = 255
const MAX_PREFIX = 1024
const MAX_TAGS = 10
const ARN = /^arn:minio:replication:([^:]*):([0-9a-f-]{36}):([^:]+)$/i

/** The parts of a target's ARN; undefined for a text that is not one. */
export function parseTargetArn(arn: string): { region: string; id: string; bucket: string } | undefined {
  const [, region, id, bucket] = ARN.exec(arn) ?? []
  return region === undefined || id === undefined || bucket === undefined ? undefined : { region, id, bucket }
}

export const replicationCodec: SettingCodec<ReplicationSetting> = {
  read(document) {
    const root = parseXml(document, 'ReplicationConfiguration')
    const role = xmlChildText(root, 'Role') ?? ''
    const nodes = children(root, 'Rule')
    if (nodes.length === 0) throw malformed('Replication configuration should have at least one rule')
    if (nodes.length > MAX_RULES) throw malformed(`Replication configuration allows a maximum of ${MAX_RULES} rules`)
    const rules = nodes.map((node) => readRule(node, role))
    checkUniqueRules(rules)
    return { role, rules }
  },
  write({ role, rules }) {
    return s3Document(
      'ReplicationConfiguration',
      xmlTag('Role', role) + rules.map((rule) => writeRule(rule, role)).join(''),
    )
  },
}

function checkUniqueRules(rules: readonly BucketReplicationRule[]): void {
  const ids = rules.map(({ id }) => id).filter((id) => id !== '')
  if (new Set(ids).size < ids.length) throw malformed('Rule ID must be unique')
  if (new Set(rules.map(({ priority }) => priority)).size < rules.length) {
    throw malformed('Replication configuration has duplicate priority')
  }
}

function readRule(node: XmlNode, role: string): BucketReplicationRule {
  const id = xmlChildText(node, 'ID') ?? ''
  if (id.length > MAX_ID) throw malformed('ID must be less than 255 characters')
  const status = readStatus(xmlChildText(node, 'Status'), 'Status')
  if (status === undefined) throw malformed('Status should not be empty')
  const priorityText = xmlChildText(node, 'Priority') ?? '0'
  if (!/^\d{1,9}$/.test(priorityText)) throw malformed('Priority must be specified')
  const filter = readFilter(node)
  const deleteMarkers = readFlag(node, 'DeleteMarkerReplication')
  if (deleteMarkers === undefined) throw malformed('DeleteMarkerReplication must be specified')
  if (deleteMarkers && Object.keys(filter.tags).length > 0) {
    throw malformed('Delete marker replication is not supported if any Tag filter is specified')
  }
  const destination = xmlChild(node, 'Destination')
  const bucket = xmlChildText(destination, 'Bucket') ?? ''
  const target = parseTargetArn(bucket) ? bucket : role
  if (!parseTargetArn(target)) throw malformed('Missing required parameter `Destination` in Replication rule')
  return {
    id,
    enabled: status,
    priority: Number(priorityText),
    ...filter,
    target,
    storageClass: xmlChildText(destination, 'StorageClass') ?? '',
    deleteMarkers,
    deletes: readFlag(node, 'DeleteReplication') ?? false,
    existingObjects: readFlag(node, 'ExistingObjectReplication') ?? false,
    replicaModifications: readFlag(xmlChild(node, 'SourceSelectionCriteria'), 'ReplicaModifications') ?? true,
  }
}

function readFilter(node: XmlNode): Pick<BucketReplicationRule, 'prefix' | 'tags'> {
  const filter = xmlChild(node, 'Filter')
  const and = xmlChild(filter, 'And')
  const prefix = xmlChildText(and, 'Prefix') ?? xmlChildText(filter, 'Prefix') ?? xmlChildText(node, 'Prefix') ?? ''
  if (Buffer.byteLength(prefix) > MAX_PREFIX) throw malformed('The prefix of a filter is too long')
  const nodes = and === undefined ? children(filter, 'Tag') : children(and, 'Tag')
  const tags = nodes.map((entry): [string, string] => [
    xmlChildText(entry, 'Key') ?? '',
    xmlChildText(entry, 'Value') ?? '',
  ])
  if (tags.length > MAX_TAGS || tags.some(([key]) => key === '' || key.length > 128)) throw malformed('Invalid Tag')
  if (new Set(tags.map(([key]) => key)).size < tags.length) throw malformed('Duplicate Tag Keys are not allowed')
  return { prefix, tags: Object.fromEntries(tags) }
}

/** The text of `Status` in an element; undefined if it is absent. */
function readFlag(node: XmlNode | XmlRootContent | undefined, name: string): boolean | undefined {
  const element = xmlChild(node, name)
  return element === undefined ? undefined : (readStatus(xmlChildText(element, 'Status'), name) ?? false)
}

function readStatus(text: string | undefined, name: string): boolean | undefined {
  if (text === undefined || text === '') return undefined
  if (text === 'Enabled' || text === 'Disabled') return text === 'Enabled'
  throw malformed(`The status of ${name} must be Enabled or Disabled`)
}

function writeRule(rule: BucketReplicationRule, role: string): string {
  const status = (name: string, on: boolean) => `<${name}>${xmlTag('Status', on ? 'Enabled' : 'Disabled')}</${name}>`
  const bucket = rule.target === role ? `arn:aws:s3:::${parseTargetArn(role)?.bucket ?? ''}` : rule.target
  const destination = xmlTag('Bucket', bucket) + optionalXmlTag('StorageClass', rule.storageClass)
  return (
    `<Rule>${xmlTag('ID', rule.id)}${xmlTag('Status', rule.enabled ? 'Enabled' : 'Disabled')}${xmlTag('Priority', rule.priority)}` +
    `${status('DeleteMarkerReplication', rule.deleteMarkers)}${status('DeleteReplication', rule.deletes)}` +
    `<Destination>${destination}</Destination>` +
    `<SourceSelectionCriteria>${status('ReplicaModifications', rule.replicaModifications)}</SourceSelectionCriteria>` +
    `${writeFilter(rule)}${status('ExistingObjectReplication', rule.existingObjects)}</Rule>`
  )
}

function writeFilter({ prefix, tags }: BucketReplicationRule): string {
  const entries = Object.entries(tags)
  const written = entries.map(([key, value]) => `<Tag>${xmlTag('Key', key)}${xmlTag('Value', value)}</Tag>`).join('')
  if (entries.length === 0) return `<Filter>${xmlTag('Prefix', prefix)}</Filter>`
  if (entries.length === 1 && prefix === '') return `<Filter>${written}</Filter>`
  return `<Filter><And>${xmlTag('Prefix', prefix)}${written}</And></Filter>`
}

function malformed(message: string): S3Error {
  return new S3Error('MalformedXML', message)
}

/** A change of a version, for deciding whether a rule sends it. */
export interface ReplicatedChange {
  key: string
  tags: Readonly<Record<string, string>>
  kind: 'object' | 'metadata' | 'marker' | 'delete' | 'existing'
  /** The version came from another store. */
  replica: boolean
}

/** Returns the IDs of the targets of a change: for each target, the matching rule with the highest priority decides. */
export function replicationTargetIds({ rules }: ReplicationSetting, change: ReplicatedChange): string[] {
  const decided = new Map<string, boolean>()
  for (const rule of [...rules].sort((a, b) => b.priority - a.priority)) {
    const id = parseTargetArn(rule.target)?.id
    if (id === undefined || decided.has(id) || !matchesRule(rule, change)) continue
    decided.set(id, ruleReplicates(rule, change))
  }
  return [...decided].flatMap(([id, sent]) => (sent ? [id] : []))
}

function matchesRule(
  { enabled, prefix, tags }: BucketReplicationRule,
  { key, tags: own, kind }: ReplicatedChange,
): boolean {
  if (!enabled || !key.startsWith(prefix)) return false
  // A marker has no tags, and what is removed has none any more.
  if (kind === 'marker') return Object.keys(tags).length === 0
  return Object.entries(tags).every(([name, value]) => Object.hasOwn(own, name) && own[name] === value)
}

function ruleReplicates(rule: BucketReplicationRule, { kind, replica }: ReplicatedChange): boolean {
  switch (kind) {
    case 'object':
      return !replica
    case 'existing':
      return !replica && rule.existingObjects
    case 'metadata':
      return !replica || rule.replicaModifications
    case 'marker':
      return !replica && rule.deleteMarkers
    case 'delete':
      return rule.deletes
  }
}
