import { S3Error } from '../lib/errors.ts'
import { children, parseXml, s3Document, type XmlNode, xmlChild, xmlChildText, xmlTag } from '../lib/xml.ts'
import { isEventPattern } from './event-names.ts'
import type { SettingCodec } from './setting-codec.ts'

/** A rule that sends events of a bucket to a target. */
export interface NotificationRule {
  /** The ID that the author gave; may be empty. */
  id: string
  /** ARN of the target: `arn:minio:sqs::primary:webhook`. */
  arn: string
  /** Names, or patterns that end with `*`. */
  events: readonly string[]
  prefix: string
  suffix: string
}
export type NotificationSetting = readonly NotificationRule[]

const MAX_RULES = 100
const MAX_FILTER = 1024
/** Kinds of targets that this family of servers does not have. */
const UNSUPPORTED = ['TopicConfiguration', 'CloudFunctionConfiguration', 'LambdaFunctionConfiguration']

export const notificationCodec: SettingCodec<NotificationSetting> = {
  read(document) {
    const root = parseXml(document, 'NotificationConfiguration')
    if (UNSUPPORTED.some((name) => xmlChild(root, name) !== undefined)) {
      throw new S3Error('UnsupportedNotification', 'Only QueueConfiguration is supported.')
    }
    const nodes = children(root, 'QueueConfiguration')
    if (nodes.length > MAX_RULES) throw invalid(`A bucket can have ${MAX_RULES} notification rules.`)
    return nodes.map(readRule)
  },
  write(rules) {
    return s3Document('NotificationConfiguration', rules.map(writeRule).join(''))
  },
}

function readRule(node: XmlNode): NotificationRule {
  const arn = xmlChildText(node, 'Queue') ?? ''
  if (arn === '') throw new S3Error('MalformedXML', 'A QueueConfiguration needs a Queue.')
  const events = children(node, 'Event').map((event) => (typeof event === 'string' ? event : ''))
  if (events.length === 0) throw new S3Error('MalformedXML', 'A QueueConfiguration needs an Event.')
  const unknown = events.find((event) => !isEventPattern(event))
  if (unknown !== undefined) throw invalid(`A specified event is not supported for notifications: ${unknown}`)
  if (new Set(events).size < events.length) throw invalid('An event is named twice.')
  const filters = children(xmlChild(xmlChild(node, 'Filter'), 'S3Key'), 'FilterRule')
  const filter = (name: string) => {
    const found = filters.filter((rule) => xmlChildText(rule, 'Name')?.toLowerCase() === name)
    if (found.length > 1) throw invalid(`A filter has one ${name}.`)
    const value = xmlChildText(found[0], 'Value') ?? ''
    if (Buffer.byteLength(value) > MAX_FILTER) throw invalid(`The ${name} of a filter is too long.`)
    return value
  }
  const [prefix, suffix] = [filter('prefix'), filter('suffix')]
  if (filters.some((rule) => !/^(prefix|suffix)$/i.test(xmlChildText(rule, 'Name') ?? ''))) {
    throw invalid('filter rule name must be either prefix or suffix')
  }
  return { id: xmlChildText(node, 'Id') ?? '', arn, events, prefix, suffix }
}

function writeRule({ id, arn, events, prefix, suffix }: NotificationRule): string {
  const rule = (name: string, value: string) =>
    value === '' ? '' : `<FilterRule>${xmlTag('Name', name)}${xmlTag('Value', value)}</FilterRule>`
  const rules = rule('prefix', prefix) + rule('suffix', suffix)
  const filter = rules === '' ? '' : `<Filter><S3Key>${rules}</S3Key></Filter>`
  const names = events.map((event) => xmlTag('Event', event)).join('')
  return `<QueueConfiguration>${xmlTag('Id', id)}${filter}${names}${xmlTag('Queue', arn)}</QueueConfiguration>`
}

function invalid(message: string): S3Error {
  return new S3Error('InvalidArgument', message)
}
