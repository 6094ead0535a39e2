import type { ObjectInfo } from '../../engine/types.ts'
import { escapeXml, tag } from '../../xml.ts'
import { isAllowed } from '../authorize.ts'
import type { Call } from '../call.ts'
import { checksumAlgorithmTags } from './checksum-tags.ts'
import type { NameForm } from './list-query.ts'
import { OWNER } from './owner.ts'
import { tagsAsQuery } from './tag-set.ts'
import { textOfWire } from './wire-text.ts'

/** Members of an entry of a listing in addition to the key. */
export interface EntryOptions {
  form: NameForm
  owner: boolean
  /** Metadata and tags as well, where the caller may read them: the server family's `metadata=true`. */
  describe: ((object: ObjectInfo) => string) | undefined
}

/** The elements of one object, without the one around them. */
export function entryContent(object: ObjectInfo, options: EntryOptions): string {
  return (
    `<Key>${options.form.write(object.key)}</Key>` +
    `<LastModified>${new Date(object.lastModified).toISOString()}</LastModified>` +
    `<ETag>&quot;${object.etag}&quot;</ETag><Size>${object.size}</Size>` +
    `<StorageClass>${object.headers['x-amz-storage-class'] ?? 'STANDARD'}</StorageClass>` +
    (object.checksum ? checksumAlgorithmTags(object.checksum) : '') +
    (options.owner ? OWNER : '') +
    (options.describe ? options.describe(object) : '')
  )
}

/** The `metadata=true` part of an entry, asked for by the query; undefined when it is not. */
export function describer(call: Call): EntryOptions['describe'] {
  if (call.query.get('metadata') !== 'true') return undefined
  return (object) => {
    const resource = { bucket: call.bucket, key: object.key }
    let content = ''
    if (isAllowed(call, 's3:GetObject', resource)) {
      const elements = [
        ...Object.entries(object.headers),
        ...Object.entries(object.metadata).map(([name, value]) => [`X-Amz-Meta-${titleCase(name)}`, value] as const),
      ].flatMap(([name, value]) => (ELEMENT_NAME.test(name) ? [tag(name, textOfWire(value))] : []))
      content += `<UserMetadata>${elements.join('')}</UserMetadata>`
    }
    if (Object.keys(object.tags).length > 0 && isAllowed(call, 's3:GetObjectTagging', resource)) {
      content += `<UserTags>${escapeXml(tagsAsQuery(object.tags))}</UserTags>`
    }
    // Shards of erasure coding; here every byte is kept whole, twice.
    return `${content}<Internal><K>1</K><M>1</M></Internal>`
  }
}

// Header names may hold characters that an element's name may not.
const ELEMENT_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/

function titleCase(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())
}
