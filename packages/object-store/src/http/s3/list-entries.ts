import type { ObjectInfo } from '../../engine/types.ts'
import { escapeXml, tag } from '../../xml.ts'
import { isAllowed } from '../authorize.ts'
import type { Call } from '../call.ts'
import { checksumAlgorithmTags } from './checksum-tags.ts'
import { algorithmHeaders } from './encryption.ts'
import type { NameForm } from './list-query.ts'
import { OWNER } from './owner.ts'
import { tagsAsQuery } from './tag-set.ts'
import { textOfWire } from './wire-text.ts'

/** Which elements an entry of a listing has in addition to the key. */
export interface EntryOptions {
  form: NameForm
  owner: boolean
  /** Returns metadata and tags that the caller may read: MinIO's `metadata=true`. */
  describe: ((object: ObjectInfo) => string) | undefined
}

/** Returns the elements of an object without the enclosing one. */
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

/** Returns the function for the `metadata=true` part of entries; undefined if the query does not request it. */
export function describer(call: Call): EntryOptions['describe'] {
  if (call.query.get('metadata') !== 'true') return undefined
  return (object) => {
    const resource = { bucket: call.bucket, key: object.key }
    let content = ''
    if (isAllowed(call, 's3:GetObject', resource)) {
      const elements = [
        // Clients that copy an object must know whether it is encrypted, because a copy is not unless they ask for it.
        ...Object.entries(algorithmHeaders(object.encryption)).map(
          ([name, value]) => [titleCase(name), value] as const,
        ),
        ...Object.entries(object.headers),
        ...Object.entries(object.metadata).map(([name, value]) => [`X-Amz-Meta-${titleCase(name)}`, value] as const),
      ].flatMap(([name, value]) => (ELEMENT_NAME.test(name) ? [tag(name, textOfWire(value))] : []))
      content += `<UserMetadata>${elements.join('')}</UserMetadata>`
    }
    if (Object.keys(object.tags).length > 0 && isAllowed(call, 's3:GetObjectTagging', resource)) {
      content += `<UserTags>${escapeXml(tagsAsQuery(object.tags))}</UserTags>`
    }
    // Data and parity shards of erasure coding. This store has two full copies.
    return `${content}<Internal><K>1</K><M>1</M></Internal>`
  }
}

// Header names may contain characters that element names may not.
const ELEMENT_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/

function titleCase(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())
}
