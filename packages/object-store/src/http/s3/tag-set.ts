import { S3Error } from '../../errors.ts'
import { child, children, childText, parseXml, s3Document, tag } from '../xml.ts'

const OBJECT_TAGS = 10
const BUCKET_TAGS = 50

/** Reads the `x-amz-tagging` header: `key=value&key2=value2`. @throws S3Error InvalidTag, BadRequest */
export function parseTagHeader(header: string | undefined): Record<string, string> {
  if (header === undefined || header === '') return {}
  return checkTags([...new URLSearchParams(header)], OBJECT_TAGS)
}

/** Reads a `<Tagging>` body. @throws S3Error MalformedXML, InvalidTag, BadRequest */
export function parseTagging(xml: string | Uint8Array, limit: 'object' | 'bucket'): Record<string, string> {
  const set = child(parseXml(xml, 'Tagging'), 'TagSet')
  if (set === undefined) throw new S3Error('MalformedXML', 'A Tagging element needs a TagSet.')
  const pairs = children(set, 'Tag').map((node): [string, string] => {
    const key = childText(node, 'Key')
    if (key === undefined) throw new S3Error('MalformedXML', 'A Tag needs a Key.')
    return [key, childText(node, 'Value') ?? '']
  })
  return checkTags(pairs, limit === 'object' ? OBJECT_TAGS : BUCKET_TAGS)
}

function checkTags(pairs: [string, string][], limit: number): Record<string, string> {
  if (pairs.length > limit) throw new S3Error('BadRequest', `Tags cannot be greater than ${limit}.`)
  for (const [key, value] of pairs) {
    if (key === '' || key.length > 128) throw new S3Error('InvalidTag', 'The TagKey you have provided is invalid')
    if (value.length > 256) throw new S3Error('InvalidTag', 'The TagValue you have provided is invalid')
  }
  const tags = Object.fromEntries(pairs)
  if (Object.keys(tags).length < pairs.length) {
    throw new S3Error('InvalidTag', 'Cannot provide multiple Tags with the same key')
  }
  return tags
}

export function taggingDocument(tags: Record<string, string>): string {
  // By key, as other servers answer: clients compare sets as lists.
  const sorted = Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1))
  const set = sorted.map(([key, value]) => `<Tag>${tag('Key', key)}${tag('Value', value)}</Tag>`)
  return s3Document('Tagging', `<TagSet>${set.join('')}</TagSet>`)
}

/** The form of the `x-amz-tagging` header. */
export function tagsAsQuery(tags: Record<string, string>): string {
  return new URLSearchParams(tags).toString()
}
