import { checkTags, MAX_OBJECT_TAGS } from '../../../bucket-settings/tagging-codec.ts'
import { S3Error } from '../../../lib/errors.ts'
import type { TagMap } from '../../call/authentication-result.ts'
import type { TagSource } from '../../call/s3-operation.ts'

const ENCODED = /^(?:[\x20-\x24\x26-\x7e]|%[0-9a-fA-F]{2})*$/

/** Tags in the `x-amz-tagging` header. */
export const tagsInHeader: TagSource = {
  in: 'head',
  read: (call) => parseTagHeader(call.header('x-amz-tagging')),
}

const NO_TAGS: TagMap = {}

/** Reads the `x-amz-tagging` header: `key=value&key2=value2`. @throws S3Error InvalidTag, InvalidArgument, BadRequest */
export function parseTagHeader(header: string | undefined): TagMap {
  if (header === undefined || header === '') return NO_TAGS
  // Unencoded text would be taken literally, with each byte of UTF-8 as a character.
  if (!ENCODED.test(header)) {
    throw new S3Error('InvalidArgument', 'The header x-amz-tagging must be encoded like the query of a URL.')
  }
  // `URLSearchParams` drops a leading question mark, which here belongs to a key.
  return checkTags([...new URLSearchParams(`&${header}`)], MAX_OBJECT_TAGS)
}

/** Formats tags for the `x-amz-tagging` header. */
export function formatTagHeader(tags: TagMap): string {
  return new URLSearchParams(tags).toString()
}
