import { pathToFolder, pathToObject } from '../../lib/navigation/object-address.ts'
import { type PageAddress, withSearch } from '../../lib/navigation/pages.ts'
import { msg, t } from '../../lib/text/i18n.ts'
import { isMisleading, plainName } from '../../lib/text/visible-name.ts'
import { useSmall } from '../../lib/use-small.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { Link } from '../../ui/Link.tsx'
import { ObjectName } from '../../ui/ObjectName.tsx'
import { Quantity } from '../../ui/Quantity.tsx'
import { StatusIcon } from '../../ui/StatusIcon.tsx'
import { Time } from '../../ui/Time.tsx'
import type { Entry } from './entries.ts'
import { FileIcon } from './FileIcon.tsx'
import css from './objects.module.css'
import type { Past } from './past.ts'
import { currentView, pastOf, useView } from './view.ts'

/** Returns the page that a row opens. An object opens beside its list, which remains unchanged. */
export function pathOf(bucket: string, { key, folder, versionId }: Entry, view = currentView()): PageAddress {
  if (folder) return withSearch(pathToFolder(bucket, key), pastOf(view))
  const params = new URLSearchParams(view)
  // In the view of a past time, open the version of that time.
  if (params.has('at') && versionId !== undefined) params.set('version', versionId)
  return withSearch(pathToObject(bucket, key), params.toString())
}

export function columnsOf(bucket: string, { at, date }: Pick<Past, 'at' | 'date'>): Column<Entry>[] {
  return [
    {
      key: 'name',
      label: msg('Name'),
      // The server's order, by the bytes of the key, so that entries of later pages are added at the end.
      value: ({ order }) => order,
      numeric: true,
      inOrder: true,
      small: 'title',
      fixed: true,
      cell: (entry) => <NameCell bucket={bucket} entry={entry} />,
    },
    {
      key: 'modified',
      label: at === undefined ? msg('Last Modified') : msg('Object Date'),
      width: 172,
      small: 'note',
      cell: ({ folder, modified }) =>
        folder ? (
          <Nothing />
        ) : (
          <span className={css.modified}>
            <Time at={modified} exact />
          </span>
        ),
    },
    {
      key: 'size',
      label: msg('Size'),
      width: 120,
      align: 'right',
      headerPad: 29,
      small: 'aside',
      cell: ({ folder, size }) =>
        folder ? (
          <span className={css.noSize}>
            <Nothing />
          </span>
        ) : (
          <Quantity bytes={size} />
        ),
    },
    ...(date === undefined ? [] : [deletedColumn]),
  ]
}

const deletedColumn: Column<Entry> = {
  key: 'deleted',
  label: msg('Deleted'),
  width: 96,
  small: 'extra',
  value: ({ deleted }) => Number(deleted ?? false),
  cell: (entry) => <DeletedCell {...entry} />,
}

/** On a small screen there is no header, so only deleted objects are marked. */
function DeletedCell({ folder, deleted }: Entry) {
  const small = useSmall()
  if (small) return deleted ? t('Deleted') : null
  return folder ? <Nothing /> : deleted ? t('Yes') : t('No')
}

function NameCell({ bucket, entry }: { bucket: string; entry: Entry }) {
  const { name, folder } = entry
  const view = useView()
  return (
    <span className={css.name}>
      <FileIcon name={name} folder={folder} />
      <Link
        to={pathOf(bucket, entry, view)}
        data-row-link
        className={folder ? css.folder : css.object}
        title={plainName(name)}
        tabIndex={-1}
      >
        <ObjectName name={name} />
      </Link>
      {isMisleading(name) && (
        <span title={t('The name contains invisible characters or characters that reverse the text')}>
          <StatusIcon state="warn" />
        </span>
      )}
    </span>
  )
}

/** Shown for folders, which have no date and no size. */
const Nothing = () => <span className={css.nothing}>–</span>
