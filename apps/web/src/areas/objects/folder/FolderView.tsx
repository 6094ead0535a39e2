import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { isNotFound } from '../../../lib/api/query-result.ts'
import { navigate, useSearchParam } from '../../../lib/navigation/navigate.ts'
import { type BrowserLocation, pathToFolder } from '../../../lib/navigation/object-address.ts'
import { withSearch } from '../../../lib/navigation/pages.ts'
import { lastSegment } from '../../../lib/text/last-segment.ts'
import { plainName } from '../../../lib/text/visible-name.ts'
import { useSmallScreen } from '../../../lib/use-small-screen.ts'
import { Page } from '../../../ui/page/Page.tsx'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import { folderTitle } from '../entries/folder-crumbs.ts'
import { currentListParams } from '../entries/list-params.ts'
import { usePastView } from '../entries/past-view.ts'
import { RestoreFolderButton } from '../jobs/RestoreFolderButton.tsx'
import { ObjectDrawer } from '../object/ObjectDrawer.tsx'
import { useCorrectedLocation, useObject } from '../object/use-object.ts'
import css from '../styles/objects.module.css'
import { BrowserCrumbs } from './BrowserCrumbs.tsx'
import { DropZone } from './DropZone.tsx'
import { NewPathButton, PastButtons, SearchButton } from './FolderActions.tsx'
import { type FolderDialog, FolderDialogMenu, FolderDialogs } from './FolderDialogs.tsx'
import { FolderFacts } from './FolderFacts.tsx'
import { FolderList } from './FolderList.tsx'
import { PathModal } from './PathModal.tsx'
import { RewindModal } from './RewindModal.tsx'
import { UploadButton } from './UploadButton.tsx'
import { useFolder } from './use-folder.ts'

/** A folder's entries and, to the right, the open object. */
export function FolderView({ place }: { place: BrowserLocation }) {
  const { bucket, prefix, key } = place
  const [starts = ''] = useSearchParam('starts')
  const small = useSmallScreen()
  const [choosingPath, setChoosingPath] = useState(false)
  const [dialog, setDialog] = useState<FolderDialog>()
  const past = usePastView()
  const rewound = past.at !== undefined
  const [rewinding, setRewinding] = useState(false)
  const folder = useFolder(bucket, prefix, starts, past.date)
  const { data: entries, hasNextPage: more } = folder
  const versioning = useQuery({ ...q('getBucketVersioning', { params: { bucket } }), staleTime: 60_000 })
  const versioned = versioning.data?.is_versioned
  const empty = folder.error === null && entries?.length === 0 && !more && starts === '' && past.date === undefined
  const { looking } = useCorrectedLocation(place, { empty, missing: useIsMissing(place) })
  const title = prefix === '' ? bucket : folderTitle(prefix)
  const choosePath = () => setChoosingPath(true)
  const noBucket = isNotFound(folder)
  // Files cannot be uploaded into a past state.
  const Zone = rewound ? NoDropZone : DropZone

  return (
    <div className={css.split}>
      <Zone bucket={bucket} prefix={prefix}>
        <Page
          title={title}
          tab={key === undefined ? undefined : plainName(lastSegment(key))}
          crumbs={<BrowserCrumbs place={place} />}
          heading={<ObjectName name={title} />}
          mono
          facts={entries && <FolderFacts entries={entries} more={more} />}
          refresh={noBucket || rewound ? undefined : ['listObjects', 'rewindObjects', 'getBucketVersioning']}
          actions={
            !noBucket && (
              <>
                {!small && <SearchButton bucket={bucket} prefix={prefix} />}
                {!small && <PastButtons past={past} versioned={versioned} onRewind={() => setRewinding(true)} />}
                {!small && !rewound && <NewPathButton onClick={choosePath} />}
                {past.at !== undefined && <RestoreFolderButton bucket={bucket} prefix={prefix} at={past.at} />}
                {!small && !rewound && <FolderDialogMenu onOpen={setDialog} />}
                {!rewound && <UploadButton bucket={bucket} prefix={prefix} />}
              </>
            )
          }
        >
          <FolderList
            place={place}
            starts={starts}
            folder={looking ? { ...folder, data: undefined, error: null } : folder}
            versioned={versioned}
            onPath={choosePath}
            past={past}
            onRewind={() => setRewinding(true)}
            onDialog={setDialog}
          />
        </Page>
      </Zone>
      {key !== undefined && !looking && (
        <ObjectDrawer
          bucket={bucket}
          objectKey={key}
          versioned={versioned}
          onClose={() => navigate(withSearch(pathToFolder(bucket, prefix), currentListParams()))}
        />
      )}
      <FolderDialogs bucket={bucket} prefix={prefix} open={dialog} onOpen={setDialog} />
      {rewinding && <RewindModal bucket={bucket} at={past.at} onClose={() => setRewinding(false)} />}
      {choosingPath && <PathModal bucket={bucket} prefix={prefix} onClose={() => setChoosingPath(false)} />}
    </div>
  )
}

/** Reports whether the address refers to an object that does not exist. */
function useIsMissing({ bucket, key }: BrowserLocation): boolean {
  const { item, deleted, loading, error } = useObject(bucket, key)
  return key !== undefined && !loading && error === null && item === undefined && !deleted
}

function NoDropZone({ children }: ComponentProps<typeof DropZone>) {
  return <div className={css.zone}>{children}</div>
}
