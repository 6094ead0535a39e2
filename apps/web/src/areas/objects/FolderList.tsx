import { useMemo, useState } from 'react'
import type { PagedRead } from '../../lib/api/read.ts'
import { navigate, useSearchParam } from '../../lib/navigation/navigate.ts'
import type { BrowserPlace } from '../../lib/navigation/object-address.ts'
import { msg, useT } from '../../lib/text/i18n.ts'
import { useSmall } from '../../lib/use-small.ts'
import { DataTable, type TableTexts } from '../../ui/DataTable.tsx'
import { isReason, useNeeds } from '../../ui/Disabled.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { filterParam } from '../../ui/table/use-filter.ts'
import { sortParam } from '../../ui/table/use-table-model.ts'
import { askDelete } from './ask-delete.tsx'
import { columnsOf, pathOf } from './columns.tsx'
import { previewKind } from './detail/preview-kind.ts'
import { EmptyFolder } from './EmptyFolder.tsx'
import { type Entry, wholeFolder } from './entries.ts'
import { FolderMenu } from './FolderActions.tsx'
import type { FolderDialog } from './FolderDialogs.tsx'
import { ListNote } from './ListNote.tsx'
import type { Past } from './past.ts'
import { NothingSelected, SelectionActions, selectionText } from './SelectionActions.tsx'
import { SelectionNote } from './SelectionNote.tsx'
import { useRowActions } from './use-row-actions.ts'
import { TABLE } from './view.ts'

interface FolderListProps {
  place: BrowserPlace
  starts: string
  folder: PagedRead<Entry[]>
  versioned: boolean | undefined
  onPath: () => void
  past: Past
  onRewind: () => void
  onDialog: (dialog: FolderDialog) => void
}

/** The rows of a folder. */
export function FolderList(props: FolderListProps) {
  const { place, starts, folder, versioned, onPath, past, onRewind } = props
  const t = useT()
  const { bucket, prefix, key } = place
  const { at, date } = past
  const [filter = ''] = useSearchParam(filterParam(TABLE))
  const [sort] = useSearchParam(sortParam(TABLE))
  const small = useSmall()
  const columns = useMemo(() => columnsOf(bucket, { at, date }), [bucket, at, date])
  const [previewed, setPreviewed] = useState<Entry | undefined>(undefined)
  const needs = useNeeds({ bucket, prefix })
  const actions = useRowActions(bucket, prefix, versioned, setPreviewed, past)
  /** The number of rows that were selected when the whole folder was selected. It ends when one of them is no longer selected. */
  const [wholeFrom, setWholeFrom] = useState<number>()
  const [loadingAll, setLoadingAll] = useState(false)
  const entry = wholeFolder(prefix)
  const isWhole = (rows: Entry[]) => entry !== undefined && wholeFrom !== undefined && rows.length >= wholeFrom
  const taken = (rows: Entry[]) => (entry && isWhole(rows) ? [entry] : rows)
  const isAllLoaded = (rows: Entry[]) =>
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
        name={TABLE}
        texts={objectTexts}
        query={folder}
        needs={{ action: 's3:ListBucket', bucket, prefix }}
        rowId={keyOf}
        first={isFolder}
        columns={columns}
        actions={actions}
        defaultSort={byName}
        filter={{ placeholder: msg('Search Objects'), text: nameOf }}
        selection={{
          summary: (rows) => (isWhole(rows) ? '' : selectionText(rows)),
          onDelete: (rows, clear) => {
            if (at === undefined && !isReason(needs('s3:DeleteObject')))
              askDelete({ bucket, entries: taken(rows), versioned, onDone: clear })
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
        onOpen={(entry) => navigate(pathOf(bucket, entry))}
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
        <PreviewModal
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

const PreviewModal = loadableDialog(async () => (await import('./detail/PreviewModal.tsx')).PreviewModal)

const objectTexts: TableTexts = {
  name: msg('Objects'),
  empty: msg('There are no Objects yet.'),
  noMatch: msg('No Objects match the filter.'),
}
const keyOf = ({ key }: Entry) => key
const nameOf = ({ name }: Entry) => name
const isFolder = ({ folder }: Entry) => folder
const byName = { key: 'name', desc: false }
