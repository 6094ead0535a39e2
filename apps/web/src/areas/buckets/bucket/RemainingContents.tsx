import type { ObjectItem } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api/query.ts'
import { formatList } from '../../../lib/text/format.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'

/** The maximum number of entries on one page of a listing. */
const PAGE = 1000

/** Lists what is left in a bucket: versions, delete markers, unfinished uploads. Renders nothing while loading. */
export function RemainingContents({ bucket }: { bucket: string }) {
  const t = useT()
  const params = { bucket }
  const versions = useQuery(
    q('listObjects', { params, query: { recursive: 'true', with_versions: 'true', limit: PAGE } }),
  )
  const uploads = useQuery(q('listUploads', { params, query: { limit: 1 } }))
  const entries: ObjectItem[] = versions.data?.objects ?? []
  if (versions.data?.next !== undefined)
    return <span>{t('More than {{count}} versions and delete markers are left.', { count: PAGE })}</span>
  const markers = entries.filter((entry) => entry.is_delete_marker).length
  const unfinished = uploads.data?.total ?? 0
  const counts: [number, string][] = [
    [
      entries.length - markers,
      t(plural('{{count}} version', '{{count}} versions'), { count: entries.length - markers }),
    ],
    [markers, t(plural('{{count}} delete marker', '{{count}} delete markers'), { count: markers })],
    [unfinished, t(plural('{{count}} unfinished upload', '{{count}} unfinished uploads'), { count: unfinished })],
  ]
  const parts = counts.flatMap(([count, words]) => (count > 0 ? [words] : []))
  return parts.length > 0 && <span>{t('Left in the bucket: {{what}}.', { what: formatList(parts) })}</span>
}
