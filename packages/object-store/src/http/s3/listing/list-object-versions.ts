import type { ObjectInfo } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { s3Document, xmlTag } from '../../../lib/xml.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { parseVersionId } from '../../call/version-id.ts'
import { type ListEntryOptions, listEntryXml, userMetadataXml } from './list-entries.ts'
import { commonPrefixXml, listHeadXml, type NameEncoding, requestedLimit, requestedNameEncoding } from './list-query.ts'
import { OWNER_ELEMENT } from './owner.ts'

export const listObjectVersions: S3Operation = {
  name: 'ListObjectVersions',
  method: 'GET',
  level: 'bucket',
  query: ['versions'],
  handle(call) {
    const prefix = call.query.get('prefix') ?? ''
    const delimiter = call.query.get('delimiter') ?? ''
    const keyMarker = call.query.get('key-marker') ?? ''
    const versionMarker = parseVersionId(call.query.get('version-id-marker') ?? undefined)
    if (versionMarker !== undefined && keyMarker === '') {
      throw new S3Error('InvalidArgument', 'A version-id marker cannot be specified without a key marker.')
    }
    const limit = requestedLimit(call, 'max-keys')
    const form = requestedNameEncoding(call)
    const options = { form, owner: true, describe: userMetadataXml(call, true) }
    const page = call.engine.listVersions(call.bucket, {
      prefix,
      delimiter,
      after: keyMarker,
      limit,
      ...(versionMarker === undefined ? {} : { versionMarker }),
    })
    let versions = ''
    let prefixes = ''
    for (const entry of page.entries) {
      if (!('object' in entry)) prefixes += commonPrefixXml(form, entry.prefix)
      else
        versions += entry.object.deleteMarker
          ? markerElement(entry.object, form)
          : versionElement(entry.object, options)
    }
    const next =
      page.truncated && page.next
        ? `<NextKeyMarker>${form.write(page.next.key)}</NextKeyMarker>` +
          (page.next.versionId === undefined ? '' : xmlTag('NextVersionIdMarker', page.next.versionId))
        : ''
    call.xml(
      s3Document(
        'ListVersionsResult',
        `${listHeadXml(call, form, prefix, delimiter)}<KeyMarker>${form.write(keyMarker)}</KeyMarker>` +
          `${xmlTag('VersionIdMarker', versionMarker ?? '')}${next}${xmlTag('MaxKeys', limit)}` +
          `${xmlTag('IsTruncated', page.truncated)}${versions}${prefixes}`,
      ),
    )
  },
}

function versionElement(object: ObjectInfo, options: ListEntryOptions): string {
  return (
    `<Version>${listEntryXml(object, options)}<VersionId>${object.versionId}</VersionId>` +
    `<IsLatest>${object.isLatest}</IsLatest></Version>`
  )
}

function markerElement(object: ObjectInfo, form: NameEncoding): string {
  return (
    `<DeleteMarker><Key>${form.write(object.key)}</Key>` +
    `<LastModified>${new Date(object.lastModified).toISOString()}</LastModified>${OWNER_ELEMENT}` +
    `<VersionId>${object.versionId}</VersionId><IsLatest>${object.isLatest}</IsLatest></DeleteMarker>`
  )
}
