import { child, children, childText, readXml, type XmlNode, XmlSyntaxError } from '../xml.ts'
import type { LifecycleFilter, LifecycleRule, OtherElements } from './rule.ts'

/** A lifecycle document that cannot be parsed. */
export class LifecycleError extends Error {
  override readonly name = 'LifecycleError'
}

const ROOTS = ['LifecycleConfiguration', 'BucketLifecycleConfiguration']

/**
 * Parses the rules of a lifecycle document of MinIO or its forks. The store decides whether they make sense.
 * @throws LifecycleError
 */
export function readLifecycle(document: string): LifecycleRule[] {
  const { name, node } = parse(document)
  if (!ROOTS.includes(name)) throw new LifecycleError(`The root element is ${name}.`)
  return children(node, 'Rule').map(readRule)
}

export function writeLifecycle(rules: readonly LifecycleRule[]): string {
  const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'
  return `<LifecycleConfiguration xmlns="${namespace}">${rules.map(writeRule).join('')}</LifecycleConfiguration>`
}

function parse(document: string) {
  try {
    return readXml(document)
  } catch (cause) {
    if (cause instanceof XmlSyntaxError) throw new LifecycleError('The document is not well-formed.', { cause })
    throw cause
  }
}

const RULE = new Set([
  'ID',
  'Status',
  'Prefix',
  'Filter',
  'Expiration',
  'DelMarkerExpiration',
  'NoncurrentVersionExpiration',
  'Transition',
  'NoncurrentVersionTransition',
  'AbortIncompleteMultipartUpload',
])

function readRule(node: XmlNode): LifecycleRule {
  const status = childText(node, 'Status')
  if (status !== 'Enabled' && status !== 'Disabled') throw new LifecycleError('Status must be Enabled or Disabled.')
  const filter = child(node, 'Filter')
  const oldPrefix = childText(node, 'Prefix')
  // MinIO writes an empty Prefix next to a Filter.
  const hasOldPrefix = oldPrefix !== undefined && (filter === undefined || oldPrefix !== '')
  if (hasOldPrefix && filter !== undefined) throw new LifecycleError('A rule has either a Filter or a Prefix.')
  const expiration = child(node, 'Expiration')
  const noncurrent = child(node, 'NoncurrentVersionExpiration')
  const deleteMarkerDays = numberIn(child(node, 'DelMarkerExpiration'), 'Days')
  const abortUploadsDays = numberIn(child(node, 'AbortIncompleteMultipartUpload'), 'DaysAfterInitiation')
  return {
    id: childText(node, 'ID') ?? '',
    enabled: status === 'Enabled',
    filter: hasOldPrefix ? { prefix: oldPrefix, tags: {}, others: {} } : readFilter(filter),
    hasOldPrefix,
    ...(expiration !== undefined && { expiration: readExpiration(expiration) }),
    ...(deleteMarkerDays !== undefined && { deleteMarkerDays }),
    ...(noncurrent !== undefined && { noncurrentExpiration: readNoncurrent(noncurrent, 'NoncurrentDays') }),
    transitions: children(node, 'Transition').map((transition) => ({
      ...readTime(transition),
      storageClass: childText(transition, 'StorageClass') ?? '',
    })),
    noncurrentTransitions: children(node, 'NoncurrentVersionTransition').map((transition) => ({
      ...readNoncurrent(transition, 'NoncurrentDays'),
      storageClass: childText(transition, 'StorageClass') ?? '',
    })),
    ...(abortUploadsDays !== undefined && { abortUploadsDays }),
    others: othersIn(node, RULE),
  }
}

const FILTER = new Set(['Prefix', 'Tag', 'ObjectSizeGreaterThan', 'ObjectSizeLessThan', 'And'])

function readFilter(filter: XmlNode | undefined): LifecycleFilter {
  const and = child(filter, 'And')
  // Some clients write an empty Prefix next to another element.
  const own =
    typeof filter === 'object' ? Object.keys(filter).filter((name) => name !== 'And' && filter[name] !== '') : []
  if (own.length > (and === undefined ? 1 : 0)) throw new LifecycleError('A Filter has one member, or And.')
  const node = and ?? filter
  const pairs = children(node, 'Tag').map((tag): [string, string] => [
    childText(tag, 'Key') ?? '',
    childText(tag, 'Value') ?? '',
  ])
  const tags = Object.fromEntries(pairs)
  if (Object.keys(tags).length < pairs.length) throw new LifecycleError('A Filter names a tag twice.')
  const sizeGreaterThan = numberIn(node, 'ObjectSizeGreaterThan')
  const sizeLessThan = numberIn(node, 'ObjectSizeLessThan')
  return {
    prefix: childText(node, 'Prefix') ?? '',
    tags,
    ...(and !== undefined && { isAnd: true }),
    ...(sizeGreaterThan !== undefined && { sizeGreaterThan }),
    ...(sizeLessThan !== undefined && { sizeLessThan }),
    others: othersIn(node, FILTER),
  }
}

function readExpiration(node: XmlNode): NonNullable<LifecycleRule['expiration']> {
  const deleteMarkers = switchIn(node, 'ExpiredObjectDeleteMarker')
  const allVersions = switchIn(node, 'ExpiredObjectAllVersions')
  return {
    ...readTime(node),
    ...(deleteMarkers && { deleteMarkers }),
    ...(allVersions && { allVersions }),
  }
}

function readNoncurrent(node: XmlNode, daysName: string) {
  const days = numberIn(node, daysName)
  const newerVersions = numberIn(node, 'NewerNoncurrentVersions')
  return { ...(days !== undefined && { days }), ...(newerVersions !== undefined && { newerVersions }) }
}

function readTime(node: XmlNode): { days?: number; date?: number } {
  const days = numberIn(node, 'Days')
  const text = childText(node, 'Date')?.trim()
  const date = text === undefined ? undefined : readDate(text)
  return { ...(days !== undefined && { days }), ...(date !== undefined && { date }) }
}

const DATE = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** `Date` reads 31 February as 3 March. */
function readDate(text: string): number {
  const day = DATE.exec(text)?.[1]
  const time = Date.parse(text)
  if (day === undefined || Number.isNaN(time) || new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day) {
    throw new LifecycleError(`${text} is not a date.`)
  }
  return time
}

function numberIn(node: XmlNode | undefined, name: string): number | undefined {
  const text = childText(node, name)?.trim()
  if (text === undefined) return undefined
  if (!/^-?\d{1,15}$/.test(text)) throw new LifecycleError(`${name} must be a whole number.`)
  return Number(text)
}

function switchIn(node: XmlNode, name: string): boolean {
  const text = childText(node, name)?.trim().toLowerCase()
  if (text === undefined || text === '' || text === 'false') return false
  if (text !== 'true') throw new LifecycleError(`${name} must be true or false.`)
  return true
}

function othersIn(node: XmlNode | undefined, known: ReadonlySet<string>): OtherElements {
  if (node === undefined || typeof node === 'string') return {}
  return Object.fromEntries(Object.entries(node).filter(([name]) => !known.has(name)))
}

function writeRule(rule: LifecycleRule): string {
  const { expiration, noncurrentExpiration } = rule
  return element('Rule', [
    text('ID', rule.id || undefined),
    text('Status', rule.enabled ? 'Enabled' : 'Disabled'),
    rule.hasOldPrefix ? `<Prefix>${escaped(rule.filter.prefix)}</Prefix>` : writeFilter(rule.filter),
    expiration &&
      element('Expiration', [
        ...time(expiration),
        expiration.deleteMarkers && text('ExpiredObjectDeleteMarker', 'true'),
        expiration.allVersions && text('ExpiredObjectAllVersions', 'true'),
      ]),
    rule.deleteMarkerDays !== undefined && element('DelMarkerExpiration', [text('Days', rule.deleteMarkerDays)]),
    noncurrentExpiration && element('NoncurrentVersionExpiration', noncurrent(noncurrentExpiration)),
    ...rule.transitions.map((transition) =>
      element('Transition', [...time(transition), text('StorageClass', transition.storageClass)]),
    ),
    ...rule.noncurrentTransitions.map((transition) =>
      element('NoncurrentVersionTransition', [
        ...noncurrent(transition),
        text('StorageClass', transition.storageClass),
      ]),
    ),
    rule.abortUploadsDays !== undefined &&
      element('AbortIncompleteMultipartUpload', [text('DaysAfterInitiation', rule.abortUploadsDays)]),
    writeOthers(rule.others),
  ])
}

function writeFilter({ prefix, tags, sizeGreaterThan, sizeLessThan, others, isAnd }: LifecycleFilter): string {
  const members = [
    text('Prefix', prefix || undefined),
    ...Object.entries(tags).map(([key, value]) => element('Tag', [text('Key', key), text('Value', value)])),
    text('ObjectSizeGreaterThan', sizeGreaterThan),
    text('ObjectSizeLessThan', sizeLessThan),
    writeOthers(others),
  ].filter((member) => member !== '')
  if (members.length === 0) return '<Filter><Prefix></Prefix></Filter>'
  return element('Filter', members.length === 1 && !isAnd ? members : [element('And', members)])
}

function time({ days, date }: { days?: number | undefined; date?: number | undefined }): string[] {
  const at = date === undefined ? undefined : new Date(date).toISOString().replace('.000Z', 'Z')
  return [text('Days', days), text('Date', at)]
}

function noncurrent({ days, newerVersions }: { days?: number; newerVersions?: number }): string[] {
  return [text('NoncurrentDays', days), text('NewerNoncurrentVersions', newerVersions)]
}

function writeOthers(others: OtherElements): string {
  return Object.entries(others)
    .flatMap(([name, nodes]) => (Array.isArray(nodes) ? nodes : [nodes]).map((node) => writeNode(name, node)))
    .join('')
}

function writeNode(name: string, node: XmlNode): string {
  return typeof node === 'string' ? `<${name}>${escaped(node)}</${name}>` : element(name, [writeOthers(node)])
}

function element(name: string, content: (string | false | undefined)[]): string {
  return `<${name}>${content.filter((part) => part !== false && part !== undefined).join('')}</${name}>`
}

function text(name: string, value: string | number | undefined): string {
  return value === undefined ? '' : `<${name}>${typeof value === 'number' ? value : escaped(value)}</${name}>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escaped(value: string): string {
  return value
    .replace(/[&<>]/g, (character) => ENTITIES[character] ?? '')
    .replace(/[\u0001-\u001f]/g, (character) => `&#${character.charCodeAt(0)};`)
}
