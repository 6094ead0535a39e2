import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { asFailure } from '../../lib/failure.ts'
import { navigate, useSearchParam } from '../../lib/navigation/navigate.ts'
import { type BrowserPlace, pathToFolder } from '../../lib/navigation/object-address.ts'
import { withSearch } from '../../lib/navigation/pages.ts'
import { ObjectName } from '../../ui/ObjectName.tsx'
import { Page } from '../../ui/Page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { BrowserCrumbs } from './BrowserCrumbs.tsx'
import { titleOf } from './crumbs.ts'
import { DropZone } from './DropZone.tsx'
import { FolderActions } from './FolderActions.tsx'
import { FolderFacts } from './FolderFacts.tsx'
import { FolderList } from './FolderList.tsx'
import { ObjectDrawer } from './ObjectDrawer.tsx'
import css from './objects.module.css'
import { PathModal } from './PathModal.tsx'
import { UploadButton } from './UploadButton.tsx'
import { useFolder } from './use-folder.ts'
import { useGuessedPlace, useObject } from './use-object.ts'
import { currentView } from './view.ts'

/** A folder's entries, and at its right the object that is open. */
export function Folder({ place }: { place: BrowserPlace }) {
  const { bucket, prefix, key } = place
  const [starts = ''] = useSearchParam('starts')
  const small = useMediaQuery('(max-width: 640px)', undefined, { getInitialValueInEffect: false })
  const [choosingPath, setChoosingPath] = useState(false)
  const folder = useFolder(bucket, prefix, starts)
  const { entries, hasNextPage, isSuccess, isPending, data, error, refetch } = folder
  const versioning = useQuery({ ...q('getBucketVersioning', { params: { bucket } }), staleTime: 60_000 })
  const versioned = versioning.data?.is_versioned
  const empty = isSuccess && entries.length === 0 && !hasNextPage && starts === ''
  const { looking } = useGuessedPlace(place, { empty, missing: useIsMissing(place) })
  const title = prefix === '' ? bucket : titleOf(prefix)
  const choosePath = () => setChoosingPath(true)
  const noBucket = error !== null && asFailure(error).status === 404

  return (
    <div className={css.split}>
      <DropZone bucket={bucket} prefix={prefix}>
        <Page
          title={title}
          crumbs={<BrowserCrumbs place={place} />}
          heading={<ObjectName name={title} />}
          mono
          facts={data && <FolderFacts entries={entries} more={hasNextPage} />}
          actions={
            !noBucket && (
              <>
                {!small && (
                  <FolderActions busy={folder.isRefetching} onRefresh={() => void refetch()} onPath={choosePath} />
                )}
                <UploadButton bucket={bucket} prefix={prefix} />
              </>
            )
          }
        >
          {isPending || data ? (
            <FolderList
              place={place}
              starts={starts}
              folder={folder}
              versioned={versioned}
              looking={looking}
              onPath={choosePath}
            />
          ) : (
            <ErrorState error={error} needs={{ action: 's3:ListBucket', bucket, prefix }} onRetry={refetch} />
          )}
        </Page>
      </DropZone>
      {key !== undefined && !looking && (
        <ObjectDrawer
          bucket={bucket}
          objectKey={key}
          versioned={versioned}
          onClose={() => navigate(withSearch(pathToFolder(bucket, prefix), currentView()))}
        />
      )}
      {choosingPath && <PathModal bucket={bucket} prefix={prefix} onClose={() => setChoosingPath(false)} />}
    </div>
  )
}

/** Whether the address names an object that is not there. */
function useIsMissing({ bucket, key }: BrowserPlace): boolean {
  const { item, loading, error } = useObject(bucket, key)
  return key !== undefined && !loading && error === null && item === undefined
}
