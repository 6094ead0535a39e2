import type { ObjectInfo } from '../../engine/types.ts'
import { S3Error } from '../../errors.ts'
import { s3Document, tag } from '../../xml.ts'
import { describer, type EntryOptions, entryContent } from './list-entries.ts'
import { commonPrefix, listHead, type NameForm, requestedForm, requestedLimit } from './list-query.ts'
import type { Operation } from './operation.ts'
import { OWNER } from './owner.ts'
import { checkVersionId } from './version-id.ts'

export const listObjectVersions: Operation = {
  name: 'ListObjectVersions',
  method: 'GET',
  level: 'bucket',
  query: ['versions'],
  action: 's3:ListBucketVersions',
  handle(call) {
    const prefix = call.query.get('prefix') ?? ''
    const delimiter = call.query.get('delimiter') ?? ''
    const keyMarker = call.query.get('key-marker') ?? ''
    const versionMarker = checkVersionId(call.query.get('version-id-marker') ?? undefined)
    if (versionMarker !== undefined && keyMarker === '') {
      throw new S3Error('InvalidArgument', 'A version-id marker cannot be specified without a key marker.')
    }
    const limit = requestedLimit(call, 'max-keys')
    const form = requestedForm(call)
    const options = { form, owner: true, describe: describer(call) }
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
      if (!('object' in entry)) prefixes += commonPrefix(form, entry.prefix)
      else
        versions += entry.object.deleteMarker
          ? markerElement(entry.object, form)
          : versionElement(entry.object, options)
    }
    const next =
      page.truncated && page.next
        ? `<NextKeyMarker>${form.write(page.next.key)}</NextKeyMarker>` +
          (page.next.versionId === undefined ? '' : tag('NextVersionIdMarker', page.next.versionId))
        : ''
    call.xml(
      s3Document(
        'ListVersionsResult',
        `${listHead(call, form, prefix, delimiter)}<KeyMarker>${form.write(keyMarker)}</KeyMarker>` +
          `${tag('VersionIdMarker', versionMarker ?? '')}${next}${tag('MaxKeys', limit)}` +
          `${tag('IsTruncated', page.truncated)}${versions}${prefixes}`,
      ),
    )
  },
}

function versionElement(object: ObjectInfo, options: EntryOptions): string {
  return (
    `<Version>${entryContent(object, options)}<VersionId>${object.versionId}</VersionId>` +
    `<IsLatest>${object.isLatest}</IsLatest></Version>`
  )
}

function markerElement(object: ObjectInfo, form: NameForm): string {
  return (
    `<DeleteMarker><Key>${form.write(object.key)}</Key>` +
    `<LastModified>${new Date(object.lastModified).toISOString()}</LastModified>${OWNER}` +
    `<VersionId>${object.versionId}</VersionId><IsLatest>${object.isLatest}</IsLatest></DeleteMarker>`
  )
}
