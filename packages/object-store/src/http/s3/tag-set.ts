import { S3Error } from '../../errors.ts'
import type { Tags } from '../authentication.ts'
import { child, children, childText, parseXml, s3Document, tag } from '../xml.ts'
import type { RequestTags } from './operation.ts'

const OBJECT_TAGS = 10
const BUCKET_TAGS = 50

/** Letters and digits of any script, blanks and S3's few signs. */
const TAG_TEXT = /^[\p{L}\p{M}\p{N}\p{Zs}+\-=._:/@]*$/u
const ENCODED = /^(?:[\x20-\x24\x26-\x7e]|%[0-9a-fA-F]{2})*$/

/** The tags of the `x-amz-tagging` header. */
export const headerTags: RequestTags = {
  in: 'head',
  read: (call) => parseTagHeader(call.header('x-amz-tagging')),
}

const NO_TAGS: Tags = {}

/** Reads the `x-amz-tagging` header: `key=value&key2=value2`. @throws S3Error InvalidTag, InvalidArgument, BadRequest */
export function parseTagHeader(header: string | undefined): Tags {
  if (header === undefined || header === '') return NO_TAGS
  // What is not encoded would be taken as it stands, and bytes of UTF-8 as a letter each.
  if (!ENCODED.test(header)) {
    throw new S3Error('InvalidArgument', 'The header x-amz-tagging must be encoded as the query of a URL is.')
  }
  // A question mark in front is dropped from a query; here it begins a key.
  return checkTags([...new URLSearchParams(`&${header}`)], OBJECT_TAGS)
}

/** Reads a `<Tagging>` body. @throws S3Error MalformedXML, InvalidTag, BadRequest */
export function parseTagging(xml: string | Uint8Array, limit: 'object' | 'bucket'): Tags {
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

export function taggingDocument(tags: Tags): string {
  // By key, as other servers answer: clients compare sets as lists.
  const sorted = Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1))
  const set = sorted.map(([key, value]) => `<Tag>${tag('Key', key)}${tag('Value', value)}</Tag>`)
  return s3Document('Tagging', `<TagSet>${set.join('')}</TagSet>`)
}

/** The form of the `x-amz-tagging` header. */
export function tagsAsQuery(tags: Tags): string {
  return new URLSearchParams(tags).toString()
}
