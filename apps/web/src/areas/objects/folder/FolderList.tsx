import { useMemo, useState } from 'react'
import type { PagedQueryResult } from '../../../lib/api/query-result.ts'
import { navigate, useSearchParam } from '../../../lib/navigation/navigate.ts'
import type { BrowserLocation } from '../../../lib/navigation/object-address.ts'
import { msg, useT } from '../../../lib/text/i18n.ts'
import { useSmallScreen } from '../../../lib/use-small-screen.ts'
import { isReason, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { EmptyState } from '../../../ui/feedback/states.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { DataTable, type TableTexts } from '../../../ui/table/DataTable.tsx'
import { filterParam } from '../../../ui/table/use-filter.ts'
import { sortParam } from '../../../ui/table/use-table-model.ts'
import { askDeleteEntries } from '../actions/ask-delete.tsx'
import { NothingSelected, SelectionActions, selectedEntriesText } from '../actions/SelectionActions.tsx'
import { useRowActions } from '../actions/use-row-actions.ts'
import { entryAddress, entryColumns } from '../entries/columns.tsx'
import { type FolderEntry, folderAsEntry } from '../entries/folder-entries.ts'
import { ENTRIES_TABLE } from '../entries/list-params.ts'
import type { PastView } from '../entries/past-view.ts'
import { previewKind } from '../preview/preview-kind.ts'
import { EmptyFolder } from './EmptyFolder.tsx'
import { FolderMenu } from './FolderActions.tsx'
import type { FolderDialog } from './FolderDialogs.tsx'
import { ListNote } from './ListNote.tsx'
import { SelectionNote } from './SelectionNote.tsx'

interface FolderListProps {
  place: BrowserLocation
  starts: string
  folder: PagedQueryResult<FolderEntry[]>
  versioned: boolean | undefined
  onPath: () => void
  past: PastView
  onRewind: () => void
  onDialog: (dialog: FolderDialog) => void
}

/** The rows of a folder. */
export function FolderList(props: FolderListProps) {
  const { place, starts, folder, versioned, onPath, past, onRewind } = props
  const t = useT()
  const { bucket, prefix, key } = place
  const { at, date } = past
  const [filter = ''] = useSearchParam(filterParam(ENTRIES_TABLE))
  const [sort] = useSearchParam(sortParam(ENTRIES_TABLE))
  const small = useSmallScreen()
  const columns = useMemo(() => entryColumns(bucket, { at, date }), [bucket, at, date])
  const [previewed, setPreviewed] = useState<FolderEntry | undefined>(undefined)
  const needs = useDisabledReason({ bucket, prefix })
  const actions = useRowActions(bucket, prefix, versioned, setPreviewed, past)
  /** The number of rows that were selected when the whole folder was selected. It ends when one of them is no longer selected. */
  const [wholeFrom, setWholeFrom] = useState<number>()
  const [loadingAll, setLoadingAll] = useState(false)
  const entry = folderAsEntry(prefix)
  const isWhole = (rows: FolderEntry[]) => entry !== undefined && wholeFrom !== undefined && rows.length >= wholeFrom
  const taken = (rows: FolderEntry[]) => (entry && isWhole(rows) ? [entry] : rows)
  const isAllLoaded = (rows: FolderEntry[]) =>
    at === undefined && starts === '' && filter === '' && folder.hasNextPage && rows.length === folder.data?.length
  const readOn = !folder.isFetchingNextPage && !folder.isFetchNextPageError
  return (
    <>
      <ListNote
        starts={starts}
        filter={filter}
        sorted={sort !== undefined}
        loaded={folder.data?.length ?? 0}
        more={folder.hasNextPage}
        onMore={readOn ? () => void folder.fetchNextPage() : undefined}
      />
      <DataTable
        // A new search starts with an empty filter.
        key={starts}
        name={ENTRIES_TABLE}
        texts={objectTexts}
        query={folder}
        needs={{ action: 's3:ListBucket', bucket, prefix }}
        rowId={entryKey}
        first={isFolder}
        columns={columns}
        actions={actions}
        defaultSort={nameOrder}
        filter={{ placeholder: msg('Search Objects'), text: entryName }}
        selection={{
          count: (rows) => (isWhole(rows) ? t('Whole folder selected') : undefined),
          summary: (rows) => (isWhole(rows) ? '' : selectedEntriesText(rows)),
          onDelete: (rows, clear) => {
            if (at === undefined && !isReason(needs('s3:DeleteObject')))
              askDeleteEntries({ bucket, entries: taken(rows), versioned, onDone: clear })
          },
          actions: (rows, clear) => (
            <SelectionActions
              bucket={bucket}
              prefix={prefix}
              rows={taken(rows)}
              versioned={versioned}
              clear={clear}
              rewound={at !== undefined}
            />
          ),
          note: (rows, all) =>
            (loadingAll || isAllLoaded(rows) || isWhole(rows)) && (
              <SelectionNote
                prefix={prefix}
                folder={folder}
                whole={isWhole(rows)}
                loading={loadingAll}
                onWhole={() => setWholeFrom(rows.length)}
                onLoading={setLoadingAll}
                onAll={all}
                onGone={() => {
                  setWholeFrom(undefined)
                  setLoadingAll(false)
                }}
              />
            ),
        }}
        openId={key}
        onOpen={(entry) => navigate(entryAddress(bucket, entry))}
        empty={
          at === undefined ? (
            <EmptyFolder bucket={bucket} prefix={prefix} starts={starts} />
          ) : (
            <EmptyState title={t('This location is empty')} />
          )
        }
        tools={
          small ? (
            <FolderMenu
              bucket={bucket}
              prefix={prefix}
              onPath={onPath}
              past={past}
              versioned={versioned}
              onRewind={onRewind}
              onDialog={props.onDialog}
            />
          ) : (
            <NothingSelected bucket={bucket} prefix={prefix} />
          )
        }
      />
      {previewed && (
        <ObjectPreviewModal
          bucket={bucket}
          objectKey={previewed.key}
          name={previewed.name}
          size={previewed.size}
          versionId={previewed.versionId}
          kind={previewKind(previewed.name)}
          onClose={() => setPreviewed(undefined)}
        />
      )}
    </>
  )
}

const ObjectPreviewModal = loadableDialog(
  async () => (await import('../preview/ObjectPreviewModal.tsx')).ObjectPreviewModal,
)

const objectTexts: TableTexts = {
  name: msg('Objects'),
  empty: msg('There are no Objects yet.'),
  noMatch: msg('No Objects match the filter.'),
}
const entryKey = ({ key }: FolderEntry) => key
const entryName = ({ name }: FolderEntry) => name
const isFolder = ({ folder }: FolderEntry) => folder
const nameOrder = { key: 'name', desc: false }
