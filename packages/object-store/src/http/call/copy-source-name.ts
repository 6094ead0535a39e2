import { S3Error } from '../../lib/errors.ts'
import { parseVersionId } from './version-id.ts'

/** Reads `/bucket/key?versionId=id`, percent-encoded. @throws S3Error InvalidArgument */
export function parseCopySource(header: string): { bucket: string; key: string; versionId: string | undefined } {
  const mark = header.lastIndexOf('?versionId=')
  const encoded = mark < 0 ? header : header.slice(0, mark)
  const invalid = new S3Error(
    'InvalidArgument',
    'Copy Source must mention the source bucket and key: sourcebucket/sourcekey.',
  )
  let source: string
  try {
    source = decodeURIComponent(encoded)
  } catch {
    throw invalid
  }
  if (source.startsWith('/')) source = source.slice(1)
  const slash = source.indexOf('/')
  if (slash < 1 || slash === source.length - 1) throw invalid
  const versionId = mark < 0 ? undefined : parseVersionId(header.slice(mark + '?versionId='.length))
  return { bucket: source.slice(0, slash), key: source.slice(slash + 1), versionId }
}
