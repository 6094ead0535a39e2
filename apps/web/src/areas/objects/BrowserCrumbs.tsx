import { type BrowserPlace, pathToFolder } from '../../lib/navigation/object-address.ts'
import { withSearch } from '../../lib/navigation/pages.ts'
import { formatDateTime } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { lastSegment } from '../../lib/text/key.ts'
import { useSmall } from '../../lib/use-small.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { type Crumb, Crumbs } from '../../ui/Crumbs.tsx'
import { ObjectName } from '../../ui/ObjectName.tsx'
import { foldersOf, shorten, titleOf } from './crumbs.ts'
import { usePast } from './past.ts'
import { pastOf, useView } from './view.ts'

/** The breadcrumb `All Buckets / bucket / folder / … / object`, with a button that copies the path. */
export function BrowserCrumbs({ place: { bucket, prefix, key } }: { place: BrowserPlace }) {
  const { at } = usePast()
  const past = pastOf(useView())
  const t = useT()
  const small = useSmall()
  const crumbs: Crumb[] = [
    { label: t('All Buckets'), to: '/object-browser' },
    { label: bucket, to: withSearch(pathToFolder(bucket), past), mono: true },
    ...foldersOf(prefix).map((folder) => ({
      label: <ObjectName name={titleOf(folder)} />,
      to: withSearch(pathToFolder(bucket, folder), past),
      mono: true,
    })),
    ...(at === undefined ? [] : [{ label: t('Rewind: {{date}}', { date: formatDateTime(at) }), whole: true }]),
    ...(key === undefined ? [] : [{ label: <ObjectName name={lastSegment(key)} />, mono: true }]),
  ]
  // The time of a rewind must be readable: of the path, only the object is shown beside it.
  const shown = at === undefined ? 3 : key === undefined ? 1 : 2
  return (
    <Crumbs
      deep
      items={small ? shorten(crumbs, 0, shown) : shorten(crumbs, 2, 4)}
      after={!small && <CopyButton text={`${bucket}/${key ?? prefix}`} name={t('path')} />}
    />
  )
}
