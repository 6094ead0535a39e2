import { pathToFolder, pathToObject } from '../../../lib/navigation/object-address.ts'
import { type PageAddress, withSearch } from '../../../lib/navigation/pages.ts'
import { msg, t } from '../../../lib/text/i18n.ts'
import { isMisleading, plainName } from '../../../lib/text/visible-name.ts'
import { useSmallScreen } from '../../../lib/use-small-screen.ts'
import { Link } from '../../../ui/controls/Link.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import type { Column } from '../../../ui/table/DataTable.tsx'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import { Size } from '../../../ui/values/Size.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import css from '../styles/objects.module.css'
import { FileIcon } from './FileIcon.tsx'
import type { FolderEntry } from './folder-entries.ts'
import { currentListParams, pickPastParams, useListParams } from './list-params.ts'
import type { PastView } from './past-view.ts'

/** Returns the page that a row opens. An object opens beside its list, which remains unchanged. */
export function entryAddress(
  bucket: string,
  { key, folder, versionId }: FolderEntry,
  view = currentListParams(),
): PageAddress {
  if (folder) return withSearch(pathToFolder(bucket, key), pickPastParams(view))
  const params = new URLSearchParams(view)
  // In the view of a past time, open the version of that time.
  if (params.has('at') && versionId !== undefined) params.set('version', versionId)
  return withSearch(pathToObject(bucket, key), params.toString())
}

export function entryColumns(bucket: string, { at, date }: Pick<PastView, 'at' | 'date'>): Column<FolderEntry>[] {
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
          <NoValue />
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
            <NoValue />
          </span>
        ) : (
          <Size bytes={size} />
        ),
    },
    ...(date === undefined ? [] : [deletedColumn]),
  ]
}

const deletedColumn: Column<FolderEntry> = {
  key: 'deleted',
  label: msg('Deleted'),
  width: 96,
  small: 'extra',
  value: ({ deleted }) => Number(deleted ?? false),
  cell: (entry) => <DeletedCell {...entry} />,
}

/** On a small screen there is no header, so only deleted objects are marked. */
function DeletedCell({ folder, deleted }: FolderEntry) {
  const small = useSmallScreen()
  if (small) return deleted ? t('Deleted') : null
  return folder ? <NoValue /> : deleted ? t('Yes') : t('No')
}

function NameCell({ bucket, entry }: { bucket: string; entry: FolderEntry }) {
  const { name, folder } = entry
  const view = useListParams()
  return (
    <span className={css.name}>
      <FileIcon name={name} folder={folder} />
      <Link
        to={entryAddress(bucket, entry, view)}
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
const NoValue = () => <span className={css.nothing}>–</span>
