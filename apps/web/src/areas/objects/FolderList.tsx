import { useMediaQuery } from '@mantine/hooks'
import { useMemo } from 'react'
import { navigate, useSearchParam } from '../../lib/navigation/navigate.ts'
import type { BrowserPlace } from '../../lib/navigation/object-address.ts'
import { msg } from '../../lib/text/i18n.ts'
import { DataTable, type TableTexts } from '../../ui/DataTable.tsx'
import { columnsOf, pathOf } from './columns.tsx'
import { EmptyFolder } from './EmptyFolder.tsx'
import type { Entry } from './entries.ts'
import { FolderMenu } from './FolderActions.tsx'
import { ListNote } from './ListNote.tsx'
import { NothingSelected, SelectionActions, selectionText } from './SelectionActions.tsx'
import type { useFolder } from './use-folder.ts'
import { useRowActions } from './use-row-actions.ts'

interface FolderListProps {
  place: BrowserPlace
  starts: string
  folder: ReturnType<typeof useFolder>
  versioned: boolean | undefined
  /** The folder is there, but it is not settled yet what the address names. */
  looking: boolean
  onPath: () => void
}

/** The rows of a folder. */
export function FolderList({ place, starts, folder, versioned, looking, onPath }: FolderListProps) {
  const { bucket, prefix, key } = place
  const [filter = ''] = useSearchParam('filter')
  const [sort] = useSearchParam('sort')
  const small = useMediaQuery('(max-width: 640px)', undefined, { getInitialValueInEffect: false })
  const columns = useMemo(() => columnsOf(bucket), [bucket])
  const actions = useRowActions(bucket, prefix, versioned)
  const { entries, hasNextPage: more, isPending, error, refetch, isFetchNextPageError: pageFailed } = folder
  return (
    <>
      <ListNote
        starts={starts}
        filter={filter}
        sorted={sort !== undefined}
        loaded={entries.length}
        more={more}
        onMore={folder.loadMore}
      />
      <DataTable
        // Another search begins with an empty filter.
        key={starts}
        name="objects"
        texts={objectTexts}
        rows={entries}
        rowId={keyOf}
        first={isFolder}
        columns={columns}
        actions={actions}
        defaultSort={byName}
        filter={{ placeholder: msg('Search Objects'), text: nameOf }}
        selection={{
          summary: selectionText,
          actions: (rows, clear) => (
            <SelectionActions bucket={bucket} prefix={prefix} rows={rows} versioned={versioned} clear={clear} />
          ),
        }}
        loading={isPending || looking}
        error={pageFailed ? null : error}
        readAt={folder.dataUpdatedAt}
        onRetry={refetch}
        moreError={pageFailed ? error : null}
        onRetryMore={folder.fetchNextPage}
        loadingMore={folder.isFetchingNextPage}
        // A filter would have to read everything to fill the window: it goes on when it is told to.
        onEndReached={filter === '' ? folder.loadMore : undefined}
        openId={key}
        onOpen={(entry) => navigate(pathOf(bucket, entry))}
        empty={<EmptyFolder bucket={bucket} prefix={prefix} starts={starts} />}
        tools={
          small ? (
            <FolderMenu busy={folder.isRefetching} onRefresh={() => void refetch()} onPath={onPath} />
          ) : (
            <NothingSelected bucket={bucket} prefix={prefix} />
          )
        }
      />
    </>
  )
}

const objectTexts: TableTexts = {
  name: msg('Objects'),
  empty: msg('There are no Objects yet.'),
  noMatch: msg('No Objects match the filter.'),
}
const keyOf = ({ key }: Entry) => key
const nameOf = ({ name }: Entry) => name
const isFolder = ({ folder }: Entry) => folder
const byName = { key: 'name', desc: false }
