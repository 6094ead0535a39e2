import { children, readXml, type XmlNode, XmlSyntaxError, xmlChild, xmlChildText } from '../formats/xml.ts'
import type { LifecycleFilter, S3LifecycleRule, UnknownElements } from './lifecycle-rule.ts'

/** A lifecycle document that cannot be parsed. */
export class LifecycleError extends Error {
  override readonly name = 'LifecycleError'
}

const ROOTS = ['LifecycleConfiguration', 'BucketLifecycleConfiguration']

/**
 * Parses the rules of a lifecycle document of MinIO or its forks. The store decides whether they make sense.
 * @throws LifecycleError
 */
export function readLifecycle(document: string): S3LifecycleRule[] {
  const { name, node } = parse(document)
  if (!ROOTS.includes(name)) throw new LifecycleError(`The root element is ${name}.`)
  return children(node, 'Rule').map(readRule)
}

export function writeLifecycle(rules: readonly S3LifecycleRule[]): string {
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

function readRule(node: XmlNode): S3LifecycleRule {
  const status = xmlChildText(node, 'Status')
  if (status !== 'Enabled' && status !== 'Disabled') throw new LifecycleError('Status must be Enabled or Disabled.')
  const filter = xmlChild(node, 'Filter')
  const oldPrefix = xmlChildText(node, 'Prefix')
  // MinIO writes an empty Prefix next to a Filter.
  const hasOldPrefix = oldPrefix !== undefined && (filter === undefined || oldPrefix !== '')
  if (hasOldPrefix && filter !== undefined) throw new LifecycleError('A rule has either a Filter or a Prefix.')
  const expiration = xmlChild(node, 'Expiration')
  const noncurrent = xmlChild(node, 'NoncurrentVersionExpiration')
  const deleteMarkerDays = readNumber(xmlChild(node, 'DelMarkerExpiration'), 'Days')
  const abortUploadsDays = readNumber(xmlChild(node, 'AbortIncompleteMultipartUpload'), 'DaysAfterInitiation')
  return {
    id: xmlChildText(node, 'ID') ?? '',
    enabled: status === 'Enabled',
    filter: hasOldPrefix ? { prefix: oldPrefix, tags: {}, others: {} } : readFilter(filter),
    hasOldPrefix,
    ...(expiration !== undefined && { expiration: readExpiration(expiration) }),
    ...(deleteMarkerDays !== undefined && { deleteMarkerDays }),
    ...(noncurrent !== undefined && { noncurrentExpiration: readNoncurrent(noncurrent, 'NoncurrentDays') }),
    transitions: children(node, 'Transition').map((transition) => ({
      ...readTime(transition),
      storageClass: xmlChildText(transition, 'StorageClass') ?? '',
    })),
    noncurrentTransitions: children(node, 'NoncurrentVersionTransition').map((transition) => ({
      ...readNoncurrent(transition, 'NoncurrentDays'),
      storageClass: xmlChildText(transition, 'StorageClass') ?? '',
    })),
    ...(abortUploadsDays !== undefined && { abortUploadsDays }),
    others: readUnknownElements(node, RULE),
  }
}

const FILTER = new Set(['Prefix', 'Tag', 'ObjectSizeGreaterThan', 'ObjectSizeLessThan', 'And'])

function readFilter(filter: XmlNode | undefined): LifecycleFilter {
  const and = xmlChild(filter, 'And')
  // Some clients write an empty Prefix next to another element.
  const own =
    typeof filter === 'object' ? Object.keys(filter).filter((name) => name !== 'And' && filter[name] !== '') : []
  if (own.length > (and === undefined ? 1 : 0)) throw new LifecycleError('A Filter has one member, or And.')
  const node = and ?? filter
  const pairs = children(node, 'Tag').map((tag): [string, string] => [
    xmlChildText(tag, 'Key') ?? '',
    xmlChildText(tag, 'Value') ?? '',
  ])
  const tags = Object.fromEntries(pairs)
  if (Object.keys(tags).length < pairs.length) throw new LifecycleError('A Filter names a tag twice.')
  const sizeGreaterThan = readNumber(node, 'ObjectSizeGreaterThan')
  const sizeLessThan = readNumber(node, 'ObjectSizeLessThan')
  return {
    prefix: xmlChildText(node, 'Prefix') ?? '',
    tags,
    ...(and !== undefined && { isAnd: true }),
    ...(sizeGreaterThan !== undefined && { sizeGreaterThan }),
    ...(sizeLessThan !== undefined && { sizeLessThan }),
    others: readUnknownElements(node, FILTER),
  }
}

function readExpiration(node: XmlNode): NonNullable<S3LifecycleRule['expiration']> {
  const deleteMarkers = readSwitch(node, 'ExpiredObjectDeleteMarker')
  const allVersions = readSwitch(node, 'ExpiredObjectAllVersions')
  return {
    ...readTime(node),
    ...(deleteMarkers && { deleteMarkers }),
    ...(allVersions && { allVersions }),
  }
}

function readNoncurrent(node: XmlNode, daysName: string) {
  const days = readNumber(node, daysName)
  const newerVersions = readNumber(node, 'NewerNoncurrentVersions')
  return { ...(days !== undefined && { days }), ...(newerVersions !== undefined && { newerVersions }) }
}

function readTime(node: XmlNode): { days?: number; date?: number } {
  const days = readNumber(node, 'Days')
  const text = xmlChildText(node, 'Date')?.trim()
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

function readNumber(node: XmlNode | undefined, name: string): number | undefined {
  const text = xmlChildText(node, name)?.trim()
  if (text === undefined) return undefined
  if (!/^-?\d{1,15}$/.test(text)) throw new LifecycleError(`${name} must be a whole number.`)
  return Number(text)
}

function readSwitch(node: XmlNode, name: string): boolean {
  const text = xmlChildText(node, name)?.trim().toLowerCase()
  if (text === undefined || text === '' || text === 'false') return false
  if (text !== 'true') throw new LifecycleError(`${name} must be true or false.`)
  return true
}

function readUnknownElements(node: XmlNode | undefined, known: ReadonlySet<string>): UnknownElements {
  if (node === undefined || typeof node === 'string') return {}
  return Object.fromEntries(Object.entries(node).filter(([name]) => !known.has(name)))
}

function writeRule(rule: S3LifecycleRule): string {
  const { expiration, noncurrentExpiration } = rule
  return writeElement('Rule', [
    writeText('ID', rule.id || undefined),
    writeText('Status', rule.enabled ? 'Enabled' : 'Disabled'),
    rule.hasOldPrefix ? `<Prefix>${escapeText(rule.filter.prefix)}</Prefix>` : writeFilter(rule.filter),
    expiration &&
      writeElement('Expiration', [
        ...writeTime(expiration),
        expiration.deleteMarkers && writeText('ExpiredObjectDeleteMarker', 'true'),
        expiration.allVersions && writeText('ExpiredObjectAllVersions', 'true'),
      ]),
    rule.deleteMarkerDays !== undefined &&
      writeElement('DelMarkerExpiration', [writeText('Days', rule.deleteMarkerDays)]),
    noncurrentExpiration && writeElement('NoncurrentVersionExpiration', writeNoncurrent(noncurrentExpiration)),
    ...rule.transitions.map((transition) =>
      writeElement('Transition', [...writeTime(transition), writeText('StorageClass', transition.storageClass)]),
    ),
    ...rule.noncurrentTransitions.map((transition) =>
      writeElement('NoncurrentVersionTransition', [
        ...writeNoncurrent(transition),
        writeText('StorageClass', transition.storageClass),
      ]),
    ),
    rule.abortUploadsDays !== undefined &&
      writeElement('AbortIncompleteMultipartUpload', [writeText('DaysAfterInitiation', rule.abortUploadsDays)]),
    writeUnknownElements(rule.others),
  ])
}

function writeFilter({ prefix, tags, sizeGreaterThan, sizeLessThan, others, isAnd }: LifecycleFilter): string {
  const members = [
    writeText('Prefix', prefix || undefined),
    ...Object.entries(tags).map(([key, value]) =>
      writeElement('Tag', [writeText('Key', key), writeText('Value', value)]),
    ),
    writeText('ObjectSizeGreaterThan', sizeGreaterThan),
    writeText('ObjectSizeLessThan', sizeLessThan),
    writeUnknownElements(others),
  ].filter((member) => member !== '')
  if (members.length === 0) return '<Filter><Prefix></Prefix></Filter>'
  return writeElement('Filter', members.length === 1 && !isAnd ? members : [writeElement('And', members)])
}

function writeTime({ days, date }: { days?: number | undefined; date?: number | undefined }): string[] {
  const at = date === undefined ? undefined : new Date(date).toISOString().replace('.000Z', 'Z')
  return [writeText('Days', days), writeText('Date', at)]
}

function writeNoncurrent({ days, newerVersions }: { days?: number; newerVersions?: number }): string[] {
  return [writeText('NoncurrentDays', days), writeText('NewerNoncurrentVersions', newerVersions)]
}

function writeUnknownElements(others: UnknownElements): string {
  return Object.entries(others)
    .flatMap(([name, nodes]) => (Array.isArray(nodes) ? nodes : [nodes]).map((node) => writeNode(name, node)))
    .join('')
}

function writeNode(name: string, node: XmlNode): string {
  return typeof node === 'string'
    ? `<${name}>${escapeText(node)}</${name}>`
    : writeElement(name, [writeUnknownElements(node)])
}

function writeElement(name: string, content: (string | false | undefined)[]): string {
  return `<${name}>${content.filter((part) => part !== false && part !== undefined).join('')}</${name}>`
}

function writeText(name: string, value: string | number | undefined): string {
  return value === undefined ? '' : `<${name}>${typeof value === 'number' ? value : escapeText(value)}</${name}>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escapeText(value: string): string {
  return value
    .replace(/[&<>]/g, (character) => ENTITIES[character] ?? '')
    .replace(/[\u0001-\u001f]/g, (character) => `&#${character.charCodeAt(0)};`)
}
