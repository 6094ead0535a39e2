import { type BrowserLocation, pathToFolder } from '../../../lib/navigation/object-address.ts'
import { withSearch } from '../../../lib/navigation/pages.ts'
import { formatDateTime } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { lastSegment } from '../../../lib/text/last-segment.ts'
import { useSmallScreen } from '../../../lib/use-small-screen.ts'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { type Crumb, Crumbs } from '../../../ui/page/Crumbs.tsx'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import { folderAndParents, folderTitle, shortenCrumbs } from '../entries/folder-crumbs.ts'
import { pickPastParams, useListParams } from '../entries/list-params.ts'
import { usePastView } from '../entries/past-view.ts'

/** The breadcrumb `All Buckets / bucket / folder / … / object`, with a button that copies the path. */
export function BrowserCrumbs({ place: { bucket, prefix, key } }: { place: BrowserLocation }) {
  const { at } = usePastView()
  const past = pickPastParams(useListParams())
  const t = useT()
  const small = useSmallScreen()
  const crumbs: Crumb[] = [
    { label: t('All Buckets'), to: '/object-browser' },
    { label: bucket, to: withSearch(pathToFolder(bucket), past), mono: true },
    ...folderAndParents(prefix).map((folder) => ({
      label: <ObjectName name={folderTitle(folder)} />,
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
      items={small ? shortenCrumbs(crumbs, 0, shown) : shortenCrumbs(crumbs, 2, 4)}
      after={!small && <CopyButton text={`${bucket}/${key ?? prefix}`} name={t('path')} />}
    />
  )
}
