import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { t as text, useT } from '../../lib/i18n.ts'
import { navigate, useSearchParam } from '../../lib/navigate.ts'
import { q } from '../../lib/query.ts'
import { useStore } from '../../lib/store.ts'
import { type BrowserPlace, paths } from '../../paths.ts'
import { downloadObject, downloadZip, filesDownloading } from '../../transfers/downloads.ts'
import { DataTable, type RowAction } from '../../ui/DataTable.tsx'
import { ObjectName } from '../../ui/ObjectName.tsx'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { askDelete } from './ask-delete.tsx'
import { BrowserCrumbs, titleOf } from './BrowserCrumbs.tsx'
import { columnsOf, pathOf } from './columns.tsx'
import { DropZone } from './DropZone.tsx'
import type { Entry } from './entries.ts'
import { FolderActions } from './FolderActions.tsx'
import { FolderFacts } from './FolderFacts.tsx'
import { ListNote } from './ListNote.tsx'
import { ObjectDrawer } from './ObjectDrawer.tsx'
import css from './objects.module.css'
import { PathModal } from './PathModal.tsx'
import { SelectionActions, selectionText } from './SelectionActions.tsx'
import { UploadButton } from './UploadButton.tsx'
import { useFolder } from './use-folder.ts'
import { useGuessedPlace, useObject } from './use-object.ts'

/** A folder's entries, and at its right the object that is open. */
export function Folder({ place }: { place: BrowserPlace }) {
  const t = useT()
  const { bucket, prefix, key } = place
  const [starts = ''] = useSearchParam('starts')
  const [filter = ''] = useSearchParam('filter')
  const [sort] = useSearchParam('sort')
  const [choosingPath, setChoosingPath] = useState(false)
  const folder = useFolder(bucket, prefix, starts)
  const versioning = useQuery({ ...q('getBucketVersioning', { params: { bucket } }), staleTime: 60_000 })
  const versioned = versioning.data?.is_versioned
  const { entries, hasNextPage: more, isPending, error, refetch } = folder
  const empty = folder.isSuccess && entries.length === 0 && !more
  const guess = useGuessedPlace(place, { empty: empty && starts === '', missing: useIsMissing(place) })
  const columns = useMemo(() => columnsOf(bucket), [bucket])
  const actions = useActions(bucket, versioned)
  const title = prefix === '' ? bucket : titleOf(prefix)
  const close = () => navigate(paths.browse(bucket, prefix))

  return (
    <div className={css.split}>
      <BrowserCrumbs {...place} />
      <DropZone bucket={bucket} prefix={prefix}>
        <Page
          title={title}
          heading={<ObjectName name={title} />}
          mono
          facts={folder.isSuccess && <FolderFacts entries={entries} more={more} />}
          actions={
            <FolderActions
              bucket={bucket}
              prefix={prefix}
              onRefresh={() => void refetch()}
              onPath={() => setChoosingPath(true)}
            />
          }
        >
          <ListNote starts={starts} filter={filter} sorted={sort !== undefined} loaded={entries.length} more={more} />
          {isPending || folder.data ? (
            <DataTable
              name="objects"
              entity={t('Objects')}
              rows={entries}
              rowId={keyOf}
              first={isFolder}
              columns={columns}
              actions={actions}
              defaultSort={byName}
              filter={{ placeholder: t('Search Objects'), text: nameOf }}
              selection={{
                summary: selectionText,
                actions: (rows, clear) => (
                  <SelectionActions bucket={bucket} rows={rows} versioned={versioned} clear={clear} />
                ),
              }}
              loading={isPending || guess.looking}
              error={error}
              onRetry={() => void (folder.isFetchNextPageError ? folder.fetchNextPage() : refetch())}
              loadingMore={folder.isFetchingNextPage}
              onEndReached={folder.loadMore}
              openId={key}
              onOpen={(entry) => navigate(pathOf(bucket, entry))}
              empty={<Nothing bucket={bucket} prefix={prefix} starts={starts} />}
              tools={<SelectionActions bucket={bucket} rows={[]} versioned={versioned} clear={() => {}} />}
            />
          ) : (
            <ErrorState error={error} needs="s3:ListBucket" onRetry={() => void refetch()} />
          )}
        </Page>
      </DropZone>
      {key !== undefined && !guess.looking && (
        <ObjectDrawer bucket={bucket} objectKey={key} versioned={versioned} onClose={close} />
      )}
      {choosingPath && <PathModal bucket={bucket} prefix={prefix} onClose={() => setChoosingPath(false)} />}
    </div>
  )
}

const keyOf = ({ key }: Entry) => key
const nameOf = ({ name }: Entry) => name
const isFolder = ({ folder }: Entry) => folder
const byName = { key: 'name', desc: false }

/** Whether the address names an object that is not there. */
function useIsMissing({ bucket, key }: BrowserPlace): boolean {
  const { item, loading, error } = useObject(bucket, key)
  return key !== undefined && !loading && error === null && item === undefined
}

function useActions(bucket: string, versioned: boolean | undefined): RowAction<Entry>[] {
  const downloading = useStore(filesDownloading)
  return useMemo(
    () => [
      { type: 'view', label: text('View'), to: (entry) => pathOf(bucket, entry) },
      {
        type: 'download',
        label: text('Download'),
        onClick: (entry) => void download(bucket, entry),
        busy: ({ key }) => downloading.some((one) => one.bucket === bucket && one.keys.includes(key)),
      },
      { type: 'delete', label: text('Delete'), onClick: (entry) => askDelete({ bucket, entries: [entry], versioned }) },
    ],
    [bucket, versioned, downloading],
  )
}

function download(bucket: string, { key, folder, size }: Entry) {
  return folder ? downloadZip(bucket, [key], `${titleOf(key)}.zip`) : downloadObject({ bucket, key, size })
}

function Nothing({ bucket, prefix, starts }: { bucket: string; prefix: string; starts: string }) {
  const t = useT()
  if (starts !== '') return <EmptyState title={t('No keys begin with this.')} />
  return (
    <EmptyState
      title={t('This location is empty, please try uploading a new file')}
      actions={<UploadButton bucket={bucket} prefix={prefix} />}
      command={`mc cp FILE ALIAS/${bucket}/${prefix}`}
    >
      {t('Drop files or folders anywhere on this page, or choose them.')}
    </EmptyState>
  )
}
