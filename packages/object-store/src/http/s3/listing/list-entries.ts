import { type ActionByVersion, S3_OPERATIONS } from '@stowage/iam-policy'
import type { ObjectInfo } from '../../../engine/interface/types.ts'
import { toXmlText, xmlTag } from '../../../lib/xml.ts'
import { isActionAllowed, versionedAction } from '../../auth/authorize.ts'
import { checksumAlgorithmElements } from '../../bodies/checksum-elements.ts'
import type { StoreCall } from '../../call/call.ts'
import { decodeWireText } from '../../call/wire-text.ts'
import { algorithmHeaders } from '../headers/encryption-headers.ts'
import { formatTagHeader } from '../headers/tagging-header.ts'
import type { NameEncoding } from './list-query.ts'
import { OWNER_ELEMENT } from './owner.ts'

/** Which elements an entry of a listing has in addition to the key. */
export interface ListEntryOptions {
  form: NameEncoding
  owner: boolean
  /** Returns metadata and tags that the caller may read: MinIO's `metadata=true`. */
  describe: ((object: ObjectInfo) => string) | undefined
}

/** Returns the elements of an object without the enclosing one. */
export function listEntryXml(object: ObjectInfo, options: ListEntryOptions): string {
  return (
    `<Key>${options.form.write(object.key)}</Key>` +
    `<LastModified>${new Date(object.lastModified).toISOString()}</LastModified>` +
    `<ETag>&quot;${object.etag}&quot;</ETag><Size>${object.size}</Size>` +
    `<StorageClass>${object.headers['x-amz-storage-class'] ?? 'STANDARD'}</StorageClass>` +
    (object.checksum ? checksumAlgorithmElements(object.checksum) : '') +
    (options.owner ? OWNER_ELEMENT : '') +
    (options.describe ? options.describe(object) : '')
  )
}

/**
 * Returns the function for the `metadata=true` part of entries; undefined if the query does not request it.
 * @param versions the entries are versions, whose descriptions need the rights to read and tag named versions
 */
export function userMetadataXml(call: StoreCall, versions = false): ListEntryOptions['describe'] {
  if (call.query.get('metadata') !== 'true') return undefined
  return (object) => {
    const resource = { bucket: call.bucket, key: object.key, ...(versions ? { versionId: object.versionId } : {}) }
    const may = (rights: ActionByVersion) => isActionAllowed(call, versionedAction(rights, resource), resource)
    let content = ''
    if (may(S3_OPERATIONS.GetObject)) {
      const elements = [
        // Clients that copy an object must know whether it is encrypted, because a copy is not unless they ask for it.
        ...Object.entries(algorithmHeaders(object.encryption)).map(
          ([name, value]) => [titleCase(name), value] as const,
        ),
        ...Object.entries(object.headers),
        ...Object.entries(object.metadata).map(([name, value]) => [`X-Amz-Meta-${titleCase(name)}`, value] as const),
      ].flatMap(([name, value]) => (ELEMENT_NAME.test(name) ? [xmlTag(name, decodeWireText(value))] : []))
      content += `<UserMetadata>${elements.join('')}</UserMetadata>`
    }
    if (Object.keys(object.tags).length > 0 && may(S3_OPERATIONS.GetObjectTagging)) {
      content += `<UserTags>${toXmlText(formatTagHeader(object.tags))}</UserTags>`
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
