import { S3Error } from '../lib/errors.ts'
import { children, parseXml, s3Document, xmlChild, xmlChildText, xmlTag } from '../lib/xml.ts'
import type { SettingCodec } from './setting-codec.ts'

export type TagSet = Readonly<Record<string, string>>

export const MAX_OBJECT_TAGS = 10
const MAX_BUCKET_TAGS = 50

/** Letters and digits of any script, blanks and S3's few signs. */
const TAG_TEXT = /^[\p{L}\p{M}\p{N}\p{Zs}+\-=._:/@]*$/u

/** Tags of a bucket. */
export const taggingCodec: SettingCodec<TagSet> = {
  read: (document) => parseTagging(document, 'bucket'),
  write: writeTagging,
}

/** Reads a `<Tagging>` document. @throws S3Error MalformedXML, InvalidTag, BadRequest */
export function parseTagging(xml: string | Uint8Array, limit: 'object' | 'bucket'): TagSet {
  const set = xmlChild(parseXml(xml, 'Tagging'), 'TagSet')
  if (set === undefined) throw new S3Error('MalformedXML', 'A Tagging element needs a TagSet.')
  const pairs = children(set, 'Tag').map((node): [string, string] => {
    const key = xmlChildText(node, 'Key')
    if (key === undefined) throw new S3Error('MalformedXML', 'A Tag needs a Key.')
    return [key, xmlChildText(node, 'Value') ?? '']
  })
  return checkTags(pairs, limit === 'object' ? MAX_OBJECT_TAGS : MAX_BUCKET_TAGS)
}

/** @throws S3Error InvalidTag, BadRequest */
export function checkTags(pairs: [string, string][], limit: number): TagSet {
  if (pairs.length > limit) throw new S3Error('BadRequest', `Tags cannot be greater than ${limit}.`)
  for (const [key, value] of pairs) {
    if (key === '' || key.length > 128 || !TAG_TEXT.test(key)) {
      throw new S3Error('InvalidTag', 'The TagKey you have provided is invalid')
    }
    if (value.length > 256 || !TAG_TEXT.test(value)) {
      throw new S3Error('InvalidTag', 'The TagValue you have provided is invalid')
    }
  }
  const tags = Object.fromEntries(pairs)
  if (Object.keys(tags).length < pairs.length) {
    throw new S3Error('InvalidTag', 'Cannot provide multiple Tags with the same key')
  }
  return tags
}

export function writeTagging(tags: TagSet): string {
  // Sorted by key, as on other servers: clients compare sets as lists.
  const sorted = Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1))
  const set = sorted.map(([key, value]) => `<Tag>${xmlTag('Key', key)}${xmlTag('Value', value)}</Tag>`)
  return s3Document('Tagging', `<TagSet>${set.join('')}</TagSet>`)
}
